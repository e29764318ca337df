"""The doors of `docs/security.md`: what others wrote is data, and runs nothing.

Behind every door lies a Python file, or an engine's command, that would leave a mark. A door is
opened as a user opens it; there must be no mark, and where the code was needed, words that say how
to name it. That naming it works is the other half.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import refusal, run
from store_tools import random_game
from user_games import HEAP_GAME

from plyground.cli.saved_game import SavedGame
from plyground.core.errors import InputError
from plyground.core.naming import is_named, name_engine
from plyground.core.seal import is_sealed, seal
from plyground.formats.json_record import write_document
from plyground.formats.pasting import recognised
from plyground.games.catalogue import find_game, name_game
from plyground.games.position import BasePosition
from plyground.matches.contests import contests
from plyground.matches.journal import Journal, read_journal
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.tournament_file import ReadTournament
from plyground.players.catalogue import make_machine
from plyground.players.spec import Turn
from plyground.store.rows import start_of
from plyground.store.store import Store
from plyground.web.tournament_routes import summary
from plyground.web.tournament_wire import ContestIn, command_for
from plyground.web.wire import LineIn, demand_harmless
from plyground.work import jobs
from plyground.work.job_process import resume

DOCUMENT = Path(__file__).parents[1] / "docs" / "security.md"
NAME_IT = "only if you name"


class Trap:
    """A file and a command that would leave a mark, and some that name them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.mark = folder, folder / "mark"
        self.code = folder / "trap.py"
        self.code.write_text(f"open({str(self.mark)!r}, 'w').close()\n{HEAP_GAME}")
        self.command = shlex.join([sys.executable, "-c", f"open({str(self.mark)!r}, 'w')"])
        escaped = self.command.replace("\\", "\\\\").replace('"', '\\"')
        self.engine = f'gtp:command="{escaped}"'

    def saved(self, **changes: Any) -> Path:
        usual = SavedGame("othello", {}, None, ("f5",), ("human", "random"), 1)
        path = self.folder / "saved.json"
        path.write_text(replace(usual, **changes).as_text())
        return path

    def store(self) -> Path:
        path = self.folder / "theirs.db"
        with Store(str(path)) as store:
            store.add([replace(random_game("mnk", 1), game=str(self.code))])
        return path

    def record(self) -> Path:
        path = self.folder / "record.json"
        record = replace(random_game("mnk", 1), game=str(self.code))
        path.write_bytes(write_document([record]))
        return path

    def tournament(self, game: str = "othello", player: str = "random", folder: str = "") -> Path:
        path = self.folder / folder / "cup.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"game = '{game}'\nplayers = ['first', '''{player}''']\ngames = 2\n")
        return path

    def experiment(self, game: str, player: str) -> Path:
        path = self.folder / "own.toml"
        duel = f"measure = 'match'\ngames = ['{game}']\nplayers = ['first', '''{player}''']\n"
        path.write_text(f"title = 'Theirs'\n{duel}")
        return path

    def job(self, *words: str) -> jobs.Job:
        """A record that the program did not write here, such as one in a copied folder."""
        made = jobs.create("match", "theirs", list(words), folder=self.folder)
        record = made.place / jobs.RECORD
        told = json.loads(record.read_text()) | {"state": "stopped"}
        record.write_text(json.dumps(told | {"words": [*words], "seal": "0" * 64}))
        return jobs.find_job(made.id)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    folder = tmp_path / "theirs"
    folder.mkdir()
    return Trap(folder)


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(InputError) as found:
        action()
    return str(found.value)


# ------------------------------------------------------------------ doors


def saved_game_of_a_file(trap: Trap) -> str:
    return refusal(run("play", "--from", trap.saved(game=str(trap.code))))


def saved_game_of_a_module(trap: Trap) -> str:
    return refusal(run("play", "--from", trap.saved(game="trap.game")))


def saved_game_with_an_engine(trap: Trap) -> str:
    return refusal(run("play", "--from", trap.saved(players=("human", trap.engine))))


def saved_game_with_an_engine_inside(trap: Trap) -> str:
    inside = f"random-start(moves=1,then={trap.engine.replace(':', '(', 1)}))"
    return refusal(run("play", "--from", trap.saved(players=(inside, "human"))))


def game_to_resume(trap: Trap) -> str:
    folder = trap.folder / "games"
    folder.mkdir()
    trap.saved(game=str(trap.code)).rename(folder / "one.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYGROUND_DATA", str(trap.folder))
        return refusal(run("play", "--resume"))


def stored_game_shown(trap: Trap) -> str:
    shown = run("store", "show", "1", "--store", trap.store())
    assert shown.status == 0
    assert "Player 1" in shown.out
    return re.sub(r"\s+", " ", shown.out)


def store_merged(trap: Trap) -> str:
    merged = run("store", "merge", trap.store())
    assert (merged.status, "1 game taken over" in merged.out) == (0, True)
    return stored_game_shown(trap)


