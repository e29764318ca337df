"""Proofs by sub-problems: the solver's score, whoever works, and nothing lost by a kill."""

from __future__ import annotations

import itertools
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from command_line import environment
from dask_cluster import dask_cluster
from othello_positions import random_position
from patience import until

from plyground.core.errors import MalformedText, Unsupported
from plyground.games.othello import GAME, Othello
from plyground.games.rules import is_over, outcome, transform
from plyground.solvers.othello import proof as othello_proof
from plyground.solvers.othello.proof import (
    Contradiction,
    LeafAnswer,
    Step,
    key_of,
    open_proof,
    proof_path,
    solve_leaf,
    solver_of,
)
from plyground.solvers.othello.solve import OthelloSolver
from plyground.work import workers
from plyground.work.workers import Workers

SMALL = 2**22  # bytes for a table
LONG_S = 600.0  # until even a badly loaded machine has compiled and begun


def position(left: int, seed: int, size: int = 8) -> Othello:
    return random_position(random.Random(seed), left, size)


def proved(state: Othello, crew: Workers, leaf: int) -> tuple[int, list[int], list[Step]]:
    with open_proof(state, leaf, SMALL) as proof:
        steps = list(proof.run(crew))
        assert not proof.windows.is_open
        return proof.windows.low, proof.best, steps


@pytest.mark.parametrize(("left", "seed"), [(16, 1), (17, 2), (18, 3), (16, 4), (15, 5), (14, 6)])
def test_it_finds_the_solvers_score_and_a_best_move(left, seed):
    state = position(left, seed)
    solver = OthelloSolver(state)
    scores = solver.scores(state)
    with workers.local(1) as crew:
        score, best, steps = proved(state, crew, left - 6)
    assert score == max(scores.values())
    assert best and all(scores[move] == score for move in best)
    for step, after in itertools.pairwise(steps):
        assert step.low <= after.low <= score <= after.high <= step.high
        assert after.solved == step.solved + 1


@pytest.mark.parametrize("leaf", [9, 11, 14])
@pytest.mark.parametrize("seed", [13, 14])
def test_the_line_goes_from_the_proof_to_the_end_of_the_game(seed, leaf):
    """Also where the whole position is a sub-problem."""
    state = position(14, seed)
    with open_proof(state, leaf, SMALL) as proof, workers.local(1) as crew:
        assert list(proof.run(crew))
        line = proof.line(OthelloSolver(state))
    end = GAME.replay(state, line)
    assert is_over(end)
    assert proof.windows.low == (-1) ** len(line) * int(outcome(end))
    assert line[0] in proof.best or not proof.best
    assert bool(proof.best) == (leaf < 14)


def test_a_whole_board():
    state = GAME.initial(size=4)
    assert isinstance(state, Othello)
    with workers.local(1) as crew:
        score, best, steps = proved(state, crew, 7)
    assert (score, len(steps) > 3) == (-10, True)
    assert sorted(best) == GAME.legal(state), "the four first moves are one by symmetry"


@pytest.mark.full
def test_six_by_six_in_parts():
    """16 to 20 (J. Feinstein 1993), in a minute or so."""
    state = GAME.initial(size=6)
    assert isinstance(state, Othello)
    with open_proof(state) as proof, workers.local(2) as crew:
        assert list(proof.run(crew))
        assert (proof.windows.low, proof.windows.high) == (-4, -4)
        assert sorted(proof.best) == GAME.legal(state), "the first moves are one by symmetry"
        line = proof.line(OthelloSolver(state))
    end = GAME.replay(state, line)
    assert is_over(end) and (-1) ** len(line) * int(outcome(end)) == -4


@pytest.mark.full
def test_processes_and_a_cluster_find_the_same():
    state = position(16, 7)
    with workers.local(2) as crew:
        score, best, _ = proved(state, crew, 10)
    proof_path(state).unlink()
    with dask_cluster(workers=2) as cluster, workers.cluster(cluster.address) as crew:
        again, _, steps = proved(state, crew, 10)
    assert again == score == OthelloSolver(state).score(state)
    assert best and steps


