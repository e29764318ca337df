// @ts-check
// Short sounds, made by the browser itself: for moves, for what is turned over, for the end of a
// game and for what is refused. Silent unless asked for, and never heard when a game is stepped through.
import { settings } from "../lib/store.js";

const LOUDEST = 0.3;
/** From which pitch to which, in Hertz, and for how long. @type {Record<string, [number, number, number]>} */
const SOUNDS = {
  move: [260, 120, 0.06],
  turn: [420, 180, 0.09],
  end: [520, 780, 0.25],
  refusal: [150, 95, 0.12],
};
/** @type {AudioContext | null} */
let context = null;

/** @param {"move" | "turn" | "end" | "refusal"} what */
export function sound(what) {
  const loudness = (LOUDEST * settings.volume.value) / 100;
  // A browser lets a page be heard only after somebody has touched it.
  if (!settings.sound.value || !loudness || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  const [from, to, seconds] = SOUNDS[what];
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.exponentialRampToValueAtTime(to, now + seconds);
  volume.gain.setValueAtTime(loudness, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + seconds);
}
