// @ts-check
// Making and changing elements. Text always goes in as text, so nothing has to be escaped.

/**
 * An element: h("button", { class: "go", onclick: f }, "Go").
 * Names that begin with "on" are listeners, others are attributes; false, null and undefined are
 * left out, true is an attribute without a value, except that aria-* says true and false.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...flat(children));
  return element;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...flat(children));
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) /** @type {any} */ (element).value = value;
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

/** Give an element these children and no others. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

/** The same, but children that are there already are not touched: they keep the focus and a press of the mouse. @param {Element} element @param {Element[]} children */
export function arrange(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  let next = element.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else element.insertBefore(child, next);
  }
}

/** @type {WeakMap<Element, Map<string, Element>>} */
const drawn = new WeakMap();

/**
 * A child for each item; those of items that did not change stay, and a link that is drawn anew keeps the focus.
 * @param {Element} element @param {any[]} items no two alike @param {(item: any) => Element} make
 */
export function redraw(element, items, make) {
  const known = drawn.get(element) ?? new Map();
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  const now = new Map(items.map((item) => [JSON.stringify(item), item]).map(([text, item]) => [text, known.get(text) ?? make(item)]));
  drawn.set(element, now);
  arrange(element, [...now.values()]);
  if (focused && !element.contains(document.activeElement)) find(`[href="${CSS.escape(focused)}"]`, element)?.focus();
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** @returns {any} */
export function find(selector, root = document) {
  return root.querySelector(selector);
}

/** Show a dialog; when it is closed it goes, and what had the focus has it again. @param {HTMLElement} element @param {any} opener */
export function openDialog(element, opener = document.activeElement) {
  const dialog = /** @type {HTMLDialogElement} */ (element);
  dialog.addEventListener("close", () => (dialog.remove(), opener?.focus?.()));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A text that may be broken after its commas, as the text of a player. @param {string} text */
export function breakable(text) {
  return text.split(",").flatMap((part, index) => (index ? [",", h("wbr"), part] : [part]));
}
