// @ts-check
// Asking again and again while somebody looks: a page that is hidden asks nothing.

/** Calls `run` now and then `everyMs` after each time it is done; returns what ends it.
 * @param {() => Promise<any>} run @param {number} everyMs */
export function poll(run, everyMs = 1000) {
  let timer = 0;
  let isOver = false;
  let isRunning = false;
  const step = async () => {
    clearTimeout(timer);
    if (isOver || isRunning || document.hidden) return;
    isRunning = true;
    await run().catch(() => {}); // the bar at the top says that the server is away
    isRunning = false;
    if (!isOver) timer = setTimeout(step, everyMs);
  };
  document.addEventListener("visibilitychange", step);
  step();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", step);
  };
}

const BUSY_MS = 700;
const CALM_MS = 4000;

/** Load again as long as the page is seen, more often while something goes on; returns what ends it.
 * @param {() => Promise<any>} load @param {() => boolean} isBusy */
export function follow(load, isBusy) {
  let askedMs = -Infinity;
  return poll(async () => {
    if (performance.now() - askedMs < (isBusy() ? BUSY_MS : CALM_MS)) return;
    await load();
    askedMs = performance.now();
  }, BUSY_MS / 2);
}
