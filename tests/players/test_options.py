"""Options: what each kind of value is read as, and how wrong ones are refused."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.players import options
from plyground.players.catalogue import find_kind, player_kinds
from plyground.players.options import Option, in_order, read_options
from plyground.players.text import PlayerText, parse

KNOWN = (
    Option("depth", options.count(1, 200), "plies to look ahead"),
    Option("time", options.seconds, "for each move"),
    Option("command", options.word, "the engine", needed=True),
)
INSIDE = PlayerText("inner", {"a": "1"})


def read(text: str, defaults: dict[str, Any] | None = None) -> dict[str, Any]:
    return read_options(parse(text), KNOWN, defaults or {})


# ------------------------------------------------------------------ options together


def test_what_is_given_is_read_and_what_is_not_takes_its_default() -> None:
    assert read("x:command=go,time=500ms", {"depth": 4}) == {
        "command": "go",
        "time": 0.5,
        "depth": 4,
    }
    assert read("x:command=go,depth=7", {"depth": 4})["depth"] == 7


def test_an_option_that_does_not_exist_gets_the_nearest_that_does() -> None:
    with pytest.raises(Unsupported, match=r"unknown option of x 'dept'; did you mean depth\?"):
        read("x:command=go,dept=3")
    with pytest.raises(Unsupported, match="unknown option of x 'zzz'; known: depth, time, command"):
        read("x:zzz=3")


def test_a_player_without_options_says_so() -> None:
    with pytest.raises(Unsupported, match="x has no options, so 'depth' cannot be set"):
        read_options(parse("x:depth=3"), (), {})
    assert read_options(parse("x"), (), {}) == {}


def test_an_option_that_is_needed_is_asked_for() -> None:
    with pytest.raises(MalformedText, match="x needs command: the engine"):
        read("x:depth=3")
    assert read("x", {"command": "go"}) == {"command": "go"}


def test_a_wrong_value_is_told_with_its_player_and_option() -> None:
    with pytest.raises(
        MalformedText, match=r"^x: depth '0': expected a whole number from 1 to 200"
    ):
        read("x:command=go,depth=0")


def test_options_come_into_the_order_of_their_declaration() -> None:
    for names in itertools.permutations(["depth", "time", "command"]):
        player = PlayerText("x", {name: "1" for name in names})
        ordered = in_order(player, KNOWN)
        assert list(ordered.options) == ["depth", "time", "command"]
        assert ordered == player
        assert list(in_order(ordered, KNOWN).options) == list(ordered.options)


# ------------------------------------------------------------------ kinds of values


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (options.word, "Any thing", "Any thing"),
        (options.seconds, "2s", 2.0),
        (options.size, "64MB", 64 * 2**20),
        (options.size, "0", 0),
        (options.share, "20%", 0.2),
        (options.nodes, "200k", 200_000),
        (options.count(3, 5), "5", 5),
        (options.yes_or_no, "Yes", True),
        (options.yes_or_no, "on", True),
        (options.yes_or_no, "no", False),
        (options.yes_or_no, "FALSE", False),
        (options.one_of("first", "random"), "Random", "random"),
        (options.with_options, " Stages ", PlayerText("stages")),
        (options.with_options, INSIDE, INSIDE),
    ],
)
def test_a_right_value(kind: options.Read, given: str | PlayerText, expected: object) -> None:
    assert kind(given, "x: option") == expected


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        (options.seconds, "soon", "expected a time above 0"),
        (options.size, "big", "expected a size such as 64MB"),
        (options.share, "120%", "expected a share from 0% to 100%"),
        (options.nodes, "0", "expected a whole number from 1 to 1,000,000,000,000,000"),
        (options.count(3, 5), "6", "expected a whole number from 3 to 5"),
        (options.yes_or_no, "perhaps", "expected yes or no"),
        (options.one_of("first", "random"), "rndom", "did you mean random?"),
    ],
)
def test_a_wrong_value(kind: options.Read, given: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)) as error:
        kind(given, "x: option")
    assert "x: option" in str(error.value)
    assert repr(given) in str(error.value)


@pytest.mark.parametrize(
    "kind",
    [
        *(options.word, options.seconds, options.size, options.share, options.nodes),
        *(options.count(1, 9), options.yes_or_no, options.one_of("a", "b")),
    ],
)
def test_a_plain_value_cannot_have_options(kind: options.Read) -> None:
    with pytest.raises(MalformedText, match="x: option 'inner:a=1': expected a plain value"):
        kind(INSIDE, "x: option")


# ------------------------------------------------------------------ of all players


@pytest.mark.parametrize("name", player_kinds())
def test_every_option_is_named_once_and_explained(name: str) -> None:
    known = find_kind(name).options
    assert len({option.name for option in known}) == len(known)
    for option in known:
        assert parse(f"x:{option.name}=1").options == {option.name: "1"}
        assert option.help


WITH_OPTIONS = [name for name, kind in player_kinds().items() if kind.options]
STRANGE = ["", "-", "''", "\0", "9" * 300, "nan", "٣", "1e5", "a=b,c", "%"]


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_any_value_of_any_option_is_read_or_refused_as_input(name: str) -> None:
    for option, value in itertools.product(find_kind(name).options, STRANGE):
        for given in (value, PlayerText("x", {"y": value})):
            try:
                read = option.read(given, "x: option")
            except InputError as error:
                assert "x: option" in str(error)
            else:
                assert read is not None
