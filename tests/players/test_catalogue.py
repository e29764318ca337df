"""The catalogue: everybody plays every game, has one true text, and only faces ask people."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.games.catalogue import find_game, games
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.kernel import plain_python
from plyground.players import searching
from plyground.players.catalogue import (
    HUMAN,
    Person,
    canonical,
    find_kind,
    make_machine,
    make_player,
    player_kinds,
)
from plyground.players.chance import BetterRandom, Noisy, RandomPlayer, RandomStart
from plyground.players.levels import PERFECT
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Turn
from plyground.players.text import PlayerText, parse
from plyground.search.setup import Setup

MACHINES = [name for name, kind in player_kinds().items() if kind.group not in ("people", "engine")]
FEW_NODES = 60
FEW_SIMULATIONS = 20


def text_of(player: str | PlayerText) -> str:
    return str(canonical(player))


# ------------------------------------------------------------------ everybody plays everything


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plain Python, and fewer nodes where nothing else is asked for."""
    monkeypatch.setattr(searching, "DEFAULT_NODES", FEW_NODES)
    monkeypatch.setattr(Setup, "simulations", FEW_SIMULATIONS)
    with plain_python():
        yield


def random_turn(game: str, plies: int, **settings: Any) -> Turn:
    spec, chooser = find_game(game), random.Random(plies)
    start = spec.initial(**settings)
    turn = Turn(BasePosition.at(spec, {}, start))
    for _ in range(plies):
        after = turn.after(chooser.choice(spec.legal(turn.state)))
        if is_over(after.state):
            break
        turn = after
    return turn


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("name", [name for name in MACHINES if find_kind(name).group != "level"])
def test_every_player_without_options_makes_legal_moves_on_every_game(name: str, game: str) -> None:
    small = {"width": 4, "height": 4, "cards": 6} if game == "double-card" else {}
    for plies in (0, 3):
        turn = random_turn(game, plies, **small)
        if name == "quiescence" and game not in ("connect4", "kalah", "othello"):
            with pytest.raises(Unsupported, match=f"^{game} has no noisy moves to play out"):
                make_machine(name, turn.game, turn.position.start)
            continue
        choice = make_machine(name, turn.game, turn.position.start).choose(turn)
        assert choice.move in turn.game.legal(turn.state)
        assert tuple(choice.line[:1]) in ((), (choice.move,))


def test_kinds_are_what_they_say() -> None:
    turn = random_turn("mnk", 0)
    kinds = {
        "random": RandomPlayer,
        "better-random": BetterRandom,
        "random-start": RandomStart,
        "first": SearchPlayer,
        "alphabeta": SearchPlayer,
        "alphabeta:noise=5%": Noisy,
        "human": Person,
    }
    for text, kind in kinds.items():
        assert type(make_player(text, turn.game, turn.position.start)) is kind


def test_names_and_aliases_are_unique_and_can_be_typed() -> None:
    kinds = player_kinds().values()
    names = [name for kind in kinds for name in (kind.name, *kind.aliases)]
    assert len(set(names)) == len(names)
    for name in names:
        assert text_of(name) == find_kind(name).name


@pytest.mark.parametrize("name", player_kinds())
def test_every_kind_is_described(name: str) -> None:
    kind = find_kind(name)
    assert kind.name == name
    assert kind.summary.endswith(".")
    assert find_kind(f" {name.upper().replace('-', '_')} ") is kind


def test_a_player_that_does_not_exist_gets_the_nearest_that_does() -> None:
    turn = random_turn("mnk", 0)
    for text in ("alfabeta", "alfabeta:depth=3", "random-start:then=alfabeta"):
        with pytest.raises(
            Unsupported, match=r"unknown player 'alfabeta'; did you mean alphabeta\?"
        ):
            make_player(text, turn.game, turn.position.start)
    with pytest.raises(Unsupported, match="unknown player 'alfabeta'"):
        canonical("alfabeta")


@pytest.mark.parametrize("name", ["gtp", "nboard"])
def test_an_engine_needs_a_command(name: str) -> None:
    turn = random_turn("othello", 0)
    with pytest.raises(MalformedText, match=f"{name} needs command: the engine"):
        make_player(name, turn.game, turn.position.start)
    with pytest.raises(MalformedText, match=f"{name} needs command"):
        make_player(f"random-start:then={name}", turn.game, turn.position.start)


# ------------------------------------------------------------------ one true text


