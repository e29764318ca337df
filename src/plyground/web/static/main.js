// @ts-check
// The program: a bar at the top, one page below it, and the way between pages.
import { fill, find, h } from "./lib/dom.js";
import { online, get } from "./lib/api.js";
import { bind, showSheet } from "./lib/keys.js";
import { poll } from "./lib/poll.js";
import { settings, THEMES } from "./lib/store.js";
import { openPalette } from "./elements/palette.js";

const PAGES = [
  { path: "/", name: "Home", file: "./pages/home.js" },
  { path: "/play", name: "Play", file: "./pages/play.js" },
  { path: "/analyse", name: "Analyse", file: "./pages/analyse.js" },
  { path: "/tree", name: "Tree", file: "./pages/tree.js" },
  { path: "/lab", name: "Lab", file: "./pages/lab.js" },
  { path: "/tournaments", name: "Tournaments", file: "./pages/tournaments.js" },
  { path: "/train", name: "Train", file: "./pages/train.js" },
  { path: "/games", name: "Games", file: "./pages/games.js" },
  { path: "/learn", name: "Learn", file: "./pages/learn.js" },
  { path: "/settings", name: "Settings", file: "./pages/settings.js" },
];
const BEAT_MS = 1500; // a lost server is told within three seconds, whatever a page asks for itself

const moreContrast = matchMedia("(prefers-contrast: more)");

/** @type {null | (() => void)} what the page that is shown wants done when it goes */
let leave = null;
let shown = 0;

function pageOf(path) {
  return PAGES.find((page) => page.path === path) ?? PAGES.find((page) => page.path !== "/" && path.startsWith(page.path + "/")) ?? PAGES[0];
}

/** Show the page that the address names. */
async function show({ focus = true } = {}) {
  const turn = ++shown;
  const page = pageOf(location.pathname);
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.getAttribute("href") === page.path;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (isHere) /** @type {HTMLElement} */ (link.parentElement).scrollLeft = /** @type {HTMLElement} */ (link).offsetLeft - 120;
  }
  const module = await import(page.file);
  if (turn !== shown) return;
  leave?.();
  leave = null;
  const main = find("#main");
  // Of its own: a page that is late fills what nobody sees.
  const root = h("div", { class: `page-${page.name.toLowerCase()}` });
  fill(main, root);
  document.title = page.path === "/" ? "Plyground" : `${page.name} · Plyground`;
  const goes = (await module.show(root)) ?? null;
  if (turn !== shown) return goes?.();
  leave = goes;
  if (focus) main.focus({ preventScroll: true });
}

/** Go to an address of ours without loading the program again. */
export function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  return show();
}

function onLink(event) {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || link.target || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.getAttribute("href"));
}

function drawTop() {
  const theme = h("button", { type: "button", class: "quiet", onclick: nextTheme });
  settings.theme.watch((value) => {
    const name = `Theme: ${THEMES[value] ?? THEMES.system}`;
    theme.setAttribute("aria-label", name);
    theme.title = name;
    theme.textContent = { light: "☀", dark: "☾", contrast: "◑" }[value] ?? "◐";
    showTheme();
  });
  moreContrast.addEventListener("change", showTheme);
  const banner = h("p", { class: "banner", role: "alert", hidden: true }, "Disconnected, retrying …");
  online.watch((value) => (banner.hidden = value));
  fill(
    find("#top"),
    h("a", { class: "logo", href: "/" }, "Plyground"),
    h("nav", { "aria-label": "Pages" }, PAGES.slice(1).map((page) => h("a", { href: page.path }, page.name))),
    h("span", { class: "grow" }),
    h("button", { type: "button", class: "quiet", onclick: () => openPalette(PAGES, go), "aria-label": "Commands", title: "Find a page or a command" }, /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    h("button", { type: "button", class: "quiet", onclick: showSheet, "aria-label": "Keyboard shortcuts", title: "?" }, "?"),
    theme,
    banner,
  );
}

function nextTheme() {
  const order = Object.keys(THEMES);
  settings.theme.value = order[(order.indexOf(settings.theme.value) + 1) % order.length];
}

/** Light and dark follow the system in the style sheet itself; a wish for more contrast is a theme of its own. */
function showTheme() {
  const chosen = settings.theme.value;
  const theme = chosen === "system" && moreContrast.matches ? "contrast" : chosen;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

drawTop();
bind("Everywhere", [
  ["?", "list the keys of this page", showSheet],
  ["Ctrl+k", "find a page or a command", () => openPalette(PAGES, go)],
]);
document.addEventListener("click", onLink);
addEventListener("popstate", () => show({ focus: false }));
show({ focus: false });
poll(() => get("/api/about"), BEAT_MS);
