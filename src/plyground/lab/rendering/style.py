"""How a page looks: one column to read, wider tables, one accent colour, light and dark.

Knows the names of classes in `html.py`, and nothing else.
"""

from __future__ import annotations

STYLE = """
:root {
  --paper: #ffffff; --ink: #1d2126; --soft: #5a636e; --line: #dde1e6; --tint: #f5f7f9;
  --accent: #2564a3;
  --good: #1c7349; --partly: #845a00; --bad: #ab3039; --open: #5a636e;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e3e6ea; --soft: #9ba5b0; --line: #2f353c; --tint: #1c2024;
    --accent: #82b5e8;
    --good: #66c495; --partly: #dcae52; --bad: #f0898e; --open: #9ba5b0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial,
    sans-serif;
  overflow-wrap: break-word;
}
main { padding: 3rem 1.25rem 5rem; }
header, .summary, nav, section, section.claims { max-width: 44rem; margin-inline: auto; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 2rem; letter-spacing: -0.015em; margin: 0.2rem 0 0.8rem; }
h2 { font-size: 1.35rem; margin: 3.2rem 0 0.8rem; scroll-margin-top: 1rem; }
h3 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.9em/1.5 ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--tint); padding: 0.8rem 1rem; border-radius: 6px; white-space: pre-wrap; }
blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 3px solid var(--line); }

.over {
  margin: 0; color: var(--soft); font-size: 0.8rem; letter-spacing: 0.06em;
  text-transform: uppercase;
}
.question { font-size: 1.2rem; line-height: 1.5; color: var(--soft); }
.source, .note, .place, .tally, .legend { color: var(--soft); font-size: 0.9rem; }
.notice { border-left: 3px solid var(--partly); padding-left: 0.9rem; }
.summary { margin-top: 1.6rem; }

.claims { border: 1px solid var(--line); border-radius: 8px; padding: 1.1rem 1.3rem 0.4rem; }
section.claims { margin-block: 2rem; }
.claims h2 { margin: 0; font-size: 1.1rem; }
.claims .tally { margin: 0.1rem 0 0.5rem; }
.claims .legend { margin: 0 0 0.6rem; }
.claims ul { list-style: none; margin: 0; padding: 0; }
.claims li {
  display: grid; grid-template-columns: 11.5rem 1fr; gap: 0 1rem; padding: 0.6rem 0;
  border-top: 1px solid var(--line);
}
.claims a { color: inherit; text-decoration-color: var(--accent); }
.place { display: block; }
.verdict {
  display: inline-block; font-weight: 600; font-size: 0.9rem; color: var(--verdict);
  padding-left: 1.5em; text-indent: -1.5em;
}
.verdict .mark { display: inline-block; width: 1.25em; text-indent: 0; }
.reproduced { --verdict: var(--good); }
.in-direction { --verdict: var(--partly); }
.contradicted { --verdict: var(--bad); }
.not-testable { --verdict: var(--open); }

.claim {
  margin: 1.6rem 0; padding: 0.2rem 0 0.2rem 1.2rem; border-left: 3px solid var(--verdict);
  scroll-margin-top: 1rem;
}
.claim p { margin: 0 0 0.3rem; }
.claim .text { font-weight: 600; }
dl { margin: 0.5rem 0 0; }
dl div { display: grid; grid-template-columns: 6.5rem 1fr; gap: 0 1rem; margin: 0.15rem 0; }
.run dl { margin-top: 1.4rem; }
.run dl div { grid-template-columns: 10rem 1fr; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }

nav { margin-block: 1.5rem 0; font-size: 0.95rem; }
nav ul { margin: 0; padding: 0; }
nav li { display: inline; list-style: none; }
nav li + li::before { content: "\\00b7"; margin: 0 0.6em; color: var(--soft); }

figure { margin: 1.8rem 0; }
figcaption { margin: 0 0 0.5rem; }
figcaption .over { display: block; }
.chart figcaption { margin: 0.6rem 0 0; color: var(--soft); font-size: 0.95rem; }
.chart figcaption strong { color: var(--ink); }
.note { margin: 0.5rem 0 0; }
.note + .note { margin-top: 0.1rem; }
.data { font-size: 0.75rem; margin-left: 0.4em; white-space: nowrap; }
.scroll { overflow-x: auto; }
.chart svg:not(.clock) { display: block; width: 100%; min-width: 21rem; height: auto; }
.chart [class*="role-axis"] text, .chart [class*="role-legend"] text,
.chart [class*="header"] text { fill: var(--soft); }
.clock {
  width: 0.85em; height: 0.85em; vertical-align: -0.05em; fill: none; stroke: currentColor;
  stroke-width: 1.6; stroke-linecap: round; flex: none;
}

/* Tables may be wider than the column of text, as far as the window allows. */
.wide {
  width: max-content; min-width: 100%; max-width: min(76rem, 100vw - 2.5rem);
  position: relative; left: 50%; transform: translateX(-50%);
}
.beside { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 2.5rem; }
.beside { margin: 1.8rem 0; }
.beside figure { flex: 1 1 auto; max-width: min(100%, 44rem); margin: 0 0 1rem; }
.beside th, .beside td { padding-inline: 0.5rem; }
/* Titles and notes take the width of their table and do not widen it. */
.wide figcaption, .wide .note { width: 0; min-width: 100%; }
table { border-collapse: collapse; font-size: 0.95rem; line-height: 1.4; width: 100%; }
th, td {
  padding: 0.38rem 0.7rem; text-align: left; vertical-align: baseline; font-weight: normal;
  border-bottom: 1px solid var(--line);
}
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); vertical-align: bottom; border-bottom-color: var(--soft); }
thead th > span { display: inline-block; max-width: 6.5em; }
.together { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums lining-nums; }
tbody .number { white-space: nowrap; }
.words { min-width: 4.5rem; max-width: 26rem; overflow-wrap: anywhere; }
.nothing { color: var(--soft); font-style: italic; }

@media (max-width: 40rem) {
  body { font-size: 1rem; }
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .claims { padding-inline: 1rem; }
  .claims li, dl div, .run dl div { grid-template-columns: 1fr; }
  dl div { margin-bottom: 0.5rem; }
  .wide { min-width: 100%; max-width: 100%; }
  th, td { padding-inline: 0.45rem; }
}
@media print {
  html { font-size: 9.5pt; }
  body { font-size: 1rem; }
  main { padding: 0; }
  header, .summary, section, section.claims { max-width: none; }
  nav, .data { display: none; }
  h2 { margin-top: 1.6rem; break-after: avoid; }
  figure, .claim, .claims li, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  .wide { position: static; transform: none; max-width: 100%; }
  .beside figure { max-width: 100%; }
  a { color: inherit; }
}
"""
