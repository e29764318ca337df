// All text that is seen against its ground with less contrast than `least`, as a list of texts.
// The formula is that of WCAG 2.2.
(least) => {
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const isSolid = (colour) => colour.length === 3 || colour[3] === 1;
  // All colours that may be behind a text: of a picture, as a gradient, each that is in it.
  const behind = (e) => {
    const found = [];
    for (let each = e; each; each = each.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      found.push(...(backgroundImage.match(/rgba?\([^)]*\)/g) ?? []).map(numbers).filter(isSolid));
      const colour = numbers(backgroundColor);
      if (isSolid(colour)) return [...found, colour];
      if (found.length) return found;
    }
    return [[255, 255, 255]];
  };
  const problems = [];
  for (const e of document.querySelectorAll("body *")) {
    const text = [...e.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    if (!text || !e.checkVisibility({ visibilityProperty: true }) || e.closest(":disabled, option, .unseen, [aria-hidden='true']")) continue;
    const ink = light(numbers(getComputedStyle(e).color));
    const ratios = behind(e).map((ground) => (Math.max(ink, light(ground)) + 0.05) / (Math.min(ink, light(ground)) + 0.05));
    const ratio = Math.min(...ratios);
    if (ratio < least) problems.push(`${ratio.toFixed(2)} "${text.slice(0, 40)}" ${e.className}`);
  }
  return problems;
}
