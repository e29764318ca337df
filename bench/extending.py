"""What a file of one's own costs: its code against the same in the package, and a command's start.

A user's evaluator and algorithm are compiled as ours are, so the ratio of their times should be 1;
asked for is at most 1.03. A command that has a user's file should start at most 60 ms later.

    python bench/extending.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import plyground as pg
from plyground.search import falphabeta

DEPTH, ROUNDS, STARTS = 14, 9, 15

EVALUATOR = """
import plyground as pg
from plyground.bits import popcount


@pg.evaluator("othello", "stones")
def stones(state, weight=1):
    return weight * (popcount(state.me) - popcount(state.opp))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "own.py")
        source = Path(falphabeta.__file__).read_text(encoding="utf-8")
        own = source.replace("@kernel\ndef falphabeta", '@pg.algorithm("copied")\ndef falphabeta')
        own = own.replace("from __future__ import annotations", "", 1)
        path.write_text(f"{EVALUATOR}\n{own}", encoding="utf-8")
        pg.use(path)
        compare("algorithm", ("copied", "discs"), ("falphabeta", "discs"))
        compare("evaluator", ("falphabeta", "stones"), ("falphabeta", "discs"))
        compare_starts(path)


def compare(what: str, yours: tuple[str, str], ours: tuple[str, str]) -> None:
    """Alternating, so that what else the machine does falls on both."""
    times: dict[tuple[str, str], list[float]] = {yours: [], ours: []}
    for number in range(ROUNDS + 1):
        for each in (yours, ours):
            algorithm, evaluator = each
            found = pg.Position("othello").search(algorithm, depth=DEPTH, evaluator=evaluator)
            if number:  # the first compiles
                times[each].append(found.found.inside_s)
    best, known = min(times[yours]), min(times[ours])
    print(f"{what}: yours {best:.3f} s, ours {known:.3f} s, ratio {best / known:.3f}")


def compare_starts(path: Path) -> None:
    """`search` with and without the file, warm."""
    command = [sys.executable, "-m", "plyground", "search", "othello", "-d", "1"]
    taken: dict[bool, list[float]] = {False: [], True: []}
    for number in range(STARTS + 1):
        for has_file in (False, True):
            began = time.perf_counter()
            more = ["--with", str(path)] if has_file else []
            subprocess.run([*command, *more], check=True, stdout=subprocess.DEVNULL)
            if number:
                taken[has_file].append(time.perf_counter() - began)
    without, with_file = (statistics.median(taken[each]) for each in (False, True))
    print(
        f"start: {1000 * without:.0f} ms without, {1000 * with_file:.0f} ms with a file, "
        f"{1000 * (with_file - without):+.0f} ms"
    )


if __name__ == "__main__":
    main()
