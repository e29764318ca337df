"""The shapes and words of an SVG, coloured and measured by the names of `look.json`.

All text is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from plyground.drawing.look import LOOK
from plyground.drawing.places import Box

Value = str | float
NOT_IN_XML = dict.fromkeys(
    (*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\ufffd"
)


def tag(name: str, content: str = "", /, **attributes: Value) -> str:
    """An element; content is taken as it is, colours by their names."""
    written = "".join(_attribute(key.replace("_", "-"), value) for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _attribute(key: str, value: Value) -> str:
    if not isinstance(value, str):
        return f' {key}="{round(value, 2):g}"'
    colour = LOOK.colours.get(value, "")
    if len(colour) == len("#rrggbbaa"):
        opacity = f"{key.removesuffix('-color')}-opacity"
        return f' {key}="{colour[:7]}" {opacity}="{int(colour[7:], 16) / 255:.3f}"'
    return f' {key}="{plain(colour or value)}"'


def plain(text: str) -> str:
    """A text as it may stand anywhere."""
    return escape(text.translate(NOT_IN_XML))


def words(at: tuple[float, float], text: str, size: float, fill: str, **more: Value) -> str:
    """A text by its middle, which is where browsers put it beside other things."""
    x, y = at
    return tag("text", plain(text), x=x, y=y, dy=".35em", font_size=size, fill=fill, **more)


def bold(at: tuple[float, float], text: str, size: float, fill: str, **more: Value) -> str:
    return words(at, text, size, fill, font_weight=600, **more)


def area(box: Box, fill: str, corner: float = 0, **more: Value) -> str:
    """A rectangle."""
    x, y, width, height = box
    return tag("rect", x=x, y=y, width=width, height=height, rx=corner, fill=fill, **more)


def areas(boxes: Iterable[Box], fill: str) -> str:
    """Many rectangles as one element, which takes less than half the text."""
    path = (f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z" for x, y, width, height in boxes)
    return tag("path", d="".join(path), fill=fill)


def disc(box: Box, fill: str, **more: Value) -> str:
    """The circle in a square."""
    x, y = box.middle
    return tag("circle", cx=x, cy=y, r=box.width / 2, fill=fill, **more)


def ring(box: Box, line: str, colour: str, fill: str = "none", **more: Value) -> str:
    """A line along the inner side of a circle."""
    wide = LOOK.pixels[line]
    return disc(box.inset(wide / 2), fill, stroke=colour, stroke_width=wide, **more)


def frame(box: Box, line: str, colour: str, corner: float = 0, **more: Value) -> str:
    """A line along the inner side of a rectangle."""
    wide = LOOK.pixels[line]
    rest = max(corner - wide / 2, 0)
    return area(box.inset(wide / 2), "none", rest, stroke=colour, stroke_width=wide, **more)


def shading(name: str) -> str:
    """The filter that makes circles discs: a darker lower edge, and a shadow under them."""
    pixels, merged = LOOK.pixels, ("shadow", "SourceGraphic", "edge")
    steps = (
        tag("feFlood", flood_color="edge-shade"),
        tag("feComposite", in2="SourceAlpha", operator="out"),
        tag("feOffset", dy=-pixels["edge-rise"]),
        tag("feGaussianBlur", stdDeviation=pixels["edge-blur"] / 2),
        tag("feComposite", in2="SourceAlpha", operator="in", result="edge"),
        tag("feOffset", **{"in": "SourceAlpha"}, dy=pixels["shadow-fall"]),
        tag("feGaussianBlur", stdDeviation=pixels["shadow-blur"] / 2, result="blurred"),
        tag("feFlood", flood_color="drop-shade"),
        tag("feComposite", in2="blurred", operator="in", result="shadow"),
        tag("feMerge", "".join(tag("feMergeNode", **{"in": each}) for each in merged)),
    )
    around = {"x": -0.3, "y": -0.3, "width": 1.6, "height": 1.6}
    return tag("filter", "".join(steps), id=name, color_interpolation_filters="sRGB", **around)


def hatching(name: str) -> str:
    """Stripes from the upper left to the lower right."""
    step, gap = LOOK.pixels["hatch-step"], LOOK.pixels["hatch-gap"]
    stripe = tag("path", d=f"M{gap:g} 0H{step:g}V{step:g}H{gap:g}z", fill="hatch-line")
    turned = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(-45)"}
    return tag("pattern", stripe, id=name, width=step, height=step, **turned)


def halving(name: str) -> str:
    """The upper left half in the first player's colour, nothing in the other."""
    stops = (
        tag("stop", offset=0.5, stop_color="tint-first", stop_opacity=share) for share in (1, 0)
    )
    return tag("linearGradient", "".join(stops), id=name, x1=0, y1=0, x2=1, y2=1)
