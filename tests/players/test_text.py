"""The text of a player and its inverse: two notations, any value, and errors that say where."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyground.core.errors import InputError, MalformedText
from plyground.players.text import FORM, MOST_CHARACTERS, MOST_LEVELS, PlayerText, parse

NAMES = st.from_regex(r"[a-z][a-z0-9_*-]{0,6}", fullmatch=True)
NASTY = [
    *("", " ", "\\", '"', '\\"', '"\\', "\\\\", "a\\", ",", ":", "=", "(", ")", "()", "x()"),
    *("x:y=1", "two words", " led", "trailed ", "\n", "\t", "\u00a0", "\u2003", "\u200b", "\0"),
    *(
        "C:\\a b\\",
        "İ",
        "\u017f",
        "é",
        "日本",
        "😀",
        "name=value,other=(1)",
        '"quoted"',
        "--5",
        "20%",
        "*",
    ),
]
VALUES = st.sampled_from(NASTY) | st.text(max_size=8) | st.text('\\" ,:=()ab\n', max_size=8)
PLAYERS = st.recursive(
    st.builds(PlayerText, NAMES, st.dictionaries(NAMES, VALUES, max_size=3)),
    lambda inner: st.builds(
        PlayerText, NAMES, st.dictionaries(NAMES, VALUES | inner, min_size=1, max_size=3)
    ),
    max_leaves=4,
)
GRAMMAR = [
    *(
        "alphabeta",
        "random-start",
        "a",
        "then",
        "İ",
        "\u212a",
        "\u017f",
        "1",
        "20%",
        '"x"',
        '"a\\"b"',
        '"',
    ),
    *(":", "(", ")", "=", ",", " ", "\n", "\\", "moves=8", "eval=stages(a=1)"),
]
TEXTS = st.text(max_size=40) | st.lists(st.sampled_from(GRAMMAR), max_size=14).map("".join)


def in_order(player: PlayerText) -> tuple[object, ...]:
    """A player as a tuple: two of them are equal if the options have the same order as well."""
    options = [
        (name, in_order(value) if isinstance(value, PlayerText) else value)
        for name, value in player.options.items()
    ]
    return (player.name, *options)


def complaint(text: str) -> str:
    with pytest.raises(MalformedText) as error:
        parse(text)
    return str(error.value)


# ------------------------------------------------------------------ both notations


def test_a_name_alone() -> None:
    assert parse("alphabeta") == PlayerText("alphabeta")
    assert parse("alphabeta()") == PlayerText("alphabeta")


def test_colon_and_brackets_say_the_same() -> None:
    expected = PlayerText("alphabeta", {"depth": "6", "eval": "stages"})
    assert parse("alphabeta:depth=6,eval=stages") == expected
    assert parse("alphabeta(depth=6,eval=stages)") == expected


def test_an_option_may_be_a_player_again() -> None:
    inner = PlayerText("alphabeta", {"depth": "4"})
    expected = PlayerText("random-start", {"moves": "8", "then": inner})
    assert parse("random-start(moves=8,then=alphabeta:depth=4)") == expected
    assert parse("random-start(moves=8,then=alphabeta(depth=4))") == expected
    assert parse("random-start:moves=8,then=alphabeta:depth=4") == expected


def test_after_a_colon_options_go_on_to_the_end() -> None:
    swallowed = parse("random-start:then=alphabeta:depth=4,moves=8")
    assert swallowed.options["then"] == PlayerText("alphabeta", {"depth": "4", "moves": "8"})
    bracketed = parse("random-start:then=alphabeta(depth=4),moves=8")
    assert bracketed.options == {"then": PlayerText("alphabeta", {"depth": "4"}), "moves": "8"}


def test_after_a_colon_options_go_on_to_the_bracket_around_them() -> None:
    player = parse("a(b=c:d=1,e=2,f=g:h=3)")
    inner = PlayerText("c", {"d": "1", "e": "2", "f": PlayerText("g", {"h": "3"})})
    assert player == PlayerText("a", {"b": inner})
    assert parse("a(b=c(d=1),e=f:g=2)").options["e"] == PlayerText("f", {"g": "2"})


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("alphabeta:order=4,5,3", {"order": "4,5,3"}),
        ("alphabeta:order=4,5,3,depth=6", {"order": "4,5,3", "depth": "6"}),
        ("alphabeta(order=d3 , c4,depth = 6)", {"order": "d3,c4", "depth": "6"}),
        ('alphabeta:order="4,5,3"', {"order": "4,5,3"}),
    ],
)
def test_words_without_a_sign_of_equality_go_on_with_a_list(
    text: str, options: dict[str, str]
) -> None:
    assert parse(text).options == options
    assert '"' not in str(parse(text))


def test_a_list_ends_with_the_bracket_around_it() -> None:
    player = parse("random-start(then=alphabeta:order=4,5,3)")
    assert player.options == {"then": PlayerText("alphabeta", {"order": "4,5,3"})}


@pytest.mark.parametrize("text", ["a:b=4,", "a:b=4,,5", "a:b=4,5:c=1", 'a:b=4,"5"', "a:b=4,5 6"])
def test_a_list_is_of_words_alone(text: str) -> None:
    assert "expected" in complaint(text)


def test_space_around_signs_and_case_of_names_do_not_matter() -> None:
    spaced = parse("  Alphabeta : Depth = 6 ,\n eval = Stages ( a = 1 ) ")
    stages = PlayerText("stages", {"a": "1"})
    assert spaced == PlayerText("alphabeta", {"depth": "6", "eval": stages})


def test_a_word_keeps_its_case() -> None:
    assert parse("gtp:command=Engine").options["command"] == "Engine"


def test_quotes_hold_anything_and_a_backslash_keeps_the_next_character() -> None:
    assert parse(r'gtp:command="engine -a \"b c\" \\ \n",time=5s').options == {
        "command": 'engine -a "b c" \\ n',
        "time": "5s",
    }
    assert parse('a:b=""').options["b"] == ""


def test_a_player_inside_without_options_is_not_a_word() -> None:
    assert parse("a(b=c())").options["b"] == PlayerText("c")
    assert parse("a(b=c)").options["b"] == "c"


@pytest.mark.parametrize(
    "text",
    [
        "alphabeta",
        "alphabeta:depth=6,eval=stages",
        "random-start(moves=8,then=alphabeta:depth=4)",
        "random-start(then=alphabeta(depth=4),moves=8)",
        "alphabeta(depth=3,eval=stages(early_mobility=12),noise=10%)",
        'gtp:command="engine -gtp",time=5s',
        "a(b=c(d=e:f=1))",
        "a(b=c())",
        'a:b=""',
    ],
)
def test_these_are_written_as_they_were_read(text: str) -> None:
    assert str(parse(text)) == text


# ------------------------------------------------------------------ inverse


@given(PLAYERS)
@example(PlayerText("a", {"b": PlayerText("c"), "d": PlayerText("e", {"f": PlayerText("g")})}))
@example(PlayerText("a", {"b": "x()"}))
@settings(max_examples=300)
def test_a_written_player_is_read_as_the_same(player: PlayerText) -> None:
    assert in_order(parse(str(player))) == in_order(player)


@given(TEXTS)
@example("İ")
@example("alphabeta:İ=3")
@example("\u212a:\u017f=1")
@example("a" * (MOST_CHARACTERS + 1))
@example("a(" * 3000)
@example("a:b=" * 400 + "1")
@example('a:b="' + "\\" * 1001)
@settings(max_examples=500)
def test_any_text_is_malformed_or_a_player_that_can_be_written_and_read_again(text: str) -> None:
    try:
        player = parse(text)
    except MalformedText as error:
        assert len(str(error)) < 700
        assert len(str(error).splitlines()) == 1
    else:
        assert in_order(parse(str(player))) == in_order(player)


def nested(levels: int) -> str:
    return "a(b=" * levels + "c" + ")" * levels


def test_players_inside_players_have_a_limit() -> None:
    deepest = parse(nested(MOST_LEVELS + 1))
    assert in_order(parse(str(deepest))) == in_order(deepest)
    assert f"more than {MOST_LEVELS} deep" in complaint(nested(MOST_LEVELS + 2))


def test_the_longest_text_is_read() -> None:
    longest = 'a:b="' + "x" * (MOST_CHARACTERS - 6) + '"'
    assert len(parse(longest).options["b"]) == MOST_CHARACTERS - 6  # type: ignore[arg-type]
    assert f"longer than {MOST_CHARACTERS} characters" in complaint(longest + " ")


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("", "at the end", "expected a player's name"),
        ("   ", "at the end", "expected a player's name"),
        ("7up", "at '7up'", "expected a player's name"),
        (":depth=1", "at ':depth=1'", "expected a player's name"),
        ("alphabeta:", "at the end", "expected an option's name"),
        ("alphabeta:depth", "at the end", "expected = after depth"),
        ("alphabeta:depth 6", "at '6'", "expected = after depth"),
        ("alphabeta:depth=", "at the end", "expected a value"),
        ("alphabeta:depth=,eval=x", "at ',eval=x'", "expected a value"),
        ("alphabeta:depth=6,", "at the end", "expected an option's name"),
        ("alphabeta:depth=6 7", "at '7'", "nothing more was expected"),
        ("alphabeta depth=6", "at 'depth=6'", "nothing more was expected"),
        ("alphabeta(depth=6", "at the end", "expected , or )"),
        ("alphabeta(depth=6 7)", "at '7)'", "expected , or )"),
        ("alphabeta(depth=6))", "at ')'", "nothing more was expected"),
        ('gtp:command="engine', "at '\"engine'", "expected a value"),
        ('gtp:command="a"b', "at 'b'", "nothing more was expected"),
        ("gtp:command=C:x=1 )", "at ')'", "nothing more was expected"),
        ("a:b=6:c=1", "at '6:c=1'", "expected a player's name"),
        ("a(b=1,b=2)", "at", "b is given twice"),
        ("a(b=1,B=2)", "at", "b is given twice"),
    ],
)
def test_an_error_says_where_and_what(text: str, where: str, problem: str) -> None:
    said = complaint(text)
    assert re.match(rf"player .*, {re.escape(where)}.*: {re.escape(problem)}; ", said)
    assert said.endswith(FORM)


def test_only_the_beginning_of_a_long_text_is_repeated() -> None:
    said = complaint("alphabeta:depth=6," + "x" * 1000 + ":")
    assert "player 'alphabeta:depth=6,xxx" in said
    assert "..." in said
    assert len(said) < 200


def test_what_is_malformed_can_be_told_as_any_wrong_input() -> None:
    assert issubclass(MalformedText, InputError)
