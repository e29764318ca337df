"""A report becomes files: a page, Markdown, a CSV file for each table, pictures of each chart.

    folder/NAME.html           all in one file, needs nothing beside it
    folder/NAME.md             refers to the pictures in
    folder/NAME/*.svg, *.png   each chart; *.csv its data
    folder/NAME/*.csv          each table, with all digits; *.parquet the same
    folder/NAME/measurements.* all that was measured, as CSV and as Parquet

Equal reports become equal files. Each file is written beside and renamed, the pages last: whoever
stops this finds old files or new ones, none that are half written, and no page whose pictures are
missing. Knows no experiment; what the page looks like is in `html.py`, what the Markdown
looks like in `markdown.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.core.files import write_whole
from plyground.lab.frames import Measurements
from plyground.lab.rendering.charts import Picture, draw
from plyground.lab.rendering.html import page
from plyground.lab.rendering.markdown import document
from plyground.lab.rendering.names import (
    MEASUREMENTS,
    PlacedSection,
    named_charts,
    named_tables,
    place,
    short_name,
)
from plyground.lab.rendering.numbers import frame_csv, frame_parquet, table_csv, table_parquet
from plyground.lab.rendering.words import command
from plyground.lab.report import Report
from plyground.lab.run_info import RunInfo
from plyground.lab.spec import Experiment


@dataclass(frozen=True)
class Rendered:
    """A report in all its forms."""

    html: str
    markdown: str
    files: Mapping[str, bytes]
    """Those of tables and charts, by their names."""


@dataclass(frozen=True)
class Written:
    """The files of a report."""

    html: Path
    markdown: Path
    files: Sequence[Path]
    """Those of tables and charts."""


def render(
    experiment: Experiment[Any],
    report: Report,
    info: RunInfo,
    asked_as: str | None = None,
    measured: Measurements | None = None,
) -> Rendered:
    """The report as a page, as Markdown and as files, with all measurements if they are given.

    `asked_as` is what one types for the experiment, if that is not its name but a file.
    """
    sections = place(report)
    pictures = {name: draw(chart, name) for name, chart in named_charts(sections)}
    files = dict(_files(sections, pictures, measured))
    known: dict[str, Any] = {
        "experiment": experiment,
        "report": report,
        "sections": sections,
        "info": info,
        "repeat": command(experiment, info, asked_as or experiment.name),
        "files": files,
    }
    folder = short_name(experiment.name)
    return Rendered(page(pictures=pictures, **known), document(folder=folder, **known), files)


def write_report(
    experiment: Experiment[Any],
    report: Report,
    info: RunInfo,
    folder: Path,
    asked_as: str | None = None,
    measured: Measurements | None = None,
) -> Written:
    """Write all files, over those of an earlier report. Raises OSError."""
    name = short_name(experiment.name)
    rendered = render(experiment, report, info, asked_as, measured)
    (folder / name).mkdir(parents=True, exist_ok=True)
    files = [folder / name / file for file in rendered.files]
    for file, content in zip(files, rendered.files.values(), strict=True):
        write_whole(file, content)
    written = Written(folder / f"{name}.html", folder / f"{name}.md", files)
    write_whole(written.markdown, rendered.markdown.encode())
    write_whole(written.html, rendered.html.encode())
    return written


def _files(
    sections: Sequence[PlacedSection],
    pictures: Mapping[str, Picture],
    measured: Measurements | None,
) -> Iterator[tuple[str, bytes]]:
    for name, table in named_tables(sections):
        yield f"{name}.csv", table_csv(table).encode()
        yield f"{name}.parquet", table_parquet(table)
    for name, picture in pictures.items():
        if picture.csv:
            yield f"{name}.csv", picture.csv.encode()
        yield f"{name}.svg", picture.svg.encode()
        yield f"{name}.png", picture.png
    if measured is not None:
        frame = measured.frame()
        yield f"{MEASUREMENTS}.csv", frame_csv(frame)
        yield f"{MEASUREMENTS}.parquet", frame_parquet(frame)
