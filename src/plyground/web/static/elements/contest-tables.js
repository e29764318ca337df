// @ts-check
// The tables of a tournament: standings, and everybody's points against everybody. Knows no server.
import { h } from "../lib/dom.js";
import { signed } from "./sprt-gauge.js";

/** @param {any} contest */
export function standings(contest) {
  const columns = ["", "Player", "Elo", "Points", "+", "=", "−", "ms/move", "Nodes/move", "Lost on time"];
  const names = { "+": "won", "=": "drawn", "−": "lost", "": "place" };
  const head = columns.map((name) => h("th", { scope: "col", class: name === "Player" ? "" : "number", "aria-label": names[name] ?? null }, name));
  return h("table", { class: "standings", "aria-label": "Standings" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, contest.standings.map((each, place) => row(each, place + 1))));
}

function row(player, place) {
  const number = (text, more = {}) => h("td", { class: "number", ...more }, text);
  const others = Object.entries(player.forfeits).map(([reason, count]) => `${count}: ${reason}`);
  return h(
    "tr",
    { "data-player": player.player },
    number(String(place)),
    h("th", { scope: "row", title: player.player }, player.name),
    number(player.games ? elo(player.elo) : ""),
    number(`${player.points}/${player.games}`),
    number(String(player.wins)),
    number(String(player.draws)),
    number(String(player.losses)),
    number((1000 * player.time_per_move_s).toFixed(1)),
    number(Math.round(player.nodes_per_move).toLocaleString("en")),
    number(String(player.time_losses), { title: others.join("; "), class: player.time_losses || others.length ? "number wrong" : "number" }),
  );
}

function elo({ value, low, high }) {
  if (value === null) return low === null ? (high === null ? "?" : `below ${signed(high, "", 0)}`) : `above ${signed(low, "", 0)}`;
  if (low === null || high === null) return signed(value, "?", 0);
  return `${signed(value, "?", 0)} ± ${((high - low) / 2).toFixed(0)}`;
}

/** Points of the row against the column; a cell is pressed to list those games.
 * @param {any} contest @param {string[] | null} chosen @param {(players: string[] | null) => void} choose */
export function crossTable(contest, chosen, choose) {
  const { standings: order, cross } = contest;
  const head = [h("td", {}), ...order.map((player, index) => h("th", { scope: "col", class: "number", title: player.name }, String(index + 1)))];
  const cell = (one, other, value) => {
    if (!value) return h("td", { class: one === other ? "self" : "" });
    const isChosen = Boolean(chosen) && chosen?.includes(one.player) && chosen.includes(other.player);
    const label = `${one.name} against ${other.name}: ${value.points} points, ${value.wins} won, ${value.draws} drawn, ${value.losses} lost`;
    const press = () => choose(isChosen ? null : [one.player, other.player]);
    return h("td", { class: "number" }, h("button", { type: "button", class: "cross-cell", "aria-pressed": isChosen, "aria-label": label, title: `+${value.wins} =${value.draws} −${value.losses}`, onclick: press }, h("b", {}, String(value.points)), h("small", {}, `+${value.wins} =${value.draws} −${value.losses}`)));
  };
  const rows = order.map((one, index) => h("tr", {}, h("th", { scope: "row" }, `${index + 1} ${one.name}`), order.map((other, at) => cell(one, other, cross[index]?.[at]))));
  return h("table", { class: "cross", "aria-label": "Cross-table" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}
