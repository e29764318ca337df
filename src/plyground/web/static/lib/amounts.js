// @ts-check
// Times and amounts for people to read.

const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

/** `3 min 20 s`; two units at most. @param {number} seconds */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "?";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  let rest = Math.round(seconds);
  const parts = [];
  for (const [name, size] of /** @type {[string, number][]} */ (UNITS)) {
    const count = Math.floor(rest / size);
    if (count) parts.push(`${count} ${name}`);
    else if (parts.length) break;
    rest -= count * size;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** In one unit, for a range. @param {number} seconds */
function rough(seconds) {
  const [name, size] = /** @type {[string, number]} */ (UNITS.find(([, each]) => seconds >= Number(each) * 1.5) ?? ["s", 1]);
  return `${Math.max(1, Math.round(seconds / size))} ${name}`;
}

/** How long the rest takes: a range as long as little is known. @param {any} job */
export function remaining(job) {
  if (!job.total || !job.rate || job.done >= job.total) return "";
  const left = (job.total - job.done) / job.rate;
  const seen = Math.max(1, job.done - job.first);
  if (seen / Math.max(1, job.total - job.first) >= 0.05) return `${duration(left)} left`;
  const doubt = 1 + 1 / Math.sqrt(seen);
  const [low, high] = [rough(left / doubt), rough(left * doubt)];
  return low === high ? `about ${low} left` : `${low} to ${high} left`;
}

/** @param {any} job */
export function speed(job) {
  if (!job.rate) return "";
  return job.rate >= 1 ? `${job.rate.toFixed(1)} ${job.unit}/s` : `${duration(1 / job.rate)} each`;
}

/** `2026-03-01 14:05`, by the clock of this machine. @param {string} text */
export function moment(text) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return "";
  const two = (number) => String(number).padStart(2, "0");
  return `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())} ${two(when.getHours())}:${two(when.getMinutes())}`;
}

/** @param {number | null | undefined} number */
export const counted = (number) => (number === null || number === undefined ? "" : number.toLocaleString("en"));
