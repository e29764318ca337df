"""Jobs: long runs begun in a page or on the command line, watched, stopped and resumed.

A page asks again every second while it is seen, so a lost connection needs no care: the next answer
is whole.
"""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Path
from pydantic import ConfigDict

from plyground.core.json_text import presentable
from plyground.matches.contests import contest_id, journal_of
from plyground.web.answers import REFUSALS
from plyground.web.course_standing import folder_of
from plyground.web.parts import TheJobs
from plyground.web.wire import Wire
from plyground.work.jobs import Job, Mode, ask, find_job, jobs

router = APIRouter(prefix="/api/jobs", tags=["jobs"], responses=REFUSALS)
Number = Annotated[str, Path(pattern="^[0-9]{1,9}$", description="The number of a job.")]


class StopIn(Wire):
    """How a job is to stop."""

    mode: Mode = "finish"


@dataclass(frozen=True, kw_only=True)
class JobInfo(Job):
    """A long run: what it is, and how far."""

    __pydantic_config__: ClassVar = ConfigDict(json_schema_serialization_defaults_required=True)

    command: str
    """What one types to start it, or to resume it."""
    can_go_on: bool = False
    address: str | None
    """The page on which it is seen."""


@router.get("", summary="All jobs", response_model=list[JobInfo])
def list_jobs() -> list[dict[str, Any]]:
    """Jobs, begun here or on the command line, the newest first; the last two hundred are kept."""
    return [job_as_data(job) for job in jobs()]


@router.get("/{number}", summary="One job", response_model=JobInfo)
def one_job(number: Number) -> dict[str, Any]:
    """How a job stands now."""
    return job_as_data(find_job(number))


@router.post("/{number}/stop", summary="Stop a job", response_model=JobInfo)
def stop_job(number: Number, wanted: StopIn) -> dict[str, Any]:
    """Let a job finish what is under way and end, or pause; or end at once. Nothing is lost."""
    return job_as_data(ask(find_job(number), wanted.mode))


@router.post("/{number}/resume", summary="Resume a job", response_model=JobInfo)
def resume_job(number: Number, room: TheJobs) -> dict[str, Any]:
    """Resume a job that was stopped, killed or failed."""
    return job_as_data(room.resume(number))


def job_as_data(job: Job) -> dict[str, Any]:
    """A job as pages see it, as JSON types."""
    data: dict[str, Any] = presentable(asdict(job))
    return {
        **data,
        "command": shlex.join(["plyground", *data["words"]]),
        "can_go_on": job.can_go_on,
        "address": _address(job),
    }


def _address(job: Job) -> str | None:
    if job.kind == "lab" and "experiment" in job.about:
        return f"/lab/{quote(str(job.about['experiment']), errors='replace')}"
    if job.kind == "learn":
        folder = folder_of(job)
        return f"/train/{quote(folder.name, errors='replace')}" if folder else None
    journal = journal_of(job)
    return f"/tournaments/{contest_id(journal)}" if journal else None
