"""Long runs that every face sees: what each is about, how far it is, and how to stop it.

A job is a process and a folder, whose name is the job's number:

    job.json   what it is, and how far; written whole, then renamed; once it has a process, by
               nobody else
    launched   the process that was started for it, if that has not got so far yet
    lock       held by the process: a job that says it runs and whose lock is free was killed
    stop       what somebody wants of it: pause, finish or now
    log        what it printed, if a face launched it in the background

What a run has measured or played is in the store or in a journal, never here, so nothing is lost
with a folder; the words that started a job resume it. The process of a job is in `job_process.py`.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter, ValidationError

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.core.files import write_whole
from plyground.core.json_text import presentable_text, read_object
from plyground.core.locking import is_locked
from plyground.core.places import data_folder
from plyground.core.seal import is_sealed, seal

Kind = Literal["lab", "tournament", "match", "learn", "unknown"]
"""The last of one whose record is damaged."""
State = Literal["running", "done", "paused", "stopped", "interrupted", "failed", "damaged"]
Mode = Literal["pause", "finish", "now"]
"""Finish what is under way, to be resumed; finish it and end; end at once."""

MOST_KEPT = 200
START_S = 30.0  # within which a process exists that was to be started
MOST_LOG = 4096  # bytes of its end in which the last line is looked for
MOST_LINE = 300
MOST_RECORD = 2**20  # bytes; a record that was cut there is damaged
RECORD, LOCK, STOP, LOG, LAUNCHED = "job.json", "lock", "stop", "log", "launched"


@dataclass(frozen=True)
class Job:
    """How a job stands."""

    id: str
    kind: Kind
    title: str
    words: Sequence[str]
    """What follows `plyground` to start or to resume it."""
    folder: str
    """Where these words are meant."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """By kind: the experiment and its run, the file of a tournament, the terms of a match."""
    state: State = "running"
    reason: str = ""
    """Why it failed, in one line."""
    started: str = ""
    resumed: str = ""
    """When the stretch began that runs now, or ran last."""
    updated: str = ""
    pid: int | None = None
    is_taken: bool = False
    """Whether a process has said that it is this job."""
    done: int = 0
    first: int = 0
    """What was done when this stretch began."""
    total: int | None = None
    unit: str = ""
    rate: float = 0.0
    """Of this stretch, in units per second."""
    news: str = ""
    asked: Mode | None = None
    """What somebody wants of it, as long as it runs."""
    seal: str = ""
    """Under words and folder, of the program that wrote them: see `core/seal.py`."""

    @property
    def can_go_on(self) -> bool:
        return self.state not in ("running", "done", "damaged")

    @property
    def place(self) -> Path:
        return jobs_folder() / self.id


def jobs_folder() -> Path:
    return data_folder() / "jobs"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


# ---------------------------------------------------------------------- reading


def jobs() -> list[Job]:
    """All that are known, the newest first."""
    found = (read_job(number) for number in reversed(_numbers()))
    return [job for job in found if job is not None]


def find_job(text: str) -> Job:
    """The job of this number. Raises Unsupported, naming the nearest."""
    job = read_job(text) if text.isascii() and text.isdigit() else None
    if job is None:
        if not (known := _numbers()):
            raise Unsupported(f"unknown job {text[:20]!r}; there are no jobs")
        raise unknown("job", text, known)
    return job


def read_job(number: str) -> Job | None:
    """How a job stands now; None if there is none."""
    place = jobs_folder() / number
    job = _recorded(place)
    if job is not None and job.state == "running" and not is_locked(place / LOCK):
        job = _recorded(place) or job  # it may have ended meanwhile
        if job.state == "running":
            return _without_a_process(job)
    if job is None or job.state != "running":
        return job
    return replace(job, asked=requested(place))


def _without_a_process(job: Job) -> Job:
    """What became of a job that says it runs, although nobody holds its lock."""
    if not job.is_taken:
        try:
            is_starting = _is_alive(int((job.place / LAUNCHED).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            is_starting = _age_s(job.updated) < START_S
        if is_starting:
            return job
        return replace(job, state="failed", reason=_last_line(job.place) or "it did not start")
    match requested(job.place):
        case None:
            return replace(job, state="interrupted")
        case "pause":
            return replace(job, state="paused")
        case _:
            return replace(job, state="stopped")


def _recorded(place: Path) -> Job | None:
    try:
        with open(place / RECORD, "rb") as file:
            content = file.read(MOST_RECORD)
    except OSError:
        return None  # not there yet, or not there any more
    number = place.name
    try:
        return read_record(content, number)
    except InputError as error:
        reason = f"{number}/{RECORD}: {error}"
        return Job(number, "unknown", f"job {number}", [], "", state="damaged", reason=reason)


def read_record(content: bytes, number: str) -> Job:
    """The job in a record, checked. Raises MalformedText."""
    data = read_object(content, file_names=True)
    known = {each.name for each in fields(Job)}
    data = {name: value for name, value in data.items() if name in known} | {"id": number}
    try:
        _shape().validate_json(presentable_text(data), strict=True)
    except ValidationError as error:
        wrong = ".".join(map(str, error.errors()[0]["loc"]))
        raise MalformedText(f"not the record of a job: see {shorten(wrong)}") from None
    return Job(**data)


@functools.cache
def _shape() -> TypeAdapter[Job]:
    return TypeAdapter(Job)


def requested(place: Path) -> Mode | None:
    """What somebody wants of a job."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        text = (place / STOP).read_text(encoding="utf-8").strip()
        return next((mode for mode in get_args(Mode) if mode == text), None)
    return None


