"""Tournaments: who meets whom and how often, tables that add up, and runs that survive kills."""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import DicedWorkers, games_in, timeless

from plyground.core.errors import InputError
from plyground.matches.journal import Journal
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.schedule import recommended_rounds
from plyground.matches.tournament import FORMATS, Tournament, cross_table, ratings
from plyground.work.workers import local

# Dice need names only; real players are at the end of the file.
PLAYERS = ("random", "first", "greedy", "amateur", "medium", "expert", "better-random")
STRENGTH = {player: -0.1 * place for place, player in enumerate(PLAYERS)}
PLAN = Plan("tictactoe", pairs=2)


def tournament(
    format_: str = "round-robin",
    players: int | Sequence[str] = 5,
    heroes: int = 1,
    rounds: int | None = None,
    plan: Plan = PLAN,
) -> Tournament:
    chosen = PLAYERS[:players] if isinstance(players, int) else players
    return Tournament(plan, chosen, format_, heroes, rounds)


def play(contest: Tournament, path: Path, workers: object | None = None) -> list[PlayedPair]:
    with Journal(path) as journal:
        contest.run(workers or DicedWorkers(3, strength=STRENGTH), journal)
        return contest.played(journal)


def meetings(played: Sequence[PlayedPair]) -> Counter[tuple[str, str]]:
    """How many pairs each two players have played."""
    return Counter(pair.pair.players for pair in played)


def everything(contest: Tournament, path: Path) -> object:
    """All that a tournament says, but for times."""
    with Journal(path) as journal:
        played = contest.played(journal)
        table = contest.swiss_standings(journal) if contest.format == "swiss" else None
    pairs = [timeless(pair.as_data()) for pair in played]
    rated = ratings(played, contest.players).ratings
    return pairs, table, rated, cross_table(played)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


# ------------------------------------------------------------------ who meets whom


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_in_a_round_robin_everybody_meets_everybody_once(path, players):
    contest = tournament("round-robin", players)
    met = meetings(play(contest, path))
    assert met == {pair: 2 for pair in itertools.combinations(PLAYERS[:players], 2)}
    assert contest.total == met.total() == players * (players - 1)


@pytest.mark.parametrize("heroes", [1, 2, 4])
def test_in_a_gauntlet_heroes_meet_all_others(path, heroes):
    contest = tournament("gauntlet", 5, heroes)
    met = meetings(play(contest, path))
    expected = itertools.product(PLAYERS[:heroes], PLAYERS[heroes:5])
    assert met == {pair: 2 for pair in expected}
    assert contest.total == met.total()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 7])
