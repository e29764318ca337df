// @ts-check
// A search laid open, as on the web app's page; nodes are asked of the kernel when they are looked at.
import { h } from "../web/static/lib/dom.js";
import { NodeInspector } from "../web/static/elements/node-inspector.js";
import { SearchPane } from "../web/static/pages/tree/search-pane.js";
import { drawn, frame } from "./frame.js";

export async function render({ model, el, style }) {
  const { place, leave } = frame(el, style);
  const { title, summary } = model.get("shown");
  const source = kernelSource(model, summary);
  const inspector = new NodeInspector({ goTo: (node) => pane.goTo(node), prove: () => Promise.reject() });
  let seen = -1;
  const chosen = async (_, node) => {
    seen = node;
    const details = await source.node(node);
    if (seen !== node) return;
    pane.mark(node, details.path);
    pane.outline.mark(details.path);
    inspector.show(details, summary, pane.ruler);
    model.set("chosen", node);
    model.save_changes();
  };
  const pane = new SearchPane(title, summary.algorithm, { chosen }, source);
  place.append(h("div", { class: "tree-columns" }, pane.element, inspector.element));
  place.addEventListener("theme", () => pane.icicle.bars && pane.icicle.draw()); // a canvas keeps its colours
  await pane.search(null);
  const end = drawn(model, ["chosen"], () => seen !== model.get("chosen") && pane.goTo(model.get("chosen")));
  return () => (end(), source.close(), leave());
}

/** What a pane asks of the server on a page, asked of the kernel. @param {any} model @param {any} summary */
function kernelSource(model, summary) {
  const [waiting, known] = [new Map(), new Map()]; // a tree does not change
  const hear = ({ answer, data }) => (waiting.get(answer)?.(data), waiting.delete(answer));
  const ask = (does, given) => {
    const number = String(Math.random()); // several views of one model hear all answers
    return new Promise((resolve) => (waiting.set(number, resolve), model.send({ do: does, number, ...given })));
  };
  model.on("msg:custom", hear);
  return {
    search: () => Promise.resolve(summary),
    node: (node) => known.get(node) ?? known.set(node, ask("node", { node })).get(node),
    children: (node, start) => ask("children", { node, start }),
    overview: (first, last, width) => ask("overview", { first, last, width }),
    close: () => model.off("msg:custom", hear),
  };
}
