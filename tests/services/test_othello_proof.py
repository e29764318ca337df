"""Proofs by sub-problems: the solver's score, whoever works, and nothing lost by a kill."""

from __future__ import annotations

import itertools
import json
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from command_line import environment
from dask_cluster import dask_cluster
from othello_positions import random_position

from plyground.core.errors import MalformedText, Unsupported
from plyground.games.othello import GAME, Othello
from plyground.matches import workers
from plyground.matches.workers import Workers
from plyground.services.othello_proof import (
    Step,
    open_proof,
    proof_path,
    solve_leaf,
    solver_of,
)
from plyground.solvers.othello.solve import OthelloSolver

SMALL = 2**22  # bytes for a table


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


def test_a_whole_board():
    state = GAME.initial(size=4)
    assert isinstance(state, Othello)
    with workers.local(1) as crew:
        score, best, steps = proved(state, crew, 7)
    assert (score, len(steps) > 3) == (-10, True)
    assert sorted(best) == GAME.legal(state), "the four first moves are one by symmetry"


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


def test_what_is_no_proof_of_the_position_is_not_touched():
    state = position(16, 9)
    path = proof_path(state)
    path.parent.mkdir(parents=True)
    for text in ("my diary\n", "plyground-proof othello nonsense\n"):
        path.write_text(text)
        with pytest.raises(MalformedText, match="move it away"), open_proof(state):
            pass
        assert path.read_text() == text
    path.unlink()
    with open_proof(state):
        pass
    path.write_text(path.read_text() + "1 2 three 4 5 6\n")
    with pytest.raises(MalformedText, match="not what a proof has left"), open_proof(state):
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
        end = time.monotonic() + 120
        while time.monotonic() < end and not (path.exists() and len(path.read_bytes()) > 200):
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
    kept = path.read_text().count("\n")
    assert kept >= 2
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "going on: " in done.stderr
    found = json.loads(done.stdout)
    assert found["score"] == OthelloSolver(state, 2**26).score(state)
    assert found["parts"] >= kept - 1
