// @ts-check
// A game as part of an address: which game, where it began, its tree of moves, and where one is.
// Pages that show games share these names, so that a link of one opens in another.
import { encoded } from "./tree.js";

/** @typedef {{ game: string, settings: Record<string, any>, position: string | null }} About */

/** @param {Record<string, string>} given the parameters of an address */
export function readAddress(given) {
  const settings = Object.fromEntries((given.set ?? "").split(",").filter(Boolean).map((part) => part.split("=")));
  return {
    about: /** @type {About} */ ({ game: given.game ?? "othello", settings, position: given.position ?? null }),
    moves: given.moves ?? "",
    path: given.path ?? "",
    ply: given.ply === undefined ? null : Number(given.ply),
    isFlipped: given.flip === "1",
  };
}

/** The parameters that say which game it is. @param {About} about */
export function writeAbout({ game, settings, position }) {
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(",");
  return { game, set, position };
}

/** Where a game is looked at. @param {any} game @param {number | string} ply */
export function analysed(game, ply = game.moves.length) {
  const query = new URLSearchParams();
  const moves = game.moves.map(encoded).join("_");
  for (const [name, value] of Object.entries({ ...writeAbout(game), moves, ply })) {
    if (value !== null && value !== "") query.set(name, String(value));
  }
  return `/analyse?${query}`;
}

/** What a link of ours leads to, if the text is one. @param {string} text */
export function readOwnLink(text) {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  const given = Object.fromEntries(url.searchParams);
  return ["/analyse", "/play", "/tree"].includes(url.pathname) && given.game ? readAddress(given) : null;
}

/** An address with these parameters; what is empty is left out. @param {string} path @param {Record<string, any>} values */
export function addressWith(path, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  return `${path}?${query}`;
}

/** Where the search of a position is looked into. @param {About} about @param {string[]} moves */
export function treeOf(about, moves) {
  return addressWith("/tree", { ...writeAbout(about), moves: moves.map(encoded).join("_") });
}

/** The stored games that reached a position, or one that mirrors it. @param {About} about @param {string[]} moves */
export function gamesWith(about, moves) {
  return addressWith("/games", { ...writeAbout(about), moves: moves.map(encoded).join("_"), symmetric: "1" });
}
