// @ts-check
// A short click when a piece is put down, made by the browser itself; silent unless asked for.
import { settings } from "../lib/store.js";

const CLICK_S = 0.06;
const LOUD = 0.15;
/** @type {AudioContext | null} */
let context = null;

/** Click; higher when a game ends. */
export function click({ isLast = false } = {}) {
  if (!settings.sound.value) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(isLast ? 520 : 260, now);
  tone.frequency.exponentialRampToValueAtTime(isLast ? 780 : 120, now + CLICK_S);
  volume.gain.setValueAtTime(LOUD, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + CLICK_S);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + CLICK_S);
}
