"""The command line with a catalogue of nothing but the toy experiment."""

from __future__ import annotations

from pathlib import Path

from plyground.cli.app import main
from plyground.lab import catalogue

if __name__ == "__main__":
    catalogue.__path__[:] = [str(Path(__file__).parent / "lab" / "catalogue")]
    main()
