"""Whatever step of writing a process dies at, the same work goes on to the same result.

Each work is done once undisturbed, then once for every step that makes it last: killed right after
it, or in the middle of a write, or with a full disk. Begun again it ends as if nothing had been:
the same games under the same names, each once, with the same scores and positions.

A process that ends before a step leaves what one leaves that ends after the step before; so only
writes are torn, and of many moves one after the other only the first are killed, unless the deep
tests run.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from fault_tools import KILLED, WORKS, Attempt, Workshop, steps_in
from postgres_server import postgres_server
from sqlalchemy import create_engine, make_url, text

Numbers = Callable[[Sequence[str]], list[int]]
AT_LEAST = {  # steps
    "match": 25,
    "match kept here": 12,
    "tournament": 25,
    "lab": 10,
    "web": 7,
    "import": 4,
    "book": 18,
    "proof": 10,
    "learn": 20,
}


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    opened = Workshop()
    yield opened
    opened.close()


def undisturbed(workshop: Workshop, work: str, folder: Path) -> tuple[Attempt, list[str]]:
    """What comes of work, and its steps."""
    if work not in workshop.known:
        done = workshop.attempt(work, folder)
        assert done.status == 0, done
        workshop.known[work] = done, steps_in(folder)
    return workshop.known[work]


def is_same(work: str, one: Attempt, other: Attempt) -> bool:
    if one.status or other.status:
        return False
    read = WORKS[work].read
    return one.found == other.found and read(one.out) == read(other.out)


def try_all(workshop: Workshop, work: str, folder: Path, kind: str, numbers: Numbers) -> int:
    """Let steps go wrong, one at a time; how many that were."""
    whole, steps = undisturbed(workshop, work, folder / "whole")
    failures: list[tuple[str, Attempt]] = []
    for number in numbers(steps):
        place = folder / f"{kind}-{number}"
        broken = workshop.attempt(work, place, f"{kind}@{number}")
        again = workshop.attempt(work, place)
        if broken.status != KILLED or not is_same(work, again, whole):
            failures.append((f"{kind}@{number} of {steps}", again))
    assert failures == []
    return len(numbers(steps))


def all_of(steps: Sequence[str]) -> list[int]:
    return list(range(1, len(steps) + 1))


def all_different(steps: Sequence[str]) -> list[int]:
    """All but the third, fourth... of those that are alike and follow each other, as moves do."""
    return [n for n in all_of(steps) if n < 3 or len(set(steps[n - 3 : n])) > 1]


def all_writes(steps: Sequence[str]) -> list[int]:
    return [n for n in all_of(steps) if steps[n - 1].startswith("write ")]


@pytest.mark.parametrize("work", ["match", "match kept here"])
def test_a_pair_is_stored_then_written_down_and_then_on_the_disk(workshop, tmp_path, work):
    _, steps = undisturbed(workshop, work, tmp_path / "whole")
    lines = [number for number, name in enumerate(steps) if name == "write games.jsonl"]
    assert len(lines) == 2
    assert {steps[number - 1] for number in lines} == {"commit"}
    assert {steps[number + 1] for number in lines} == {"flush games.jsonl"}


@pytest.mark.parametrize("work", AT_LEAST)
def test_killed_after_any_step_work_goes_on_to_the_same_result(workshop, tmp_path, work):
    numbers = all_different if work in ("match", "tournament") else all_of
    assert try_all(workshop, work, tmp_path, "kill", numbers) >= AT_LEAST[work]


@pytest.mark.parametrize("work", ["match", "tournament", "lab", "book", "proof"])
def test_killed_within_any_write_work_goes_on_to_the_same_result(workshop, tmp_path, work):
    assert try_all(workshop, work, tmp_path, "torn", all_writes) >= 3


@pytest.mark.full
@pytest.mark.parametrize("kind", ["kill", "torn"])
@pytest.mark.parametrize("work", AT_LEAST)
def test_killed_after_before_or_within_any_step_work_goes_on(workshop, tmp_path, work, kind):
    assert try_all(workshop, work, tmp_path, kind, all_of) >= AT_LEAST[work]


@pytest.mark.full
def test_killed_with_two_workers_a_match_goes_on(workshop, tmp_path):
    """Also if it is a worker that dies: another plays its pair."""
    whole, steps = undisturbed(workshop, "match by two", tmp_path / "whole")
    for number in range(1, len(steps) + 1):
        workshop.attempt("match by two", tmp_path / f"{number}", f"kill@{number}")
        again = workshop.attempt("match by two", tmp_path / f"{number}")
        assert is_same("match by two", again, whole), number


@pytest.mark.full
def test_killed_after_any_step_a_match_stored_on_a_server_goes_on(workshop, tmp_path):
    whole, _ = undisturbed(workshop, "match", tmp_path / "whole")
    with postgres_server() as url:
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        for number in itertools.count(1):
            folder = tmp_path / f"{number}"
            folder.mkdir()
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE faults{number}"))
            address = make_url(url).set(database=f"faults{number}")
            (folder / "address").write_text(address.render_as_string(hide_password=False))
            broken = workshop.attempt("match", folder, f"kill@{number}")
            assert is_same("match", workshop.attempt("match", folder), whole), number
            if broken.status != KILLED:
                break
        engine.dispose()
    assert number > AT_LEAST["match"]


def some(steps: Sequence[str]) -> list[int]:
    """A step of each name, from the middle of those that have it."""
    kinds = [name.split()[0] for name in steps]
    places = {kind: [n for n, each in enumerate(kinds, 1) if each == kind] for kind in kinds}
    return [numbers[len(numbers) // 2] for numbers in places.values()]


@pytest.mark.parametrize("work", AT_LEAST)
def test_a_full_disk_ends_it_in_a_line_and_the_same_work_goes_on(workshop, tmp_path, work):
    whole, steps = undisturbed(workshop, work, tmp_path / "whole")
    for number in some(steps):
        broken = workshop.attempt(work, tmp_path / f"{number}", f"full@{number}")
        if broken.status and work not in ("web", "proof"):  # these are no commands
            assert (broken.status, broken.out) in ((1, ""), (2, ""))
            assert broken.err.splitlines()[-1].startswith("error: ")
            assert "No space left on device" in broken.err
            assert "Traceback" not in broken.err
        again = workshop.attempt(work, tmp_path / f"{number}")
        assert is_same(work, again, whole), (number, steps[number - 1], again)
