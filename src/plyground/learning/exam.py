"""The exam: whether what was learned plays better than what played before, and how sure that is.

A match of pairs of games at equal nodes, by a sequential test (`matches/ratings.py`): it ends as
soon as it is decided, and is never judged by the error that was trained on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.evaluation.catalogue import suitable
from plyground.games.position import BasePosition
from plyground.matches.as_data import sprt_as_data, tally_as_data, verdict_in_words
from plyground.matches.journal import Journal
from plyground.matches.match import Match
from plyground.matches.openings import RandomOpenings
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Sprt, Verdict
from plyground.players.judging import read_judge
from plyground.work.workers import Workers

NODES = 2_000  # for each move of the exam
TEST = Sprt(0, 30)
MOST_PAIRS = 2_000
OPENING = 4  # random moves at the beginning of each pair


def usual_opponent(begun: BasePosition, name: str) -> str:
    """The evaluator that searches of this game use so far, as a text; not the one of this name."""
    return checked_opponent(begun, None, name)


def checked_opponent(begun: BasePosition, text: str | None, name: str = "") -> str:
    """An evaluator as a text, with what is chosen for the game named. Raises InputError."""
    judge = read_judge(text, begun.game, begun.start)
    if text is None and judge.spec.name == name:
        own = [spec for spec in suitable(begun.start) if spec.name != name]
        judge = read_judge(own[0].name, begun.game, begun.start)
    return judge.chosen.text


def journal_name(weights: Path) -> str:
    """The file of the exam's games, in the folder of the course: other weights, other games."""
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()[:12]
    return f"match-{digest}.jsonl"


def exam(begun: BasePosition, game: str, name: str, against: str, nodes: int, seed: int) -> Match:
    """The match of two evaluators at equal nodes, to be played."""
    plan = Plan(
        game,
        dict(begun.settings),
        openings=RandomOpenings(OPENING),
        pairs=MOST_PAIRS,
        seed=seed,
    )
    texts = [plan.check_player(f"abmemory:nodes={nodes},eval={each}") for each in (name, against)]
    return Match(plan, (texts[0], texts[1]), TEST)


def sit(
    match: Match,
    workers: Workers,
    journal: Path,
    on_pair: Callable[[PlayedPair], None] = lambda pair: None,
) -> dict[str, Any]:
    """Play it, or the rest of it, and say what came of it as plain data."""
    with Journal(journal) as played:
        match.plan.prepare(match.players)
        match.run(workers, played, on_pair)
    return result_of(match)


def result_of(match: Match) -> dict[str, Any]:
    """What a match says, in numbers and in words."""
    assert match.sprt is not None
    return {
        "players": list(match.players),
        **tally_as_data(match.tally),
        "sprt": sprt_as_data(match.sprt, match.tally),
        "verdict": verdict_in_words(match.sprt, match.tally),
        "is_better": match.verdict == Verdict.H1,
    }
