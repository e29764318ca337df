// @ts-check
// The seconds since something began, for as long as they are seen.
import { h } from "../lib/dom.js";

const TICK_MS = 1000;

/** @param {number} beganMs by `performance.now` */
export function elapsed(beganMs) {
  const face = h("span", { class: "elapsed" });
  const draw = () => (face.textContent = `${Math.floor((performance.now() - beganMs) / 1000)}\u00a0s`);
  draw();
  const ticking = setInterval(() => (face.isConnected ? draw() : clearInterval(ticking)), TICK_MS);
  return face;
}