def store_exported(trap: Trap) -> str:
    done = run("store", "export", trap.folder / "out.json", "--store", trap.store())
    assert done.status == 0
    assert str(trap.code) in (trap.folder / "out.json").read_text()
    return stored_game_shown(trap)


def stored_game_indexed(trap: Trap) -> str:
    with Store(str(trap.store())) as store:
        [stored] = store.whole()
    return refused(lambda: start_of(stored.record))


def record_imported(trap: Trap) -> str:
    run("store", "import", trap.record())
    with Store() as store:
        for stored in store.whole():
            refused(lambda stored=stored: start_of(stored.record))
    return refused(lambda: find_game(str(trap.code)))


def record_converted(trap: Trap) -> str:
    run("convert", trap.record(), trap.folder / "out.csv")
    return refused(lambda: find_game(str(trap.code)))


def tournament_of_a_file(trap: Trap) -> str:
    return refusal(run("tournament", trap.tournament(game="trap.py"), "--no-store"))


def tournament_with_an_engine(trap: Trap) -> str:
    return refusal(run("tournament", trap.tournament(player=trap.engine), "--no-store"))


def experiment_of_a_file(trap: Trap) -> str:
    return refusal(run("lab", "run", trap.experiment("trap.py", "random")))


def experiment_with_an_engine(trap: Trap) -> str:
    done = run("lab", "run", trap.experiment("othello", trap.engine), "--no-report")
    assert done.status == 2
    return done.err


def run_file(trap: Trap) -> str:
    """The file of a run that says it was measured by code of its own."""
    run_ = {"uid": "a" * 32, "experiment": str(trap.code), "digest": "d", "parameters": "{}"}
    run_ |= {"quick": False, "seed": None, "versions": "{}", "machine": "{}", "total": 1}
    run_ |= {"started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:00:00Z"}
    cell = {"key": "k", "task": "trap:GAME", "arguments": "{}", "answer": "{}", "times": "{}"}
    cell |= {"seconds": 0.0, "measured": "2026-01-01T00:00:00Z"}
    lines = [{"format": "plyground run 1", "cells": 1, **run_}, cell]
    path = trap.folder / "run.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    assert run("lab", "import", path).status == 0
    assert run("lab", "runs").status == run("lab", "list").status == 0
    told = refusal(run("lab", "report", "1"))
    assert "name its file" in told
    return f"{NAME_IT}: {told}"


def job_resumed(trap: Trap) -> str:
    trap.job("match", trap.engine, "random", "-g", "othello", "-n", "2")
    told = refusal(run("jobs", "resume", "1"))
    assert "type its command yourself" in told
    return f"{NAME_IT}: {told}"


def job_resumed_in_a_page(trap: Trap) -> str:
    told = refused(lambda: resume(trap.job("tournament", "cup.toml", "--with", str(trap.code))))
    assert "type its command yourself" in told
    assert jobs.find_job("1").state == "stopped"
    return f"{NAME_IT}: {told}"


def journal(trap: Trap) -> str:
    record = random_game("mnk", 1)
    path = trap.folder / "games.jsonl"
    with Journal(path) as opened:
        opened.add(PlayedPair(Pair(str(trap.code), (trap.engine, "random")), (record, record)))
    [(played, _)] = read_journal(path)
    return refused(lambda: find_game(played.pair.game))


