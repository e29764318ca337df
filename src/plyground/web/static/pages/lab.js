// @ts-check
import { fill, h } from "../lib/dom.js";
export async function show(root) {
  fill(root, h("h1", {}, "Lab"));
}
