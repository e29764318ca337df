// @ts-check
// Brings the stored copy of a game to where the game is: one request at a time, so that an older
// one never comes last. What the server could not be told stays in this browser until it can be,
// whatever becomes of the page.
import { online, put } from "../lib/api.js";
import { toast } from "../lib/say.js";
import { kept } from "../lib/store.js";

/** Games that the server may not have heard of, by their names. */
const unsent = kept("unsent", /** @type {Record<string, any>} */ ({}));

export class Keeper {
  /** @param {(before: string, now: string) => void} renamed told when the store gives it another name */
  constructor(renamed) {
    this.renamed = renamed;
    /** @type {null | { uid: string, game: any }} */
    this.wanted = null;
    /** @type {null | { uid: string, game: any }} */
    this.onItsWay = null;
    this.hasWarned = false;
    this.unwatch = online.watch((isThere) => isThere && this._send());
  }

  keep(uid, game) {
    this.wanted = { uid, game };
    this._send();
  }

  /** Tell the server what pages before this one could not. */
  async catchUp() {
    for (const [uid, game] of Object.entries(unsent.value)) {
      if (!(await this._tell({ uid, game }))) return;
    }
  }

  async _send() {
    if (this.onItsWay) return;
    while (this.wanted) {
      this.onItsWay = this.wanted;
      this.wanted = null;
      const isTold = await this._tell(this.onItsWay);
      if (!isTold) this.wanted ??= this.onItsWay;
      this.onItsWay = null;
      if (!isTold) return this.save();
    }
  }

  /** Whether there is nothing more to be done about a game: it is stored, or refused. */
  async _tell({ uid, game }) {
    try {
      const stored = await put(`/api/plays/${uid}`, game);
      if (stored.uid !== uid) this.renamed(uid, stored.uid);
    } catch (error) {
      if (error.status === 0) return false;
      if (!this.hasWarned) toast(`This game is not stored: ${error.message}`, { isError: true });
      this.hasWarned = true;
    }
    const { [uid]: told, ...others } = unsent.value;
    if (told) unsent.value = others;
    return true;
  }

  /** The page may go at any time, and take along what is on its way. */
  save() {
    const newest = this.wanted ?? this.onItsWay;
    if (newest) unsent.value = { ...unsent.value, [newest.uid]: newest.game };
  }

  close() {
    this.save();
    this.unwatch();
  }
}
