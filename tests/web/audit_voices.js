// Keeps in `said` whatever a screen reader would be given to say, also by places that come later.
window.said = [];
const LIVE = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
const speak = (place) => place.textContent.trim() && place.checkVisibility() && said.push(place.textContent);
addEventListener("DOMContentLoaded", () => {
  new MutationObserver((changes) => {
    const places = new Set();
    for (const { target, addedNodes } of changes) {
      const inside = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE);
      if (inside) places.add(inside);
      for (const node of addedNodes) if (node.nodeType === 1) for (const each of [node, ...node.querySelectorAll("*")]) if (each.matches(LIVE)) places.add(each);
    }
    places.forEach(speak);
  }).observe(document.body, { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden"] });
});
