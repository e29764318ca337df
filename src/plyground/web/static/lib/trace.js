// @ts-check
// A traced search: asked for on the engine's socket, opened node by node. A tree that the server no
// longer keeps is searched again, which gives the same tree. Knows no element.
import { get } from "./api.js";
import { Engine } from "./socket.js";

const LONGEST_S = 120;

export class TraceSource {
  constructor() {
    this.engine = new Engine();
    /** @type {any} */ this.question = null;
    /** @type {any} */ this.summary = null;
  }

  /** Search, and hear how it goes. @param {any} question @param {(text: string) => void} tell @returns {Promise<any>} */
  search(question, tell = () => {}) {
    this.question = question;
    return this._ask("trace", question, tell).then((summary) => (this.summary = summary));
  }

  /** The moves that a node left out, searched. */
  prove(node, tell = () => {}) {
    return this._ask("proof", { ...this.question, node }, tell);
  }

  /** Monte-Carlo tree search instead. */
  simulate(question, tell = () => {}) {
    this.question = question;
    return this._ask("simulations", question, tell).then((summary) => (this.summary = summary));
  }

  children(node, start = 0) {
    return this._get("traces", `children?node=${node}&start=${start}`);
  }

  /** @param {number} node @param {number | null} visit what was known then; null for all that is known */
  node(node, visit = null) {
    return this._get("traces", `node?node=${node}${visit === null ? "" : `&visit=${visit}`}`);
  }

  visit(number) {
    return this._get("traces", `visit?number=${number}`);
  }

  overview(first, last, width) {
    return this._get("traces", `overview?first=${first}&last=${last}&width=${width}`);
  }

  simulatedChildren(node) {
    return this._get("simulations", `children?node=${node}`);
  }

  simulatedNode(node) {
    return this._get("simulations", `node?node=${node}`);
  }

  simulation(number) {
    return this._get("simulations", `one?number=${number}`);
  }

  stop() {
    this.engine.stop();
  }

  close() {
    this.engine.close();
  }

  async _get(what, rest) {
    const address = () => `/api/${what}/${this.summary.name}/${rest}`;
    try {
      return await get(address());
    } catch (error) {
      if (error.status !== 404) throw error;
      await (what === "traces" ? this.search(this.question) : this.simulate(this.question));
      return get(address());
    }
  }

  _ask(kind, question, tell) {
    return new Promise((resolve, reject) => {
      this.engine.start({ kind, time_s: LONGEST_S, ...question }, (told) => {
        if (told.type === kind) resolve(told);
        else if (told.type === "compiling") tell(told.text);
        else if (told.type === "waiting") tell("Waiting for other searches …");
        else if (told.type === "accepted" || told.type === "ready") tell("Searching …");
        else if (told.type === "error") reject(new Error(told.text));
        else if (told.type === "done") reject(new Error("The search was stopped."));
      });
    });
  }
}

/** What a row's numbers are to whoever moves at the root. @param {any} row @param {number} us */
export function seen(row, us) {
  if (row.side === us) return { low: row.alpha, high: row.beta, value: row.value };
  return { low: -row.beta, high: -row.alpha, value: -row.value };
}

/** Whether a node has been entered at a visit. @param {any} row @param {number} visit */
export function isEntered(row, visit) {
  return row.order <= visit;
}

/** Whether its value is known by then: a leaf's at once, another's when all below it was left. @param {any} row @param {number} visit */
export function isKnown(row, visit) {
  return ["leaf", "over", "table"].includes(row.reason) ? isEntered(row, visit) : row.done < visit;
}

export const REASONS = {
  leaf: "depth used up",
  over: "game over",
  table: "from the table",
  cut: "cut",
  searched: "all moves searched",
  open: "left open",
};
