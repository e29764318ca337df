"""Jobs that this server started: so many at a time, and asked to pause when the server ends.

A job is a process of its own and does not need the server: if that is killed, its jobs go on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plyground.core.errors import Unsupported
from plyground.core.naming import is_path
from plyground.extensions import extensions
from plyground.work.job_process import launch, resume
from plyground.work.jobs import Job, Kind, ask, create, find_job, read_job

MOST_AT_ONCE = 4


class JobRoom:
    """Starts jobs, and knows which it started."""

    def __init__(self, store: str | None) -> None:
        self._store = store
        self._own: set[str] = set()
        self._guard = threading.RLock()

    @property
    def store_words(self) -> list[str]:
        """The options with which a command uses the store of this server."""
        if self._store is None:
            return []
        return ["--store", self._store if "://" in self._store else os.path.abspath(self._store)]

    def demand_processors(self, wanted: int, field: str) -> None:
        """Raise Unsupported if a job is to have more processes than there are processors."""
        if wanted > (most := os.cpu_count() or 1):
            raise Unsupported(f"this machine has {most} processors").at(field)

    def start(
        self,
        kind: Kind,
        title: str,
        words: Sequence[str],
        about: Mapping[str, Any],
        folder: Path,
        total: int | None,
        unit: str,
    ) -> Job:
        """Start a command as a job. Raises Unsupported if too many run."""
        with self._guard:
            self.demand_room()
            folder.mkdir(parents=True, exist_ok=True)
            words = [*words, *self._files_beside(words)]
            job = launch(create(kind, title, words, about, folder, total, unit))
            self._own.add(job.id)
            return job

    def _files_beside(self, words: Sequence[str]) -> list[str]:
        """The options with which a command has what users added to this server."""
        places = [each.place for each in extensions() if is_path(each.place)]
        return [word for place in places if place not in words for word in ("--with", place)]

    def resume(self, number: str) -> Job:
        """Resume a job. Raises Unsupported."""
        with self._guard:
            job = find_job(number)
            if job.can_go_on:
                self.demand_room()
            job = resume(job)
            self._own.add(job.id)
            return job

    def demand_room(self) -> None:
        """Raise Unsupported if too many jobs run."""
        with self._guard:
            running = self._running()
        if len(running) >= MOST_AT_ONCE:
            titles = ", ".join(job.title for job in running)
            raise Unsupported(
                f"{MOST_AT_ONCE} jobs run already ({titles}); wait for one, or stop one"
            )

    def _running(self) -> list[Job]:
        found = [job for job in map(read_job, self._own) if job and job.state == "running"]
        self._own = {job.id for job in found}
        return found

    def leave(self) -> list[Job]:
        """Ask the jobs that were started here to pause; those that had not been asked before."""
        with self._guard:
            return [ask(job, "pause") for job in self._running() if job.asked is None]
