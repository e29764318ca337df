// @ts-check
// A value that tells when it changes.

/** @template T */
export class Signal {
  /** @param {T} value */
  constructor(value) {
    this._value = value;
    /** @type {Set<(value: T) => void>} */
    this._listeners = new Set();
  }

  get value() {
    return this._value;
  }

  set value(value) {
    if (Object.is(value, this._value)) return;
    this._value = value;
    for (const listener of [...this._listeners]) listener(value);
  }

  /** Call now and at every change; returns what ends it. */
  watch(listener) {
    this._listeners.add(listener);
    listener(this._value);
    return () => this._listeners.delete(listener);
  }
}