def tournaments_page(trap: Trap) -> str:
    """Tournaments that lie in the data folder are listed, not played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYGROUND_DATA", str(trap.folder))
        trap.tournament(game=str(trap.code), player=trap.engine, folder="tournaments")
        [contest] = contests()
        return str(summary(contest)["problem"])


def tournament_form(trap: Trap) -> str:
    players = [{"player": "random"}, {"player": trap.engine}]
    asked = ContestIn(game="othello", players=players, settings={})
    told = refused(lambda: command_for(asked))
    assert "runs a program, which no page may ask for" in told
    return f"{NAME_IT}: {told}"


def link(trap: Trap) -> str:
    told = refused(lambda: LineIn(game=str(trap.code)[-60:]).read())
    assert "unknown game" in told
    return f"{NAME_IT}: {told}"


def page_with_an_engine(trap: Trap) -> str:
    return f"{NAME_IT}: {refused(lambda: demand_harmless(trap.engine))}"


def pasted_text(trap: Trap) -> str:
    return f"{NAME_IT}: {refused(lambda: recognised(trap.record().read_text()))}"


DOORS = [
    saved_game_of_a_file,
    saved_game_of_a_module,
    saved_game_with_an_engine,
    saved_game_with_an_engine_inside,
    game_to_resume,
    stored_game_shown,
    store_merged,
    store_exported,
    stored_game_indexed,
    record_imported,
    record_converted,
    tournament_of_a_file,
    tournament_with_an_engine,
    experiment_of_a_file,
    experiment_with_an_engine,
    run_file,
    job_resumed,
    job_resumed_in_a_page,
    journal,
    tournaments_page,
    tournament_form,
    link,
    page_with_an_engine,
    pasted_text,
]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_what_others_wrote_runs_nothing(door, trap, monkeypatch):
    (trap.folder / "trap").mkdir()
    (trap.folder / "trap" / "game.py").write_text(trap.code.read_text())
    monkeypatch.syspath_prepend(trap.folder)
    told = door(trap)
    assert not trap.mark.exists()
    assert NAME_IT in told


def test_the_document_names_every_door():
    text = re.sub(r"\s+", " ", DOCUMENT.read_text(encoding="utf-8"))
    for door in DOORS:
        assert f"`{door.__name__}`" in text


# ------------------------------------------------------------------ naming it


def test_a_saved_game_goes_on_if_its_file_is_named(trap):
    saved = trap.saved(game=str(trap.code), moves=("1",), players=("human", "human"))
    told = run("play", trap.code, "--from", saved, "--no-store", typed="q\n")
    assert (told.status, trap.mark.exists()) == (0, True)


def test_a_saved_game_goes_on_if_its_engine_is_named(trap):
    saved = trap.saved(players=("human", trap.engine))
    told = run("play", "--from", saved, "--second", trap.engine, "--no-store")
    assert "ended with status 0" in told.err  # what leaves a mark is no engine, but was started
    assert trap.mark.exists()


def test_the_words_that_are_told_are_those_that_work(trap):
    path = trap.tournament(player=trap.engine)
    told = refusal(run("tournament", path, "--no-store"))
    words = shlex.split(told[told.index("--engine") :])
    assert words == ["--engine", trap.command]
    assert "ended with status 0" in run("tournament", path, "--no-store", *words).err
    assert trap.mark.exists()


def test_a_tournament_of_a_file_that_is_named(trap):
    path = trap.tournament(game="trap.py")
    assert run("tournament", path, "--no-store", "--with", trap.code).status == 0
    assert trap.mark.exists()


def test_what_this_user_began_goes_on_without_naming_it_again(trap, data_folder):
    begun = run("play", trap.code, "--second", "human", "--no-store", typed="1\nq\n")
    assert begun.status == 0
    [kept] = (data_folder / "games").glob("*.json")
    data = json.loads(kept.read_text())
    assert is_sealed([data["game"], *data["players"]], data["seal"])
    assert "1 to move" not in begun.err
    for name in ("game", "players"):
        other = data | {name: [trap.engine] * 2 if name == "players" else str(trap.code) + "x"}
        assert not is_sealed([other["game"], *other["players"]], other["seal"])


def test_a_game_without_code_needs_no_seal(trap, data_folder):
    run("play", "tictactoe", "--second", "human", "--no-store", typed="a1\nq\n")
    [kept] = (data_folder / "games").glob("*.json")
    assert "seal" not in json.loads(kept.read_text())


def test_a_seal_is_of_one_key(tmp_path, monkeypatch):
    ours = seal(["match", "x"])
    assert is_sealed(["match", "x"], ours)
    assert not is_sealed(["match", "y"], ours)
    assert not is_sealed(["match", "x"], "\N{WHITE CIRCLE}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert not is_sealed(["match", "x"], ours)
    assert seal(["match", "x"]) not in ("", ours)
    assert (tmp_path / "plyground" / "key").stat().st_mode & 0o777 == 0o600


def test_without_a_place_for_a_key_nothing_is_sealed(tmp_path, monkeypatch):
    (tmp_path / "plyground").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert seal(["match"]) == ""
    assert not is_sealed(["match"], "")


def test_a_job_that_was_begun_here_is_sealed():
    job = jobs.create("match", "a - b", ["match", "a", "b"])
    found = jobs.find_job(job.id)
    assert is_sealed([*found.words, found.folder], found.seal)


def test_a_player_of_a_text_starts_nothing_until_its_engine_is_named(trap):
    game = find_game("othello")
    start = game.initial()
    with pytest.raises(InputError, match="--engine"):
        make_machine(trap.engine, game, start).choose(Turn(BasePosition.at(game, {}, start)))
    assert not trap.mark.exists()
    name_engine(trap.command)
    assert is_named("engine", trap.command)


def test_a_game_that_was_named_is_found_wherever_it_is_told_of(trap, monkeypatch):
    game = name_game(str(trap.code))
    monkeypatch.chdir(trap.folder)
    assert find_game("trap.py") is game
    assert ReadTournament(trap.tournament(game="trap.py")).plan.spec is game


def test_workers_may_run_what_their_user_named(trap):
    path = trap.tournament(game="trap.py")
    words = ("--no-store", "--jobs", "2", "--with", trap.code)
    assert run("tournament", path, *words).status == 0
