// @ts-check
// What pages of long runs share: a list that is asked for again and again, with a form above it; and
// the page of one run, or the list where there is no such run.
import { fill, h, redraw } from "../lib/dom.js";
import { get } from "../lib/api.js";
import { poll } from "../lib/poll.js";
import { toast } from "../lib/say.js";

const AGAIN_MS = 2000;

/** @param {Element} root @param {{ title: string, address: string, form: any, fresh: string, isOpen?: boolean, columns: Record<string, string>, row: (each: any) => Element }} about columns are headings with their classes */
export async function showListing(root, { title, address, form, fresh, isOpen = false, columns, row }) {
  const first = await get(address);
  const body = h("tbody");
  const head = Object.entries(columns).map(([name, kind]) => h("th", { scope: "col", class: kind }, name));
  const list = h("section", { class: "panel", "aria-label": "All there are" }, h("div", { class: "scroll" }, h("table", { class: "contests", "aria-label": title }, h("thead", {}, h("tr", {}, head)), body)));
  const open = /** @type {any} */ (h("button", { type: "button", class: "main", "aria-expanded": "false" }, fresh));
  const unfold = (isUnfolded) => {
    form.element.hidden = !isUnfolded;
    open.setAttribute("aria-expanded", String(isUnfolded));
  };
  open.addEventListener("click", () => unfold(form.element.hidden));
  unfold(isOpen || !first.length);
  fill(root, h("div", { class: "row-of heading" }, h("h1", {}, title), h("span", { class: "grow" }), open), form.element, list);
  const draw = (found) => {
    list.hidden = !found.length;
    redraw(body, found, row);
  };
  draw(first);
  return poll(async () => draw(await get(address)), AGAIN_MS);
}

/** @param {Element} root @param {any} page @param {string} above the address of the list @param {() => Promise<any>} showList */
export async function showOne(root, page, above, showList) {
  fill(root, page.element);
  try {
    await page.load();
  } catch (error) {
    if (![400, 422].includes(error.status)) throw error;
    toast(error.message, { isError: true });
    history.replaceState(null, "", above);
    return showList();
  }
  return page.watch();
}
