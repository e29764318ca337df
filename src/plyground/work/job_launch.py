"""Start a job as a process of its own, which outlives whoever started it.

It is the very command that one would type, in a session of its own: what ends the starter, be it
Ctrl-C or a kill, does not reach it. What it prints goes to a file beside its record. Knows no run
of any kind, and no face.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from dataclasses import replace

from plyground.core.errors import Unsupported
from plyground.work.job_process import ENVIRONMENT
from plyground.work.jobs import LAUNCHED, LOG, Job, prepare_to_go_on, read_job, write

PROGRAM = [sys.executable, "-m", "plyground"]


def launch(job: Job) -> Job:
    """Start a process for a job that was created. Raises Unsupported."""
    try:
        process = _process(job)
    except OSError as error:  # its folder is gone, or the disk is full
        reason = f"cannot start it in {job.folder}: {error.strerror}"
        with contextlib.suppress(OSError):
            write(replace(job, state="failed", reason=reason))
        raise Unsupported(f"job {job.id}: {reason}") from None
    # So that nothing is left of it when it ends, however long the starter lives.
    threading.Thread(target=process.wait, name=f"job {job.id}", daemon=True).start()
    with contextlib.suppress(OSError):
        (job.place / LAUNCHED).write_text(str(process.pid), encoding="utf-8")
    return read_job(job.id) or job


def _process(job: Job) -> subprocess.Popen[bytes]:
    with open(job.place / LOG, "ab") as log:
        return subprocess.Popen(
            [*PROGRAM, *job.words],
            cwd=job.folder,
            env={**os.environ, ENVIRONMENT: job.id, "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def resume(job: Job) -> Job:
    """Let a job go on that was stopped, killed or failed. Raises Unsupported."""
    return launch(prepare_to_go_on(job))