def _last_line(place: Path) -> str:
    """The last line that a process printed."""
    try:
        with open(place / LOG, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MOST_LOG))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return said.removeprefix("error: ")[:MOST_LINE]


def _age_s(moment: str) -> float:
    try:
        return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):
        return float("inf")


def _is_alive(pid: int) -> bool:
    if os.name == "nt":  # where os.kill ends a process, whatever the signal
        return True
    try:
        os.kill(pid, 0)
    except OSError as error:  # or it is somebody else's
        return not isinstance(error, ProcessLookupError)
    return True


def _numbers() -> list[str]:
    try:
        names = [name for name in os.listdir(jobs_folder()) if name.isascii() and name.isdigit()]
    except OSError:
        return []
    return sorted(names, key=int)


# ---------------------------------------------------------------------- writing


def create(
    kind: Kind,
    title: str,
    words: Sequence[str],
    about: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    total: int | None = None,
    unit: str = "",
) -> Job:
    """A new job, which no process has taken yet. Raises OSError."""
    base = jobs_folder()
    base.mkdir(parents=True, exist_ok=True)
    number = int((_numbers() or ["0"])[-1]) + 1
    while True:
        try:
            (base / str(number)).mkdir()
            break
        except FileExistsError:  # somebody else was quicker
            number += 1
    moment = now()
    job = Job(
        id=str(number),
        kind=kind,
        title=title,
        words=list(words),
        folder=str(folder or Path.cwd()),
        about=dict(about or {}),
        started=moment,
        resumed=moment,
        total=total,
        unit=unit,
    )
    write(job)
    _forget_old()
    return job


def write(job: Job) -> None:
    """Store how a job stands. Raises OSError."""
    data = asdict(replace(job, updated=now(), seal=seal([*job.words, job.folder])))
    del data["asked"]
    write_whole(job.place / RECORD, json.dumps(data).encode(), durable=False)


def ask(job: Job, mode: Mode) -> Job:
    """Want a running job to stop. Raises Unsupported if it does not run."""
    if job.state != "running":
        raise Unsupported(f"job {job.id} does not run; it is {job.state}")
    if job.asked != "now":
        put_request(job.place, mode)
    return read_job(job.id) or job


def put_request(place: Path, mode: Mode) -> None:
    """Say what is wanted of a job. Raises OSError."""
    write_whole(place / STOP, mode.encode(), durable=False)


def prepare_to_resume(job: Job) -> Job:
    """Make a job ready for a new process. Raises Unsupported if it runs, or is done."""
    if not job.can_go_on:
        why = {"running": "runs already", "done": "is done"}.get(job.state, "is damaged")
        raise Unsupported(f"job {job.id} {why}")
    if not is_sealed([*job.words, job.folder], job.seal):  # who knows whose words these are
        command = shlex.join(["plyground", *job.words])
        raise Unsupported(
            f"job {job.id} was not started by you on this machine, or by an older version; "
            f"type its command yourself, in {shorten(job.folder, 100)}: {shorten(command, 400)}"
        )
    for name in (STOP, LAUNCHED):
        (job.place / name).unlink(missing_ok=True)
    ready = replace(job, state="running", reason="", pid=None, is_taken=False, asked=None)
    ready = replace(ready, resumed=now(), first=job.done, rate=0.0, news="")
    write(ready)
    return ready


def _forget_old() -> None:
    for number in _numbers()[:-MOST_KEPT]:
        job = read_job(number)
        if job is None or job.state != "running":
            shutil.rmtree(jobs_folder() / number, ignore_errors=True)
