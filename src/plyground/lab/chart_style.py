"""How charts look: a configuration of Vega-Lite, which becomes a theme of Altair.

Colours, ink and grid are readable on white and on black; the background is transparent.
"""

from __future__ import annotations

from typing import Any

# Each has a contrast of 3 or more against white and against #14171a. The first five stay apart by
# 0.10 in Oklab, all eight by 0.07, to normal eyes and to all three kinds of colour blindness.
PALETTE = ["#2b72b8", "#c98320", "#a84450", "#2fa38a", "#a97cf0", "#805789", "#c15e50", "#7d778a"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross"]
SHAPES += ["triangle-down", "triangle-right", "triangle-left"]
INK, RULE = "#75797f", "#808080"
WIDTH, HEIGHT = 500, 290
FONT_SIZE = 14

TEXT = {
    "labelColor": INK,
    "labelFontSize": FONT_SIZE,
    "titleColor": INK,
    "titleFontSize": FONT_SIZE,
    "titleFontWeight": "normal",
}
STYLE: Any = {
    "aria": False,  # a page says in words what is drawn, and gives the numbers
    "background": None,
    # Liberation Sans is what the renderer carries; the others have letters of the same widths.
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "range": {"category": PALETTE, "symbol": SHAPES},
    "view": {
        "stroke": None,
        "continuousWidth": WIDTH,
        "continuousHeight": HEIGHT,
        "discreteWidth": WIDTH,
    },
    "mark": {"color": INK, "tooltip": {"content": "data"}},
    "line": {"strokeWidth": 2},
    "point": {"filled": True, "size": 55, "opacity": 1},
    "rule": {"strokeWidth": 1.6},
    "text": {"fontSize": 12},
    "axis": {
        **TEXT,
        "labelPadding": 6,
        "titlePadding": 10,
        "domainColor": RULE,
        "tickColor": RULE,
        "gridColor": RULE,
        "gridOpacity": 0.25,
    },
    "axisX": {"grid": False},
    "axisYDiscrete": {"grid": False},
    "axisYQuantitative": {"domain": False, "ticks": False},
    "axisY": {  # with its title above: nobody turns the head to read
        "titleAngle": 0,
        "titleAnchor": "end",
        "titleAlign": "left",
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -10,
    },
    "legend": {
        **TEXT,
        "labelLimit": WIDTH - 40,
        "titleLimit": 0,
        "symbolSize": 90,
        "symbolStrokeWidth": 2,
        "rowPadding": 4,
        "columnPadding": 24,
        "orient": "top",
        "offset": 32,  # room for the title of the axis below
        "layout": {"top": {"direction": "vertical", "anchor": "start", "margin": 6}},
    },
    "header": {"labelColor": INK, "labelFontSize": FONT_SIZE, "labelFontWeight": "bold"},
}
