// @ts-check
// Moves of machines. A machine that ponders is asked for its answer to the expected reply while a
// person thinks; if that reply comes, the answer is there, or on its way. It is the very answer
// that would be given without pondering, since it was asked the very same question.
import { Engine } from "../lib/socket.js";

/** The most that the server lets a search take: how long a machine thinks is for its own limits to say. */
export const MOST_S = 600;

export class Machine {
  constructor() {
    this.engine = new Engine();
    /** @type {null | { key: string, told: any, listener: null | ((told: any) => void) }} */
    this.pondered = null;
  }

  /** @param {{ player: string, line: any, seed: number }} question @param {(told: any) => void} listener */
  ask(question, listener) {
    const ready = this.pondered;
    this.pondered = null;
    if (ready?.key !== keyOf(question)) {
      this.engine.start({ kind: "move", ...cleaned(question) }, listener);
      return;
    }
    ready.listener = listener;
    if (ready.told) queueMicrotask(() => listener({ ...ready.told, pondered: true }));
  }

  /** Prepare the answer to a question that may be asked. */
  ponder(question) {
    const thought = { key: keyOf(question), told: null, listener: /** @type {any} */ (null) };
    this.pondered = thought;
    this.engine.start({ kind: "move", ...cleaned(question) }, (told) => {
      if (told.type === "move") thought.told = told;
      if (told.type === "error" && this.pondered === thought) this.pondered = null;
      thought.listener?.(told.type === "move" ? { ...told, pondered: true } : told);
    });
  }

  hint(line, listener) {
    this.pondered = null;
    this.engine.start({ kind: "hint", line }, listener);
  }

  /** Answer with what was found so far. */
  stop() {
    this.engine.stop();
  }

  forget() {
    this.pondered = null;
    this.engine.forget();
  }

  close() {
    this.engine.close();
  }
}

const PONDER = /^ponder=/;

export function ponders(player) {
  return optionsOf(player).includes("ponder=yes");
}

/** What the server is asked: without pondering, since who ponders is decided here. */
function cleaned({ player, ...rest }) {
  const options = optionsOf(player).filter((each) => !PONDER.test(each));
  const name = player.split(":", 1)[0];
  return { ...rest, time_s: MOST_S, player: options.length ? `${name}:${options.join(",")}` : name };
}

function optionsOf(player) {
  const at = player.indexOf(":");
  return at < 0 ? [] : player.slice(at + 1).split(",");
}

function keyOf({ player, line, seed }) {
  return JSON.stringify([player, line, seed]);
}
