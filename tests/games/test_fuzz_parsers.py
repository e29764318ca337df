"""Any text given to a parser is a value that can be written and read again, or an `InputError`.

The texts are arbitrary ones, look-alikes of what a game writes, and what a game writes with some
characters changed, lost or added.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from user_games import example_game

from plyground.core.errors import InputError
from plyground.games import squares
from plyground.games.catalogue import find_game, games
from plyground.games.rules import play
from plyground.games.spec import GameSpec

EXAMPLES = Path(__file__).parents[2] / "examples"
HEXAPAWN = EXAMPLES / "hexapawn.py"
NAMES = ("hexapawn", "breakthrough", "dots_and_boxes", "fox_and_hounds")
GAMES = {**games(), **{name: example_game(f"{name}.py") for name in NAMES}}
SETTINGS = {
    "othello": [{}, {"size": "4"}, {"size": "10"}],
    "connect4": [{}, {"width": "12", "height": "4"}, {"width": "2", "height": "31"}],
    "kalah": [{}, {"pits": "1", "seeds": "1"}, {"pits": "7", "seeds": "18", "captures": "no"}],
    "mnk": [{}, {"m": "26", "n": "2"}, {"preset": "gomoku"}],
    "double-card": [
        {},
        {"cards": "3", "on_no_move": "pass"},
        {"width": "2", "height": "15", "cards": "9"},
    ],
    "synthetic": [{}, {"branching": "64", "depth": "3"}, {"depth": "0"}],
    "breakthrough": [{}, {"columns": "2", "rows": "4"}],
    "dots_and_boxes": [{}, {"rows": "1", "columns": "2"}],
    "fox_and_hounds": [{}, {"size": "4"}],
}
EACH_GAME = pytest.mark.parametrize("name", GAMES)
OFTEN = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

OTHER_DIGITS = (
    "\u0660\u0661\u0665\u0969\u0e53\u0be7\u1040"  # Arabic, Devanagari, Thai, Tamil, Burmese
    "\uff10\uff15\U0001d7d8\u00b2\u2075\u2460\u1369"  # wide, bold, raised, circled, Ethiopic
)
CHARACTERS = st.one_of(
    st.characters(),
    st.sampled_from("abcdefghijABCDEFGHxXoO*-._/|,;:=+!?() \t\n\r\0\u200b\ufeff\u0130\u00df\ufb01"),
    st.sampled_from("0123456789" + OTHER_DIGITS),
)
HUGE = st.sampled_from(["9" * 400, "9" * 5000, "-" * 300, "1e999", "0" * 30 + "1", "a1" * 2000])
ANY_TEXT = st.one_of(
    st.text(),
    st.text(CHARACTERS),
    HUGE,
    st.lists(st.integers().map(str), max_size=20).map(" ".join),
    st.lists(st.sampled_from(sorted(squares.PASS_WORDS)), max_size=4).map(" ".join),
)


@st.composite
def spoilt(draw, texts):
    """One of these texts with a few characters changed, lost, doubled or added."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 3)))
        middle = draw(st.one_of(st.just(""), st.just(text[start:end] * 2), st.text(CHARACTERS)))
        text = text[:start] + middle + text[end:]
    return text


@st.composite
def positions(draw, name):
    """A game, its first state under some settings, and the states of a random game from there."""
    game = GAMES[name]
    chosen = game.settings(draw(st.sampled_from(SETTINGS.get(name, [{}]))))
    states = [game.initial(**chosen)]
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=8)):
        legal = game.legal(states[-1])
        if legal:
            states.append(play(states[-1], legal[choice % len(legal)]))
    return game, states


def texts_like(names):
    """Arbitrary texts, and spoilt ones of these."""
    return st.one_of(ANY_TEXT, spoilt(st.sampled_from(names)))


def value_or_refusal(parse, *args):
    """What a parser gives, or None where it refuses; any other exception fails the test."""
    try:
        return parse(*args)
    except InputError as error:
        assert str(error)
        return None


@EACH_GAME
@OFTEN
@given(data=st.data())
def test_any_text_is_a_legal_move_or_refused(name, data):
    game, states = data.draw(positions(name))
    state = states[-1]
    names = [game.format_move(state, move) for move in game.legal(state)]
    move = value_or_refusal(game.parse_move, state, data.draw(texts_like([*names, game.sample])))
    if move is not None:
        assert move in game.legal(state)
        assert game.parse_move(state, game.format_move(state, move)) == move


@EACH_GAME
@OFTEN
@given(data=st.data())
def test_any_text_is_a_list_of_legal_moves_or_refused(name, data):
    game, states = data.draw(positions(name))
    start, separator = states[0], data.draw(st.sampled_from([" ", "; ", "", ",", "\n", " 1. "]))
    names, state = [], start
    for choice in data.draw(st.lists(st.integers(0, 2**16), max_size=6)):
        legal = game.legal(state)
        if legal:
            names.append(game.format_move(state, legal[choice % len(legal)]))
            state = play(state, legal[choice % len(legal)])
    moves = value_or_refusal(
        game.parse_moves, start, data.draw(texts_like([separator.join(names)]))
    )
    for move in moves or []:
        assert move in game.legal(start)
        start = play(start, move)


@EACH_GAME
@OFTEN
@given(data=st.data())
def test_any_text_is_a_position_that_can_be_written_or_refused(name, data):
    game, states = data.draw(positions(name))
    text = data.draw(texts_like([game.format_position(state) for state in states]))
    state = value_or_refusal(game.parse_position, states[0], text)
    if state is not None:
        assert type(state) is type(states[0])
        assert game.parse_position(states[0], game.format_position(state)) == state


@EACH_GAME
@OFTEN
@given(data=st.data())
def test_a_position_that_is_read_can_be_asked_everything(name, data):
    game, states = data.draw(positions(name))
    text = data.draw(spoilt(st.sampled_from([game.format_position(state) for state in states])))
    state = value_or_refusal(game.parse_position, states[0], text)
    if state is not None and game.read_position is not None:
        assert (game.winner(state) is None) == bool(game.legal(state))
        assert game.board_of(state).as_data()["kind"] == game.board_of(states[0]).kind


@pytest.mark.parametrize("name", games())
@OFTEN
@given(data=st.data())
def test_any_texts_are_settings_that_make_a_game_or_refused(name, data):
    game = GAMES[name]
    known = [*(parameter.name for parameter in game.parameters), "preset"]
    values = [str(choice) for p in game.parameters for choice in (p.default, *p.choices)]
    chosen = data.draw(
        st.dictionaries(
            st.one_of(st.sampled_from(known), texts_like(known)),
            st.one_of(texts_like([*values, *game.presets, "no"]), st.integers(0, 20).map(str)),
            max_size=4,
        )
    )
    values = value_or_refusal(game.settings, chosen)
    if values is not None:
        assert game.settings({name: str(value) for name, value in values.items()}) == values
        state = value_or_refusal(lambda: game.initial(**values))
        assert state is None or isinstance(state, game.states)


NAMES = [name for game in games().values() for name in (game.name, *game.aliases)]
PLACES = [str(HEXAPAWN), "examples/hexapawn.py", "plyground.games.kalah", "os.path", "a/b", "a.b"]


@settings(OFTEN, max_examples=120)
@given(text=texts_like([*NAMES, *PLACES]))
@example("a/" * 3000)
@example("plyground.games.kala")
@example("__main__.py.x")
def test_any_text_names_a_game_or_is_refused(text):
    game = value_or_refusal(find_game, text)
    assert game is None or isinstance(game, GameSpec)
