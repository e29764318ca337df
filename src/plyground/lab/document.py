"""A report from a document: a Jinja2 template in Markdown, filled with what an experiment found.

    What comes first is the summary.

    ## A heading

    Text with {{ numbers }}, {{ losses | f(".1%") }}.

    {{ table(by_depth, "Nodes by depth", nodes=",d", seconds=".3f") }}
    {{ beside("times", ours, "Alpha-beta") }}
    {{ chart(lines(by_depth, "depth", "nodes", "player", log=True), "nodes", "Nodes by depth") }}
    {{ claim("prunes") }}

Frames, numbers and estimates come from the experiment's findings, by their names; `parameters`,
`numbers` (those that were printed) and the functions above are always there. Tables and charts
stand in the order of reading. Knows no experiment and no format: see `rendering/`.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined

from plyground.lab import rules, statistics
from plyground.lab.frames import NAMES
from plyground.lab.published_data import Published
from plyground.lab.report import (
    Beside,
    Chart,
    Claim,
    Column,
    Part,
    Report,
    Section,
    Table,
    Text,
    Value,
)
from plyground.lab.statistics import Estimate

if TYPE_CHECKING:
    import polars

MARK = re.compile("\x02(\\d+)\x03")
HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)
CHARTS = ("lines", "bars", "points", "heat_map")
Findings = Mapping[str, Any]


def written(value: Any, spec: str = "") -> str:
    """A number as a text: `0.25 | f(".0%")` is 25%; an exact one has no interval."""
    if isinstance(value, Estimate) and value.low == value.high:
        value = value.value
    if spec and isinstance(value, int | float | Estimate):
        return format(value, spec)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def listed(
    values: Mapping[str, Any], spec: str = "", each: str = "{name} {value}", between: str = "; "
) -> str:
    """Named numbers as a text: written with `.0%`, for example, `depth 1 25%; depth 2 40%`."""
    texts = [each.format(name=name, value=written(one, spec)) for name, one in values.items()]
    return between.join(texts)


@functools.cache
def environment() -> Environment:
    """What templates and expressions know, whatever the study."""
    made = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["f"] = written
    made.filters["listed"] = listed
    for each in (min, max, sum, len, round, sorted, list, zip, statistics.share):
        made.globals[each.__name__] = each
    return made


def make_report(template: str, published: Published, parameters: Any, findings: Findings) -> Report:
    """The report: the template filled with the findings, which it may also judge by claims."""
    return _Writer(published, {**findings, "parameters": parameters}).write(template)


def judge(name: str, published: Published, findings: Findings) -> Claim:
    """What becomes of a claim with these findings."""
    return _Writer(published, findings).judged(name)


class _Writer:
    """A report that is being written."""

    def __init__(self, published: Published, findings: Findings) -> None:
        self._published = published
        self._known = {"numbers": published.numbers, "published": published, **findings}
        self._parts: list[Part] = []
        self._kinds: dict[str, Callable[..., Any]] = {
            "table": self._placing(table_of),
            "beside": self._placing(self._beside),
            "printed": self._placing(published.tables.__getitem__),
            "chart": self._placing(_chart),
            "claim": lambda *names: "".join(map(self._placing(self.judged), names)),
            **{kind: functools.partial(_drawn, kind) for kind in CHARTS},
        }

    def write(self, template: str) -> Report:
        text = environment().from_string(template).render({**self._kinds, **self._known})
        summary, *sections = HEADING.split(text)
        pairs = zip(sections[::2], sections[1::2], strict=True)
        return Report(
            summary.strip(),
            [Section(title.strip(), self._split(body)) for title, body in pairs],
        )

    def _split(self, body: str) -> list[Part]:
        """Texts, and between them the parts that the template asked for."""
        found: list[Part] = []
        for place, piece in enumerate(MARK.split(body)):
            if place % 2:
                found.append(self._parts[int(piece)])
            elif piece.strip():
                found.append(Text(piece.strip()))
        return found

    def _placing(self, make: Callable[..., Part]) -> Callable[..., str]:
        """What a template calls to have a part made and put there."""

        def place(*given: Any, **more: Any) -> str:
            self._parts.append(make(*given, **more))
            return f"\n\n\x02{len(self._parts) - 1}\x03\n\n"

        return place

    def _beside(self, printed: str, /, *ours: Any, **more: Any) -> Beside:
        return Beside(self._published.tables[printed], table_of(*ours, **more))

    # ------------------------------------------------------------------ claims

    def judged(self, name: str) -> Claim:
        data = self._published.claims[name]
        show = functools.partial(written, spec=data.shown)
        ((name, given),) = data.rule.items()
        rule = rules.rule_named(name)
        thresholds = {
            key: self._text(each) if key == "because" else self._value_of(each)
            for key, each in given.items()
        }
        values = {"ours": data.ours or None, "published": data.published}
        known = {key: self._value_of(each) for key, each in values.items() if each is not None}
        taken = inspect.signature(rule).parameters  # what is printed may be only to be shown
        judgement = rule(show, **thresholds, **{key: known[key] for key in known if key in taken})
        return Claim(
            text=self._text(data.claim),
            place=self._published.place_of(data),
            published=self._text(data.printed),
            ours=self._text(data.told) or _in_words(known.get("ours"), show),
            verdict=judgement.verdict,
            reason=judgement.reason,
            is_timed=data.timed,
            rule=rules.in_words(name, thresholds, show, known.get("ours")),
            note=self._text(data.note),
        )

    def _value_of(self, given: Any) -> Any:
        if not isinstance(given, str):
            return given
        expression = environment().compile_expression(given, undefined_to_none=False)
        return expression(**self._known)

    def _text(self, given: str) -> str:
        return environment().from_string(given).render(self._known) if given else ""


def _in_words(value: Any, show: Callable[[Any], str]) -> str:
    """Numbers of a claim, named if they have names."""
    match value:
        case None:
            return ""
        case Mapping():
            return ", ".join(f"{name} {show(each)}" for name, each in value.items())
        case list():
            return ", ".join(map(show, value))
        case (int(count), int(total)):
            return f"{count:,} of {total:,}"
        case _:
            return show(value)


# ---------------------------------------------------------------------- charts and tables


def _chart(
    spec: Mapping[str, Any], name: str, title: str, note: str = "", timed: bool = False
) -> Chart:
    return Chart(name, title, spec, note, timed)


def _drawn(
    kind: str, frame: polars.DataFrame, x: str, y: str, *more: str, **look: Any
) -> Mapping[str, Any]:
    """A chart of a frame; where what goes up is a column of estimates, with error bars."""
    import polars

    from plyground.lab import charts  # Altair waits for the first chart

    if isinstance(frame.schema[y], polars.Struct):
        value, *ends = (polars.col(y).struct[name] for name in NAMES)
        frame = frame.with_columns(value.alias(y), *ends)
        look = {"low": "low", "high": "high", **look}
    draw: Callable[..., Mapping[str, Any]] = getattr(charts, kind)
    return draw(frame, x, y, *more, **look)


def table_of(
    frame: polars.DataFrame,
    title: str,
    note: str = "",
    timed: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
    **formats: str,
) -> Table:
    """A frame as a table: `formats` says how columns are written, `names` what they are called."""
    called = {name: name.replace("_", " ") for name in frame.columns} | dict(names or {})
    columns = [
        _column(called[name], formats.get(name, ""), name in timed) for name in frame.columns
    ]
    rows = [[_value(cell) for cell in row] for row in frame.iter_rows()]
    return Table(title, columns, rows, note)


def _column(name: str, spec: str, is_timed: bool) -> Column:
    digits = re.search(r"\.(\d+)", spec)
    is_timed = is_timed or name == "seconds" or name.endswith(" s")
    return Column(name, int(digits[1]) if digits else None, is_timed, spec.endswith("%"))


def _value(cell: Any) -> Value:
    if isinstance(cell, dict) and tuple(cell) == NAMES:
        return None if cell["value"] is None else Estimate(*cell.values())
    if isinstance(cell, list):
        return " ".join(map(str, cell))
    return cell
