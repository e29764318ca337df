// @ts-check
// Home: the games, one click from a board.
import { fill, h } from "../lib/dom.js";
import { getOnce } from "../lib/api.js";

export async function show(root) {
  const games = await getOnce("/api/games");
  fill(
    root,
    h("h1", {}, "Plyground"),
    h("p", { class: "note" }, "A laboratory for game-tree search. Everything runs on this machine."),
    h(
      "div",
      { class: "cards-of" },
      games.map((game) =>
        h(
          "section",
          { class: "panel" },
          h("h2", {}, game.title),
          h("p", {}, game.summary),
          h(
            "div",
            { class: "row-of" },
            h("a", { href: `/play?game=${game.name}&first=human&second=amateur`, "aria-label": `Play ${game.title}` }, "Play"),
            h("a", { href: `/analyse?game=${game.name}`, "aria-label": `Analyse ${game.title}` }, "Analyse"),
          ),
        ),
      ),
    ),
  );
}
