// All text that is seen against its ground with less contrast than `least`, as a list of texts.
// The formula is that of WCAG 2.2.
(least) => {
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (e) => {
    for (let each = e; each; each = each.parentElement) {
      const colour = numbers(getComputedStyle(each).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const problems = [];
  for (const e of document.querySelectorAll("body *")) {
    const text = [...e.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    if (!text || !e.checkVisibility({ visibilityProperty: true }) || e.closest("g-board, :disabled, option, .eval-bar, .unseen, [aria-hidden='true']")) continue;
    const [one, other] = [light(numbers(getComputedStyle(e).color)), light(behind(e))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < least) problems.push(`${ratio.toFixed(2)} "${text.slice(0, 40)}" ${e.className}`);
  }
  return problems;
}
