// The last lines of every widget: makes modules of the texts above, each once for the whole page.
// `modules` has a module after all that it imports; `entry` is the one that draws the widget.
const urls = (globalThis[Symbol.for("plyground.modules")] ??= new Map());

// An element that is on the page already, from another version of Plyground, stays until a reload.
const ONCE = "const customElements = { define: (name, made) => globalThis.customElements.get(name) ?? globalThis.customElements.define(name, made) };";

for (const [name, text] of Object.entries(modules)) {
  if (urls.has(name)) continue;
  const linked = text.replace(/"(plyground:[^"]+)"/g, (_, known) => JSON.stringify(urls.get(known)));
  urls.set(name, URL.createObjectURL(new Blob([ONCE, linked, `\n//# sourceURL=${name}`], { type: "text/javascript" })));
}

const { render } = await import(urls.get(entry));
export default { render: (given) => render({ ...given, style }) };