def asked(state: Othello, alpha: int) -> dict[str, int]:
    me, opp = int(state.me), int(state.opp)
    return {"size": 8, "me": me, "opp": opp, "alpha": alpha, "memory": SMALL}


def test_threads_that_answer_at_the_same_time_do_not_disturb_each_other():
    """As those of a cluster's worker: kernels run side by side in one process."""
    states = [position(15, seed) for seed in range(40)]
    solver = OthelloSolver(states[0])
    scores = [solver.score(state) for state in states]
    alphas = [score + (i % 2) - 1 for i, score in enumerate(scores)]
    tasks = [asked(state, alpha) for state, alpha in zip(states, alphas, strict=True)]
    with ThreadPoolExecutor(2) as threads:
        for _ in range(3):
            found = [answer.value for answer in threads.map(solve_leaf, tasks)]
            for value, alpha, score in zip(found, alphas, scores, strict=True):
                assert alpha < value <= score or score <= value <= alpha
        others = {id(threads.submit(solver_of, 8, SMALL).result()) for _ in range(2)}
    assert id(solver_of(8, SMALL)) not in others


@pytest.mark.full
def test_a_cluster_whose_worker_has_two_threads_finds_the_same():
    state = position(17, 12)
    cluster = dask_cluster(workers=1, threads=2)
    with cluster as started, workers.cluster(started.address) as crew:
        assert crew.count == 2
        score, best, steps = proved(state, crew, 13)
    assert score == OthelloSolver(state).score(state)
    assert best and len(steps) > 3


def test_it_goes_on_with_what_is_written_and_cuts_an_unfinished_line():
    state = position(16, 8)
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        run = proof.run(crew)
        for _ in range(4):
            next(run)
        run.close()
    path = proof_path(state)
    with open(path, "a") as file:
        file.write("1f 2")
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        assert proof.begun == 4
        assert path.read_text().count("\n") == 5 and path.read_text().endswith("\n")
        steps = list(proof.run(crew))
    assert [step.solved for step in steps][:2] == [5, 6]
    assert proof.windows.low == OthelloSolver(state).score(state)
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        assert list(proof.run(crew)) == [], "all is known"
        assert proof.windows.low == proof.windows.high


def test_nodes_and_time_are_those_of_all_runs():
    state = position(16, 15)
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        run = proof.run(crew)
        for _ in range(4):
            next(run)
        run.close()
    with open_proof(state, 10, SMALL) as again:
        assert (again.begun, again.nodes) == (4, proof.nodes)
        assert again.time_s == pytest.approx(proof.time_s, abs=4 * 0.001)


@pytest.mark.parametrize("image", ["the other colour", "a mirror image"])
def test_positions_that_are_one_have_one_proof(image):
    state = position(14, 8)
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        steps = list(proof.run(crew))
    same = transform(state, 5) if image == "a mirror image" else state._replace(side=1 - state.side)
    assert proof_path(same) == proof_path(state)
    with open_proof(same, 10, SMALL) as proof, workers.local(1) as crew:
        assert proof.begun == len(steps) > 0
        assert list(proof.run(crew)) == []
        assert {OthelloSolver(same).scores(same)[move] for move in proof.best} == {steps[-1].low}


NO_PROOFS = {
    "my diary\n": "no proof of this position",
    "my diary": "no proof of this position",
    "plyground-proof 2 othello 8 1 2\n": "no proof of this position",
    "plyground-proof othello " + "-" * 64 + " X\n": "of another version of Plyground",
    "plyground-proof 3 othello 8 1 2\n": "of another version of Plyground",
}


@pytest.mark.parametrize(("text", "told"), NO_PROOFS.items())
def test_what_is_no_proof_of_the_position_is_not_touched(text, told):
    state = position(16, 9)
    path = proof_path(state)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(MalformedText, match=f"is {told}; move it away"), open_proof(state):
        pass
    assert path.read_text() == text