def test_in_a_swiss_tournament_everybody_plays_every_round(path, players):
    contest = tournament("swiss", players)
    played = play(contest, path)
    met = meetings(played)
    rounds = recommended_rounds(players)
    assert contest.total == len(played) == 2 * rounds * (players // 2)
    assert max(met.values()) == 2, "a pairing came twice, without need"
    each = Counter(name for pair in played for name in pair.pair.players)
    byes = {name: rounds - each[name] // 2 for name in PLAYERS[:players]}
    assert sum(byes.values()) == (players % 2) * rounds
    assert max(byes.values()) <= 1


def test_a_swiss_tournament_of_many_rounds_repeats_pairings_with_new_games(path):
    contest = tournament("swiss", 3, rounds=7)
    played = play(contest, path)
    assert len(played) == contest.total == 2 * 7
    assert len({pair.pair.key for pair in played}) == 14
    met = Counter(frozenset(pair.pair.players) for pair in played)
    assert max(met.values()) - min(met.values()) <= 2
    numbers = Counter((frozenset(pair.pair.players), pair.pair.number) for pair in played)
    assert set(numbers.values()) == {1}, "the same opening was played twice by the same two"


def test_the_best_of_a_swiss_tournament_comes_first(path):
    sure = {player: -2.0 * place for place, player in enumerate(PLAYERS)}
    contest = tournament("swiss", 7)
    play(contest, path, DicedWorkers(strength=sure))
    with Journal(path) as journal:
        table = contest.swiss_standings(journal)
    assert contest.players[table[0].player] == PLAYERS[0]
    assert table[0].points == 3
    assert sum(each.points for each in table) == 3 * 4  # three meetings and a bye in each round


def test_unfinished_round_robins_have_been_fair_so_far(path):
    contest = tournament("round-robin", 5)
    met = meetings(play(contest, path, DicedWorkers(1, most=10)))
    assert set(met.values()) == {1}
    assert len(met) == 10


def test_a_player_listed_twice_is_refused():
    with pytest.raises(InputError, match="first is there twice"):
        tournament(players=["random", "first", "first"])


@pytest.mark.parametrize("heroes", [0, 5, 9])
def test_a_gauntlet_needs_heroes_and_others(heroes):
    with pytest.raises(InputError, match="heroes"):
        _ = tournament("gauntlet", 5, heroes).total


# ------------------------------------------------------------------ tables


@pytest.mark.parametrize("format_", FORMATS)
def test_the_cross_table_adds_up(path, format_):
    contest = tournament(format_)
    played = play(contest, path)
    cells = cross_table(played)
    for (a, b), (points, games) in cells.items():
        other_points, other_games = cells[b, a]
        assert games == other_games == 4
        assert points + other_points == games
    assert sum(points for points, _ in cells.values()) == 2 * len(played)
    for rating in ratings(played, contest.players).ratings:
        row = [cell for (a, _), cell in cells.items() if a == rating.player]
        assert rating.points == sum(points for points, _ in row)
        assert rating.games == sum(games for _, games in row)


def test_the_strongest_is_rated_first(path):
    sure = {player: -0.5 * place for place, player in enumerate(PLAYERS)}
    contest = tournament("round-robin", 4)
    rated = ratings(play(contest, path, DicedWorkers(strength=sure)), contest.players)
    assert [rating.player for rating in rated.ratings] == list(PLAYERS[:4])


def test_before_the_first_game_there_is_a_table_too(path):
    contest = tournament()
    played = play(contest, path, DicedWorkers(most=0))
    assert played == []
    assert cross_table(played) == {}
    rated = ratings(played, contest.players)
    assert {rating.games for rating in rated.ratings} == {0}
    assert len(rated.ratings) == 5


# ------------------------------------------------------------------ going on


@pytest.mark.parametrize("format_", FORMATS)
def test_the_number_of_workers_does_not_matter(tmp_path, format_):
    contest = tournament(format_)
    for workers in (1, 2, 3, 11):
        crew = DicedWorkers(workers, order=workers, strength=STRENGTH)
        play(contest, tmp_path / str(workers), crew)
    first, *others = [everything(contest, tmp_path / str(workers)) for workers in (1, 2, 3, 11)]
    assert all(other == first for other in others)


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=15)
@given(some.lists(some.integers(0, 9), min_size=1, max_size=6))
def test_however_often_it_is_killed_it_ends_the_same(format_, deaths):
    contest = tournament(format_)
    with tempfile.TemporaryDirectory() as folder:
        path, straight = Path(folder, "killed"), Path(folder, "straight")
        for order, most in enumerate(deaths):
            play(contest, path, DicedWorkers(3, order, most, STRENGTH))
        play(contest, path)
        play(contest, straight)
        assert everything(contest, path) == everything(contest, straight)
        assert games_in(path) == games_in(straight)


@pytest.mark.parametrize("place", [0, 2, 4])
def test_one_more_player_plays_only_its_own_games(path, place):
    before = list(PLAYERS[:4])
    play(tournament(players=before), path)
    old = games_in(path)
    workers = DicedWorkers(2, strength=STRENGTH)
    more = [*before[:place], "expert", *before[place:]]
    played = play(tournament(players=more), path, workers)
    assert workers.done == 2 * 4
    new = games_in(path)
    assert old.items() <= new.items()
    assert len(played) == 2 * 10


@pytest.mark.parametrize("format_", ["round-robin", "gauntlet"])
def test_one_player_less_plays_nothing(path, format_):
    play(tournament(format_, 5), path)
    workers = DicedWorkers()
    played = play(tournament(format_, 4), path, workers)
    assert workers.done == 0
    assert {name for pair in played for name in pair.pair.players} == set(PLAYERS[:4])


def test_more_games_play_only_the_new_ones(path):
    play(tournament(), path)
    workers = DicedWorkers()
    played = play(tournament(plan=Plan("tictactoe", pairs=3)), path, workers)
    assert workers.done == 10
    assert len(played) == 30


@pytest.mark.parametrize("format_", FORMATS)
def test_a_finished_tournament_plays_nothing(path, format_):
    contest = tournament(format_)
    play(contest, path)
    workers = DicedWorkers()
    assert len(play(contest, path, workers)) == contest.total
    assert workers.done == 0


def test_an_unfinished_swiss_round_counts_in_games_but_not_in_its_table(path):
    contest = tournament("swiss", 4)
    assert len(play(contest, path, DicedWorkers(most=5))) == 5
    with Journal(path) as journal:
        table = contest.swiss_standings(journal)
    assert sum(standing.points for standing in table) == 2  # one round of two meetings


# ------------------------------------------------------------------ real players


@pytest.mark.parametrize("format_", FORMATS)
def test_a_tournament_of_real_players(path, format_):
    players = ["random", "first", "better-random"]
    contest = tournament(format_, players)
    with local(1) as workers:
        played = play(contest, path, workers)
    assert len(played) == contest.total
    assert {game.ended for pair in played for game in pair.games} == {"over"}
