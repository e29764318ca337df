"""Run the tests that failed once more, alone: what a busy machine made fail passes now.

`make test` calls this after a run with failures. It names the tests that passed only now, so that
somebody mends them, and fails if any fails again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
PYTEST = [sys.executable, "-m", "pytest", "-n", "0", "--last-failed"]
MOST = 20  # more than that is no accident


def main() -> int:
    """The exit status of the second run."""
    try:
        failed = sorted(json.loads(FAILED.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        print("no list of failed tests: nothing to run again")
        return 1
    if len(failed) > MOST:
        print(f"{len(failed)} tests failed: too many to run again")
        return 1
    print(f"\n{len(failed)} failed; once more, alone:", *failed, sep="\n  ", flush=True)
    status = subprocess.run([*PYTEST, "--last-failed-no-failures", "none"]).returncode
    if status == 0:
        print("\nPassed only when run alone, and to be mended:", *failed, sep="\n  ", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
