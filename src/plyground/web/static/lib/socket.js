// @ts-check
// The socket to the engine: one search at a time, the newest wins, and it comes back by itself.
import { online } from "./api.js";
import { toast } from "./say.js";

const PAUSES_MS = [200, 500, 1000, 2000];
const TRY_LATER = 1013; // the server is there, but has no room for one more page
const LATER_MS = 10_000;

/**
 * Searches for one page. `start` begins a search and ends the one before; what is told of an
 * older one is dropped.
 */
export class Engine {
  constructor() {
    this._job = 0;
    this._tries = 0;
    /** @type {WebSocket | null} */
    this._socket = null;
    /** @type {{ message: any, listener: (told: any) => void, isStopped: boolean } | null} */
    this._wanted = null;
    this._isClosed = false;
  }

  /** @param {Record<string, any>} message @param {(told: any) => void} listener */
  start(message, listener) {
    this._job += 1;
    this._wanted = { message: { type: "start", job: this._job, ...message }, listener, isStopped: false };
    this._send(this._wanted.message);
    return this._job;
  }

  stop() {
    if (!this._wanted) return;
    this._wanted.isStopped = true; // and told when the socket opens, if it is not open yet
    this._send({ type: "stop", job: this._job });
  }

  /** Drop whatever is still told of the search under way. */
  forget() {
    this.stop();
    this._wanted = null;
  }

  close() {
    this._isClosed = true;
    this._wanted = null;
    this._socket?.close();
  }

  _send(message) {
    if (this._socket?.readyState === WebSocket.OPEN) this._socket.send(JSON.stringify(message));
    else this._open();
  }

  _open() {
    if (this._socket || this._isClosed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/engine`);
    this._socket = socket;
    socket.onopen = () => {
      this._tries = 0;
      online.value = true;
      if (this._wanted) socket.send(JSON.stringify(this._wanted.message));
      if (this._wanted?.isStopped) socket.send(JSON.stringify({ type: "stop", job: this._job }));
    };
    socket.onmessage = (event) => {
      const told = JSON.parse(event.data);
      if (this._wanted && told.job === this._job) {
        const { listener } = this._wanted;
        if (told.type === "done" || told.type === "error") this._wanted = null;
        listener(told);
      }
    };
    socket.onclose = ({ code, reason }) => {
      this._socket = null;
      if (this._isClosed) return;
      if (code === TRY_LATER) {
        toast(reason, { isError: true });
        setTimeout(() => this._open(), LATER_MS);
        return;
      }
      online.value = false;
      const pause = PAUSES_MS[Math.min(this._tries, PAUSES_MS.length - 1)];
      this._tries += 1;
      setTimeout(() => this._open(), pause);
    };
  }
}
