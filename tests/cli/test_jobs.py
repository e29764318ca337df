"""`plyground jobs`: long runs seen from elsewhere, stopped, killed and resumed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import one_line, run, run_process
from match_tools import Command, HeldGame, games_in, held_game, lines_of
from patience import until

from plyground.core.errors import Unsupported
from plyground.work import jobs as records
from plyground.work.job_process import resume, running
from plyground.work.jobs import MOST_KEPT, create, find_job, read_job

MATCH = ("match", "random", "first", "-g", "tictactoe", "-n", "4", "--no-store")


@pytest.fixture
def held(tmp_path: Path) -> HeldGame:
    return held_game(tmp_path / "held")


def held_match(held: HeldGame, *more: str) -> tuple[str | Path, ...]:
    terms = ("match", "random", "first", "-g", held.path, "-n", "8", "--no-store")
    return (*terms, "--out", held.journal, *more)


def listed() -> list[dict[str, Any]]:
    result = run("jobs", "--json")
    assert (result.status, result.err) == (0, "")
    found: list[dict[str, Any]] = json.loads(result.out)
    return found


def state_of(number: str = "1") -> str:
    [job] = [each for each in listed() if each["id"] == number]
    return str(job["state"])


# ------------------------------------------------------------------ what is listed


def test_without_any_it_says_what_would_be_one():
    assert "`tournament` and `match` are jobs" in run("jobs").out
    assert listed() == []


def test_a_run_that_is_over_is_listed_with_all_that_starts_it_again():
    assert run(*MATCH, "--seed", "3").status == 0
    [job] = listed()
    assert (job["kind"], job["title"], job["state"]) == ("match", "random - first", "done")
    assert (job["done"], job["total"], job["unit"]) == (4, 4, "games")
    assert job["words"][: len(MATCH)] == list(MATCH)
    journal = Path(job["words"][job["words"].index("--out") + 1])
    assert len(lines_of(journal)) == 2
    assert job["about"]["journal"] == str(journal)
    assert re.search(r"(?m)^ *1  match: random - first  done +4/4 games", run("jobs").out)


def test_a_run_that_fails_says_why():
    with pytest.raises(ValueError), running("lab", "Bad luck", ["lab"], {}):
        raise ValueError("13 brings\nbad luck")
    [job] = listed()
    assert (job["state"], job["reason"]) == ("failed", "13 brings bad luck")
    assert "13 brings bad luck" in run("jobs").out


def test_what_was_never_begun_leaves_no_job():
    assert run("match", "random", "nobody", "-g", "tictactoe").status == 2
    assert listed() == []


def test_a_folder_that_cannot_be_written_harms_no_run(data_folder):
    data_folder.mkdir()
    (data_folder / "jobs").write_text("in the way")
    assert run(*MATCH, "--out", data_folder / "games.jsonl").status == 0


@pytest.mark.parametrize("verb", ["stop", "pause", "resume"])
def test_a_number_that_is_no_job_is_told_in_one_line(verb):
    assert one_line(run("jobs", verb, "7")) == "unknown job '7'; there are no jobs"
    for _ in range(12):
        create("match", "a - b", ["match"])
    assert one_line(run("jobs", verb, "112")) == "unknown job '112'; did you mean 12?"
    assert "unknown job '../1'" in one_line(run("jobs", verb, "../1"))


def test_what_does_not_run_cannot_be_stopped_and_what_is_done_not_resumed():
    assert run(*MATCH).status == 0
    assert one_line(run("jobs", "stop", "1")) == "job 1 does not run; it is done"
    assert one_line(run("jobs", "resume", "1")) == "job 1 is done"


def test_old_jobs_are_forgotten_but_none_that_runs(monkeypatch):
    monkeypatch.setattr(records, "MOST_KEPT", 3)
    with running("match", "a - b", ["match"], {}):
        for number in range(6):
            create("match", f"match {number}", ["match"])
            job = find_job(str(number + 2))
            records.write(records.replace(job, state="done"))
        kept = [job["id"] for job in listed()]
    assert kept == ["7", "6", "5", "1"]
    assert MOST_KEPT == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": 7},
        {"words": ["match", 7]},
        {"about": []},
        {"done": "all"},
        {"rate": float("nan")},
        {"total": 10**400},
        {"state": "lost"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_damaged_record_is_shown_beside_the_others(wrong):
    sound, damaged = (create("match", title, ["match"]) for title in ("a - b", "c - d"))
    record = damaged.place / "job.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | wrong))
    assert [(job["id"], job["state"]) for job in listed()] == [("2", "damaged"), ("1", "running")]
    shown = run("jobs").out
    assert "job.json" in shown
    assert sound.title in shown
    assert one_line(run("jobs", "resume", "2")) == "job 2 is damaged"
    assert one_line(run("jobs", "stop", "2")) == "job 2 does not run; it is damaged"


def test_what_is_no_json_is_a_damaged_record_too():
    job = create("match", "a - b", ["match"])
    for content in (b"{", b"\xff", b"[" * 100_000, b"{}", b""):
        (job.place / "job.json").write_bytes(content)
        [found] = listed()
        assert (found["state"], "job.json" in found["reason"]) == ("damaged", True)


def test_letters_of_a_folder_that_are_not_utf_8_harm_no_list():
    create("match", "caf\udce9", ["match", "\udce9"], folder=Path("/caf\udce9"))
    assert [job["title"] for job in listed()] == ["caf?"]
    assert "caf?" in run("jobs").out


def test_a_process_that_never_came_is_told_by_what_it_said_last():
    job = create("match", "a - b", ["match"])
    (job.place / "log").write_text("one\nerror: no such player\n\n")
    (job.place / "launched").write_text(str(2**22 + 1))
    found = find_job(job.id)
    assert (found.state, found.reason) == ("failed", "no such player")


def test_a_job_whose_folder_is_gone_cannot_go_on(tmp_path):
    job = create("match", "a - b", ["match"], folder=tmp_path / "gone")
    records.write(records.replace(job, state="stopped"))
    told = one_line(run("jobs", "resume", "1"))
    assert told == f"job 1 ran in {tmp_path / 'gone'}, which is not there any more"
    assert state_of() == "stopped"
    with pytest.raises(Unsupported, match=r"job 1: cannot start it in .*gone: No such file"):
        resume(find_job("1"))  # as the web app does
    [found] = listed()
    assert (found["state"], "cannot start it" in found["reason"]) == ("failed", True)


# ------------------------------------------------------------------ stopped from elsewhere


def test_a_job_is_stopped_from_elsewhere_and_resumed_as_the_same(held):
    held.hold(2)
    with Command(*held_match(held)) as command:
        held.wait()
        until(lambda: state_of() == "running" and listed()[0]["total"] == 8)
        said = run("jobs", "stop", "1").out
        assert said == "job 1, random - first: finishing what is under way\n"
        command.wait_for("finishing the games under way")
        held.let_go()
        assert command.end().status == 130
    assert state_of() == "stopped"
    played = games_in(held.journal)
    assert len(played) == 3, "the pair under way was finished"
    resumed = run_process("jobs", "resume", "1")
    assert resumed.status == 0, resumed
    assert "8 games" in resumed.out
    [job] = listed()
    assert (job["id"], job["state"], job["done"], job["first"]) == ("1", "done", 8, 6)
    assert games_in(held.journal).items() >= played.items()


def test_a_job_ends_at_once_if_asked_twice_and_keeps_what_it_had(held):
    held.hold(1)
    with Command(*held_match(held)) as command:
        held.wait()
        assert run("jobs", "pause", "1").status == 0
        until(lambda: "finishing" in run("jobs").out)
        assert run("jobs", "stop", "1", "--now").status == 0
        assert command.end().status == 130
    assert state_of() == "stopped"
    assert len(games_in(held.journal)) == 1


def test_a_killed_job_is_told_as_interrupted_and_goes_on(held):
    held.hold(2)
    with Command(*held_match(held)) as command:
        held.wait()
        assert state_of() == "running"
        refused = one_line(run_process("jobs", "resume", "1"))
        assert refused == "job 1 runs already"
        command.kill()
    assert state_of() == "interrupted"
    played = games_in(held.journal)
    held.let_go()
    assert run_process("jobs", "resume", "1").status == 0
    assert state_of() == "done"
    assert len(games_in(held.journal)) == 4
    assert games_in(held.journal).items() >= played.items()


def test_ctrl_c_where_it_runs_is_seen_elsewhere(held):
    held.hold(1)
    with Command(*held_match(held)) as command:
        held.wait()
        command.interrupt()
        command.wait_for("finishing")
        assert until(lambda: listed()[0]["asked"]) == "finish"
        held.let_go()
        assert command.end().status == 130
    assert state_of() == "stopped"


def test_a_tournament_is_paused_and_goes_on(held):
    spec = held.path.with_name("games.toml")
    players = '["random", "first", "better-random"]'
    spec.write_text(f'game = "{held.path.name}"\nplayers = {players}\ngames = 2\n')
    held.hold(1)
    with Command("tournament", spec, "--no-store", "--with", held.path) as command:
        held.wait()
        assert run("jobs", "pause", "1").status == 0
        command.wait_for("finishing")
        held.let_go()
        assert command.end().status == 130
    [job] = listed()
    assert (job["state"], job["kind"], job["about"]["spec"]) == ("paused", "tournament", str(spec))
    assert run_process("jobs", "resume", "1").status == 0
    assert state_of() == "done"
    assert len(games_in(held.journal)) == 3


def test_the_job_of_a_process_is_not_that_of_what_it_starts(monkeypatch):
    job = create("match", "a - b", ["match"])
    monkeypatch.setenv("PLYGROUND_JOB", job.id)
    with running("match", "a - b", ["match", "-n", "4"], {"game": "mnk"}):
        assert "PLYGROUND_JOB" not in os.environ
        taken = read_job(job.id)
        assert taken is not None
        assert (taken.pid, taken.words) == (os.getpid(), ["match", "-n", "4"])
    assert [each["id"] for each in listed()] == [job.id]
