// What is wrong with a page for people who do not see it or cannot point well, as a list of texts.
// `least` is the smallest size of a target in pixels.
(least) => {
  const problems = [];
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert], [aria-hidden='true'], .unseen, .skip");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const told = (e) => e.outerHTML.slice(0, 120);
  const named = (e) => (e.getAttribute("aria-label") ?? "").trim() || document.getElementById(e.getAttribute("aria-labelledby"))?.textContent.trim();

  for (const e of all("img")) if (!e.hasAttribute("alt")) problems.push(`image without a name: ${told(e)}`);
  for (const e of all("svg")) if (!named(e) && !e.closest("button, a")) problems.push(`drawing without a name: ${told(e)}`);
  for (const e of all("button, a[href], [role=button], [role=gridcell], [role=radio]")) {
    if (!named(e) && !/[\p{L}\p{N}]/u.test(e.textContent)) problems.push(`without a name: ${told(e)}`);
  }
  for (const e of all("input, select, textarea")) if (!named(e) && !e.labels.length) problems.push(`field without a label: ${told(e)}`);

  for (const one of ["header", "main", "nav"]) if (all(one).length !== 1) problems.push(`${all(one).length} ${one}`);
  for (const e of all("nav, [role=grid], [role=radiogroup], dialog")) if (!named(e)) problems.push(`region without a name: ${told(e)}`);
  if (!document.documentElement.lang || !document.title) problems.push("no language or no title");

  const dialog = document.querySelector("dialog[open]");
  const headings = [...(dialog ?? document).querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(seen).map((e) => Number(e.tagName[1]));
  if (headings[0] !== (dialog ? 2 : 1) || headings.filter((level) => level === 1).length > 1) problems.push(`headings begin with ${headings}`);
  headings.forEach((level, i) => { if (i && level > headings[i - 1] + 1) problems.push(`heading ${level} after ${headings[i - 1]}`); });

  for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) problems.push(`positive tabindex: ${told(e)}`);
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((each) => each === id).length > 1) problems.push(`id ${id} twice`);

  // A store of seeds is nothing to press; a link in a sentence is as high as its line.
  for (const e of all("a[href], button, input, select, textarea, summary, g-board[interactive] .cell:not(.store)")) {
    if (e.matches("p a")) continue;
    const box = (e.matches("label input[type=checkbox]") ? e.closest("label") : e).getBoundingClientRect();
    if (Math.min(box.width, box.height) < least - 0.5) problems.push(`${box.width.toFixed(1)} x ${box.height.toFixed(1)} px: ${told(e)}`);
  }
  return [...new Set(problems)];
}
