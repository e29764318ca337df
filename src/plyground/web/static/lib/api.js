// @ts-check
// Questions to the server. What it refuses becomes an Error with the server's own words.
import { Signal } from "./signal.js";

/** Whether the server can be reached. */
export const online = new Signal(true);

export class Refused extends Error {
  constructor(message, status, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    online.value = false;
    throw new Refused("the server cannot be reached", 0);
  }
  online.value = true;
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error || `the server answered ${answer.status}`, answer.status, told.field);
}

export const get = (path, signal) => ask("GET", path, undefined, signal);
export const post = (path, body, signal) => ask("POST", path, body, signal);
export const put = (path, body, signal) => ask("PUT", path, body, signal);
export const remove = (path) => ask("DELETE", path);

const once = new Map();

/** An answer that does not change while the server runs. */
export function getOnce(path) {
  if (!once.has(path)) {
    once.set(path, get(path).catch((error) => (once.delete(path), Promise.reject(error))));
  }
  return once.get(path);
}
