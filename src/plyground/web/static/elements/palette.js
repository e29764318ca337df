// @ts-check
// The palette: type a few letters, choose a page or a command of this page, press Enter.
import { fill, h, openDialog } from "../lib/dom.js";
import { listed } from "../lib/keys.js";

export function openPalette(pages, go) {
  if (document.querySelector("dialog.palette")) return;
  const commands = [
    ...pages.map((page) => ({ name: page.name, hint: page.path, run: () => go(page.path) })),
    ...listed().map(({ key, what, run }) => ({ name: what, hint: key, run })),
  ];
  const input = h("input", { type: "text", "aria-label": "Command", placeholder: "Page or command …", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list" });
  const list = h("ul", { id: "palette-list", role: "listbox" });
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "palette", "aria-label": "Commands" }, input, list));
  let found = commands;
  let at = 0;

  function draw() {
    const words = /** @type {HTMLInputElement} */ (input).value.toLowerCase().split(/\s+/).filter(Boolean);
    found = commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    at = Math.max(0, Math.min(at, found.length - 1));
    fill(
      list,
      found.map((each, index) =>
        h("li", { role: "option", id: `command-${index}`, "aria-selected": index === at, onclick: () => run(each) }, h("span", {}, each.name), h("kbd", {}, each.hint)),
      ),
    );
    input.setAttribute("aria-activedescendant", found.length ? `command-${at}` : "");
  }

  function run(command) {
    dialog.close();
    command?.run();
  }

  input.addEventListener("input", () => ((at = 0), draw()));
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      at = (at + (event.key === "ArrowDown" ? 1 : -1) + found.length) % Math.max(1, found.length);
      draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at]);
    }
  });
  draw();
  openDialog(dialog);
  input.focus();
}
