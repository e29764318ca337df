// @ts-check
// What a person chose, kept in this browser; and the state of a page, kept in its address.
import { Signal } from "./signal.js";

const PREFIX = "plyground.";

/** A kept value: reads what was kept, keeps what is set, and hears of changes in other tabs. */
export function kept(name, usual) {
  const signal = new Signal(read(name, usual));
  signal.watch((value) => {
    try {
      localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // A browser may refuse to keep anything; the page works without.
    }
  });
  addEventListener("storage", (event) => {
    if (event.key === PREFIX + name) signal.value = read(name, usual);
  });
  return signal;
}

function read(name, usual) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? usual : JSON.parse(text);
  } catch {
    return usual;
  }
}

export const settings = {
  theme: kept("theme", "system"),
  sound: kept("sound", false),
  volume: kept("volume", 50),
  animations: kept("animations", true),
  guides: kept("guides", true),
  lines: kept("lines", 3),
  time: kept("time", 20),
};

/** The themes, and what people call them. @type {Record<string, string>} */
export const THEMES = { system: "as the system", light: "light", dark: "dark", contrast: "high contrast" };

/** The parameters of the address, as an object of texts. */
export function params() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Put parameters into the address: stepping replaces history, new things are pushed. */
export function setParams(values, { push = false } = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  }
  const address = location.pathname + (query.size ? `?${query}` : "");
  if (address === location.pathname + location.search) return;
  history[push ? "pushState" : "replaceState"](null, "", address);
}
