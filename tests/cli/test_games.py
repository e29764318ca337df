"""`plyground games`: what can be played."""

from __future__ import annotations

import json

from command_line import one_line, run

NAMES = ["connect4", "double-card", "kalah", "mnk", "othello", "synthetic", "textbook"]


def test_the_list_has_every_game_with_its_summary():
    result = run("games")
    assert (result.status, result.err) == (0, "")
    for name in NAMES:
        assert f"\n{name}  " in "\n" + result.out
    assert "Enclose the other side's discs" in result.out


def test_the_list_has_aliases_parameters_and_presets():
    out = run("games").out
    assert "also: reversi" in out
    assert "size=8" in out
    assert "4, 6, 8, 10" in out
    assert "preset=tournament" in out


def test_one_game_may_be_asked_for_by_an_alias():
    out = run("games", "reversi").out
    assert out.startswith("othello  Othello")
    assert "kalah" not in out


def test_json_lists_every_game_in_alphabetical_order():
    data = json.loads(run("games", "--json").out)
    assert [game["name"] for game in data] == NAMES
    for game in data:
        assert list(game) == [
            "name",
            "title",
            "summary",
            "aliases",
            "players",
            "parameters",
            "presets",
        ]
        assert len(game["players"]) == 2


def test_json_describes_parameters():
    (othello,) = json.loads(run("games", "othello", "--json").out)
    assert othello["parameters"] == [
        {
            "name": "size",
            "default": 8,
            "expected": "4, 6, 8, 10",
            "help": "squares along an edge",
        }
    ]


def test_json_describes_presets():
    (game,) = json.loads(run("games", "double-card", "--json").out)
    assert game["presets"] == {"tournament": {"max_moves": 40}}


def test_yes_and_no_are_shown_as_they_are_typed():
    out = run("games", "kalah").out
    assert "captures=yes" in out
    assert "True" not in out


def test_an_unknown_game_is_refused():
    assert "did you mean othello?" in one_line(run("games", "otello"))