LEFT_BY_NOBODY = {
    "1 2 three 4 5 6": "3 is not what a proof has left",
    "1 2 3 4": "3 is not what a proof has left",
    "3 2 0 4 5 0.1": "3 is not what a proof has left",
    "-1 2 0 4 5 0.1": "3 is not what a proof has left",
    "10000000000000000 2 0 4 5 0.1": "3 is not what a proof has left",
    "{key} 4 6 5 0.1": r"3: a score from \+6 of .* contradicts what is proved of it",
    "{key} -1 66 5 0.1": r"3: a score from \+66 of .* contradicts",
    "{key} -99 -100 5 0.1": "3: a score to -100 of .* contradicts",
}


@pytest.mark.parametrize(("line", "told"), LEFT_BY_NOBODY.items())
def test_notes_that_cannot_be_true_are_refused_by_their_line(line, told):
    state = position(16, 9)
    path, key = proof_path(state), "{:x} {:x}".format(*key_of(position(10, 9)))
    with open_proof(state):
        pass
    path.write_text(path.read_text() + f"{key} 2 2 5 0.1\n" + line.format(key=key) + "\n")
    with pytest.raises(MalformedText, match=f"{told}.*; move it away"), open_proof(state):
        pass


class Liars(Workers):
    """Workers whose answers contradict all that can be."""

    def __init__(self) -> None: ...

    def run(self, function: Any, tasks: Iterable[Any]) -> Iterator[Any]:
        for task in tasks:
            yield task, LeafAnswer(66, 1, 0.1)


def test_answers_that_cannot_be_true_are_not_kept():
    state = position(16, 9)
    with pytest.raises(Contradiction, match="contradicts"), open_proof(state, 10, SMALL) as proof:
        list(proof.run(Liars()))
    with open_proof(state, 10, SMALL) as proof:
        assert proof.begun == 0


@pytest.mark.parametrize("every_s", [0.0, 1e9])
def test_what_took_long_is_on_the_disk_before_more_is_asked(monkeypatch, every_s):
    waited: list[object] = []
    monkeypatch.setattr(othello_proof, "SAFE_EVERY_S", every_s)
    monkeypatch.setattr(othello_proof, "synchronise", waited.append)
    state = position(15, 9)
    with open_proof(state, 10, SMALL) as proof, workers.local(1) as crew:
        for step in proof.run(crew):
            assert len(waited) == (0 if every_s else step.solved)
    assert len(waited) == (1 if every_s else step.solved + 1)


def test_a_folder_that_cannot_be_written_is_told(data_folder):
    data_folder.write_text("a file where a folder should be")
    state = position(16, 9)
    told = r"cannot write .*\.proof: Not a directory"
    with pytest.raises(Unsupported, match=told), open_proof(state):
        pass


def test_two_at_once_are_refused():
    state = position(16, 10)
    with (
        open_proof(state),
        pytest.raises(Unsupported, match="worked on by another process"),
        open_proof(state),
    ):
        pass


@pytest.mark.full
def test_a_killed_command_goes_on(data_folder):
    state = position(25, 11, size=6)
    text = GAME.format_position(state)
    command = [sys.executable, "-m", "plyground", "solve", "othello", "--size", "6"]
    command += ["--position", text, "--jobs", "2", "--memory", "16MB", "--json"]
    path = data_folder / "proofs" / proof_path(state).name
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as first:
        until(lambda: path.exists() and len(path.read_bytes()) > 200, "a part proved", LONG_S)
        first.send_signal(signal.SIGKILL)
    kept = path.read_text().count("\n")
    assert kept >= 2
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, timeout=LONG_S
    )
    assert done.returncode == 0, done.stderr
    assert "going on: " in done.stderr
    found = json.loads(done.stdout)
    assert found["score"] == OthelloSolver(state, 2**26).score(state)
    assert found["parts"] >= kept - 1
