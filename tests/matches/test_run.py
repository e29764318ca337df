"""Pairs that are played: the journal says which, and what else is kept is kept before."""

from __future__ import annotations

from pathlib import Path

import pytest
from match_tools import DicedWorkers, lines_of

from plyground.matches.journal import Journal
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.run import Work, run_pairs

PAIRS = [Pair("tictactoe", ("first", "random"), number) for number in range(4)]


def test_a_pair_counts_as_played_once_all_is_kept_of_it(tmp_path: Path) -> None:
    kept: list[str] = []
    path = tmp_path / "games.jsonl"

    def keep(played: PlayedPair) -> None:
        assert len(lines_of(path)) == len(kept)
        if len(kept) == 2:
            raise OSError("the store is gone")
        kept.append(played.pair.key)

    with Journal(path) as journal, pytest.raises(OSError, match="the store is gone"):
        list(run_pairs(PAIRS, DicedWorkers(), journal, Work(store=keep)))
    assert kept == [pair.key for pair in PAIRS[:2]]
    with Journal(path) as journal:
        assert list(journal.played) == kept
        again = list(run_pairs(PAIRS, DicedWorkers(), journal))
    assert [played.pair for played in again] == PAIRS[2:]
