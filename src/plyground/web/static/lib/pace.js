// @ts-check
// Doing something often asked for, but not more often than people can read.

/** Calls `run` at once if it is long since the last time, otherwise once when it is. @param {() => void} run */
export function paced(run, leastMs = 125) {
  let lastMs = -Infinity;
  let timer = 0;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    lastMs = performance.now();
    run();
  };
  return () => {
    const waitMs = lastMs + leastMs - performance.now();
    if (waitMs <= 0) now();
    else timer ||= setTimeout(now, waitMs);
  };
}
