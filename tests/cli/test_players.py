"""`plyground players`: everybody who can play, and what can be set."""

from __future__ import annotations

import json

import pytest
from command_line import one_line, run

from plyground.cli.players import EXAMPLES, GROUPS
from plyground.games.catalogue import find_game, games
from plyground.players.catalogue import HUMAN, make_machine, player_kinds
from plyground.players.levels import NAMES, PERFECT, solved_games


def test_everybody_is_listed_with_a_summary():
    result = run("players")
    assert (result.status, result.err) == (0, "")
    rows = [line.split(maxsplit=1) for line in result.out.splitlines() if line.startswith("  ")]
    listed = {row[0]: row[1] for row in rows if len(row) == 2}
    for name, kind in player_kinds().items():
        assert listed[name].split()[0] == kind.summary.split()[0]
    assert all(title in result.out for title in GROUPS.values() if title != GROUPS["yours"])
    assert all(len(line) <= 80 for line in result.out.splitlines())


def test_every_player_is_in_a_group_that_is_shown():
    assert {kind.group for kind in player_kinds().values()} == set(GROUPS) - {"yours"}


@pytest.mark.parametrize("name", player_kinds())
def test_one_player_with_all_its_options(name):
    kind = player_kinds()[name]
    result = run("players", name)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(name)
    for option in kind.options:
        assert f"  {option.name}" in result.out
    if not kind.options and kind.group != "level":
        assert "has no options" in result.out
    assert all(len(line) <= 80 for line in result.out.splitlines())


@pytest.mark.parametrize("name, kind", [("ab", "alphabeta"), ("Brute_Force", "first")])
def test_an_alias_will_do(name, kind):
    assert run("players", name).out == run("players", kind).out


@pytest.mark.parametrize("level", NAMES)
def test_a_level_tells_what_it_means_on_each_game(level):
    result = run("players", level)
    for game in filter(lambda game: game.levels, games().values()):
        assert game.name in result.out
        assert game.levels[level] in result.out
    assert "any other" in result.out


def test_programs_get_a_list():
    data = json.loads(run("players", "--json").out)
    assert [each["name"] for each in data] == list(player_kinds())
    assert {frozenset(each) for each in data} == {
        frozenset({"name", "group", "summary", "aliases", "options"})
    }
    (one,) = json.loads(run("players", "alphabeta", "--json").out)
    assert {"depth", "time", "nodes", "eval"} <= {option["name"] for option in one["options"]}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_are_players(example):
    game = find_game("othello")
    make_machine(example, game, game.initial()).close()
    assert example in run("players").out


@pytest.mark.parametrize("name", [name for name in player_kinds() if name != HUMAN])
def test_whoever_is_listed_can_be_made_for_its_games(name):
    is_engine = player_kinds()[name].group == "engine"
    noisy = ("connect4", "othello")  # the games that quiescence search has moves to play out of
    only = {PERFECT: solved_games(), "quiescence": noisy}.get(
        name, ("othello",) if is_engine else games()
    )
    for game in map(find_game, only):
        make_machine(f"{name}:command=cat" if is_engine else name, game, game.initial()).close()


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_name_that_is_no_player_gets_the_nearest_one(flags):
    message = one_line(run("players", "alphabta", *flags))
    assert message == "unknown player 'alphabta'; did you mean alphabeta?"


@pytest.mark.parametrize("name", [" ", "alphabeta:depth=2", "[red]", "\u2603"])
def test_any_other_name_is_refused(name):
    assert one_line(run("players", name))