@pytest.mark.parametrize(
    "texts",
    [
        ("uct", "mcts", "MCTS", " uct ", "uct()"),
        (
            "alphabeta:depth=6,eval=stages",
            "ab(eval=stages,depth=6)",
            "alpha-beta:eval=stages,depth=6",
        ),
        ("alphabeta:depth=6,eval=stages", "Alphabeta : DEPTH = 6 , eval = stages"),
        ("abmemory:depth=2,order=all,memory=1MB", "ab-memory:memory=1MB,order=all,depth=2"),
        ("mtdf:time=2s,memory=64MB,ponder=yes", "mtd-f:ponder=yes,memory=64MB,time=2s"),
        ("better-random", "better_random"),
        ("first", "brute-force"),
        (
            "random-start(moves=8,then=alphabeta:depth=4,eval=stages)",
            "random-start(then=ab(eval=stages,depth=4),moves=8)",
            "random_start:then=ab(eval=stages,depth=4),moves=8",
            "random-start:moves=8,then=ab:eval=stages,depth=4",
        ),
        (
            "random-start(then=random-start(then=uct:nodes=5))",
            "random-start:then=random-start:then=mcts:nodes=5",
        ),
        ('gtp:command="engine -gtp",time=5s', 'gtp(time=5s,command="engine -gtp")'),
        ("gtp:command=engine", 'gtp:command="engine"'),
    ],
)
def test_the_same_player_has_the_same_text_however_it_is_written(texts: tuple[str, ...]) -> None:
    assert {text_of(text) for text in texts} == {texts[0]}


def test_a_player_inside_has_its_proper_name_without_options_too() -> None:
    texts = ("random-start:then=uct", "random-start:then=mcts", "random-start(then=mcts())")
    assert len({text_of(text) for text in texts}) == 1


def test_weights_have_one_order() -> None:
    texts = ("alphabeta:eval=stages(corner=1,centre=2)", "alphabeta:eval=stages(centre=2,corner=1)")
    assert len({text_of(text) for text in texts}) == 1


VALUES = st.sampled_from(["1", "6", "yes", "200k", "20%", "stages", "mcts", "a b", ""])
INSIDE = st.sampled_from(["uct", "mcts", "MCTS", "first"])
WEIGHTS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=3)
JUDGES = st.builds(PlayerText, st.just("stages"), WEIGHTS)


@st.composite
def players(draw: st.DrawFn, deep: bool = True) -> PlayerText:
    kind = find_kind(draw(st.sampled_from(sorted(player_kinds()))))
    name = draw(st.sampled_from([kind.name, *kind.aliases]))
    known = draw(st.permutations([option.name for option in kind.options]))
    chosen = known[: draw(st.integers(0, len(known)))]
    values = {"then": players(deep=False) if deep else INSIDE, "eval": JUDGES}
    return PlayerText(name, {option: draw(values.get(option, VALUES)) for option in chosen})


@given(players(), st.randoms())
@settings(max_examples=200)
def test_the_true_text_is_its_own_and_knows_no_order(player: PlayerText, chooser: Any) -> None:
    true = canonical(player)
    assert canonical(true) == true
    assert text_of(str(true)) == str(true)
    names = list(player.options)
    chooser.shuffle(names)
    shuffled = PlayerText(player.name, {name: player.options[name] for name in names})
    assert text_of(shuffled) == str(true)


def test_a_true_text_makes_the_same_player() -> None:
    turn = random_turn("othello", 0)
    for text in ("random_start(then=ab(eval=discs,depth=4),moves=3)", "mcts:nodes=9", "amateur"):
        made = make_player(text, turn.game, turn.position.start)
        assert made == make_player(canonical(text), turn.game, turn.position.start)
        assert made == make_player(text_of(text), turn.game, turn.position.start)


@given(st.text(max_size=30) | st.sampled_from(sorted(player_kinds())), st.text(max_size=20))
@settings(max_examples=150)
def test_any_text_makes_a_player_or_a_complaint(name: str, rest: str) -> None:
    turn = random_turn("mnk", 0)
    for text in (name, name + rest, f"{name}:{rest}", f"alphabeta:eval=lines(weight={rest})"):
        try:
            made = make_player(text, turn.game, turn.position.start)
        except InputError as error:
            assert str(error)
        else:
            made.close()
            assert parse(text_of(text)).name in player_kinds()


# ------------------------------------------------------------------ people


@pytest.mark.parametrize(
    "text",
    [
        "human",
        "Human",
        "random-start:then=human",
        "random-start(moves=3,then=human())",
        "random-start(then=random-start:then=human)",
    ],
)
def test_a_human_is_refused_where_nobody_can_be_asked(text: str) -> None:
    turn = random_turn("mnk", 0)
    make_player(text, turn.game, turn.position.start)
    with pytest.raises(Unsupported, match="a human cannot be asked here"):
        make_machine(text, turn.game, turn.position.start)


def test_everybody_else_can_be_asked_anywhere() -> None:
    turn = random_turn("kalah", 0)
    for name in MACHINES:
        if name != PERFECT:
            make_machine(name, turn.game, turn.position.start).close()
    assert HUMAN not in MACHINES


def test_a_human_has_no_options() -> None:
    turn = random_turn("mnk", 0)
    with pytest.raises(Unsupported, match="human has no options, so 'depth' cannot be set"):
        make_player("human:depth=3", turn.game, turn.position.start)
