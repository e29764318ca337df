"""The command line with a catalogue of nothing but the toy experiment."""

from __future__ import annotations

import sys
from pathlib import Path

from plyground.cli.app import main
from plyground.lab import catalogue
from plyground.work import job_process

if __name__ == "__main__":
    job_process.PROGRAM[:] = [sys.executable, __file__]
    catalogue.__path__[:] = [str(Path(__file__).parent / "lab" / "catalogue")]
    main()
