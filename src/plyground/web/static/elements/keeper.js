// @ts-check
// Brings the stored copy of a game to where the game is: one request at a time, so that an older
// one never comes last; what could not be sent is sent when the server is back.
import { online, put } from "../lib/api.js";
import { toast } from "../lib/say.js";

export class Keeper {
  /** @param {(before: string, now: string) => void} renamed told when the store gives it another name */
  constructor(renamed) {
    this.renamed = renamed;
    /** @type {null | { uid: string, game: any }} */
    this.wanted = null;
    this.isBusy = false;
    this.hasWarned = false;
    this.unwatch = online.watch((isThere) => isThere && this._send());
  }

  keep(uid, game) {
    this.wanted = { uid, game };
    this._send();
  }

  async _send() {
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.wanted) {
      const now = this.wanted;
      this.wanted = null;
      try {
        const kept = await put(`/api/plays/${now.uid}`, now.game);
        if (kept.uid !== now.uid) this.renamed(now.uid, kept.uid);
      } catch (error) {
        if (error.status === 0) {
          this.wanted ??= now;
          break;
        }
        if (!this.hasWarned) toast(`This game is not stored: ${error.message}`, { isError: true });
        this.hasWarned = true;
      }
    }
    this.isBusy = false;
  }

  close() {
    this.unwatch();
  }
}
