"""A study is a folder of three files.

`study.py` measures and derives, `published.json` holds what was printed with all claims, and
`report.md.j2` is the report in the order of reading.

    EXPERIMENT = study(__file__, name=..., title=..., question=..., parameters=..., quick=...,
                       cells=..., findings=...)

In one file it is an `Experiment` with a template, or with none: then every frame is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground.lab.document import make_report
from plyground.lab.frames import Measurements
from plyground.lab.published_data import Published, published_in
from plyground.lab.report import Report
from plyground.lab.spec import Experiment, Parameters

EVERY_FRAME = """\
{{ summary | default("") }}

## What was measured
{% for name, frame in frames %}
{{ table(frame, name) }}
{% endfor %}
"""


def printed(file: str) -> Published:
    """What the study printed whose `study.py` this is."""
    return published_in(Path(file).with_name("published.json"))


def study(file: str, **fields: Any) -> Experiment[Any]:
    """The experiment of a folder; `file` is that of its `study.py`."""
    published = printed(file)
    template = Path(file).with_name("report.md.j2").read_text(encoding="utf-8")
    return Experiment(**fields, source=published.citation, published=published, template=template)


def report(experiment: Experiment[Any], parameters: Parameters, measured: Measurements) -> Report:
    """The report of what was measured."""
    found = findings_of(experiment, parameters, measured)
    published = experiment.published or Published(experiment.source)
    if experiment.template:
        return make_report(experiment.template, published, parameters, found)
    frames = [(name, each) for name, each in found.items() if hasattr(each, "columns")]
    return make_report(EVERY_FRAME, published, parameters, {**found, "frames": frames})


def findings_of(
    experiment: Experiment[Any], parameters: Parameters, measured: Measurements
) -> Mapping[str, Any]:
    """What the experiment makes of its measurements."""
    if experiment.findings is None:
        return {"Measurements": measured.frame()}
    return experiment.findings(parameters, measured)
