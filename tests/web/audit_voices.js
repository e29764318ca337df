// Keeps in `said` whatever a screen reader would be given to say.
window.said = [];
addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[aria-live], [role=status], [role=alert], [role=log]")) {
    new MutationObserver(() => place.textContent && said.push(place.textContent)).observe(place, { childList: true, characterData: true, subtree: true });
  }
});
