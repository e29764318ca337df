"""Which players there are, and how to make one from its text."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.errors import Unsupported
from plyground.core.naming import is_named, name_engine
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.catalogue import register as evaluators
from plyground.evaluation.spec import EvaluatorSpec
from plyground.extensions import Extension, Numbers, Offer, used_by
from plyground.games.catalogue import register as games
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.players import levels, options, searching
from plyground.players.chance import BetterRandom, Noisy, RandomPlayer, RandomStart, Wrapper
from plyground.players.engine import EnginePlayer, UnnamedEngine
from plyground.players.gtp import GtpPlayer
from plyground.players.judging import find_judge
from plyground.players.nboard import NboardPlayer
from plyground.players.options import Option
from plyground.players.perfect import MOST_LAST, Perfect
from plyground.players.pondering import Pondering
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Player
from plyground.players.text import PlayerText, is_name, parse
from plyground.registers import Register
from plyground.search.catalogue import ALGORITHMS, Algorithm, algorithms, find_algorithm
from plyground.search.catalogue import register as algorithm_register
from plyground.solvers.catalogue import is_solved, solver_for

Make = Callable[[dict[str, Any], GameSpec, State], Player]


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player as commands and pages see it."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Make
    group: str
    aliases: tuple[str, ...] = ()


HUMAN = "human"
CODE = "code"  # the tag of records that names users' files
NOISE = Option("noise", options.share, "how often it plays any legal move instead, as in 20%")
PONDER = Option("ponder", options.yes_or_no, "whether it thinks while the opponent does")
THEN = Option("then", options.with_options, "the player that takes over; alphabeta if not given")
LAST = Option(
    "perfect", options.count(0, MOST_LAST), "from so few empty cells on, every move is proven"
)
COMMAND = Option("command", options.word, 'the engine, as in "engine -gtp"', needed=True)
ENGINE_TIME = Option("time", options.seconds, "for each move, as in 5s; beyond it the game is lost")


class Person(Player):
    """A human: only a face can ask them for a move."""


def _searching(algorithm: Algorithm) -> PlayerKind:
    def make(values: dict[str, Any], game: GameSpec, start: State) -> Player:
        player: Player = searching.make(algorithm, values, game, start)
        if values.get("ponder") and isinstance(player, SearchPlayer):
            player = Pondering(player)
        return Noisy(player, values["noise"]) if values.get("noise") else player

    return PlayerKind(
        algorithm.name,
        algorithm.summary,
        (*searching.options_of(algorithm), NOISE, PONDER),
        make,
        "search",
        tuple(alias for alias in algorithm.aliases if is_name(alias)),
    )


def _level(name: str) -> PlayerKind:
    def make(values: dict[str, Any], game: GameSpec, start: State) -> Player:
        text = parse(levels.level_text(name, game))
        if not is_solved(start):  # 10x10 Othello: the level stays, its proofs do not
            text = PlayerText(text.name, {k: v for k, v in text.options.items() if k != LAST.name})
        player = make_player(text, game, start)
        return replace(player, reaches=True) if isinstance(player, Perfect) else player

    summary = levels.SUMMARIES.get(name, "A level of some games.")
    return PlayerKind(name, summary, (), make, "level")


def _perfect(values: dict[str, Any], game: GameSpec, start: State) -> Player:
    solver, deputy = solver_for(game, start), make_player(levels.strongest(game), game, start)
    # What this player could not prove, its deputy cannot either.
    return Perfect(deputy.then if isinstance(deputy, Perfect) else deputy, solver)


def _with_last_moves(kind: PlayerKind) -> PlayerKind:
    """The same kind of player with an option to play its last moves perfectly."""

    def make(values: dict[str, Any], game: GameSpec, start: State) -> Player:
        last = values.pop(LAST.name, 0)
        player = kind.make(values, game, start)
        return Perfect(player, solver_for(game, start), last) if last else player

    return replace(kind, options=(*kind.options, LAST), make=make)


def _random_start(values: dict[str, Any], game: GameSpec, start: State) -> Player:
    then = make_player(values.get("then", "alphabeta"), game, start)
    return RandomStart(then, values.get("moves", 8))


def _engine(protocol: Callable[..., EnginePlayer]) -> Make:
    """Makes players that start their program only if the user has named it."""

    def make(values: dict[str, Any], game: GameSpec, start: State) -> Player:
        command, time_s = values.pop(COMMAND.name), values.pop(ENGINE_TIME.name, None)
        player = protocol(command, time_s=time_s, **values)
        player.expect(game, start)
        if not is_named("engine", command):
            player.engine = UnnamedEngine(command)
        return player

    return make


def _own_kinds() -> Iterator[PlayerKind]:
    first = functools.partial(searching.make, find_algorithm("first"))
    kinds = [
        PlayerKind(HUMAN, "A person.", (), lambda *_: Person(), "people"),
        *[_level(name) for name in levels.level_names()],
        PlayerKind(levels.PERFECT, levels.SUMMARIES[levels.PERFECT], (), _perfect, "level"),
        PlayerKind("random", "Any legal move.", (), lambda *_: RandomPlayer(), "chance"),
        PlayerKind(
            "better-random",
            "One of the two moves that look best.",
            (searching.JUDGE,),
            lambda values, game, start: BetterRandom(find_judge(values.get("eval"), game, start)),
            "chance",
        ),
        PlayerKind(
            "random-start",
            "Random at first, then another player.",
            (
                Option("moves", options.count(0, 1000), "random ones of its own; 8 if not given"),
                THEN,
            ),
            _random_start,
            "chance",
        ),
        PlayerKind("first", "The first legal move.", (), first, "chance", ("brute-force",)),
        *[_searching(each) for each in ALGORITHMS if each.call != "move"],
        PlayerKind(
            "gtp",
            "An engine that speaks the Go Text Protocol.",
            (COMMAND, ENGINE_TIME),
            _engine(GtpPlayer),
            "engine",
        ),
        PlayerKind(
            "nboard",
            "An engine that speaks the NBoard protocol.",
            (COMMAND, Option("depth", options.count(1, 60), "its depth"), ENGINE_TIME),
            _engine(NboardPlayer),
            "engine",
        ),
    ]
    for kind in kinds:
        yield kind if kind.group in ("people", "level") else _with_last_moves(kind)


class _Kinds(Register[PlayerKind]):
    def offers(self) -> Iterator[Offer]:
        """Players that users add, and searches with the algorithms that they add."""
        for each, extension in super().offers():
            yield Offer(_with_last_moves(each) if isinstance(each, PlayerKind) else each, extension)
        for each in algorithms().values():
            if (origin := algorithm_register.origin(each)) is not None:
                yield Offer(_with_last_moves(_searching(each)), origin)


register = _Kinds("player", PlayerKind, _own_kinds, "@pg.player or PLAYERS = [PlayerKind(...)]")


def player_kinds() -> dict[str, PlayerKind]:
    """All kinds of players, by name."""
    return {kind.name: kind for kind in register.all()}


def find_kind(name: str) -> PlayerKind:
    """The kind of player with this name or alias."""
    return register.find(name)


def canonical(player: str | PlayerText) -> PlayerText:
    """The one canonical text of a player: its proper name, its options in their order."""
    player = parse(player) if isinstance(player, str) else player
    kind = find_kind(player.name)
    values: dict[str, str | PlayerText] = {}
    for name, value in player.options.items():
        values[name] = value
        if name == THEN.name:
            inside = canonical(value)
            values[name] = inside if inside.options else inside.name
        elif isinstance(value, PlayerText):  # an evaluator: its weights by name
            weights = dict(sorted(value.options.items()))
            values[name] = PlayerText(value.name, weights) if weights else value.name
    return options.in_order(PlayerText(kind.name, values), kind.options)


def make_player(player: str | PlayerText, game: GameSpec, start: State) -> Player:
    """The player that a text names, for games of this kind."""
    player = parse(player) if isinstance(player, str) else player
    kind = find_kind(player.name)
    values = options.read_options(player, kind.options, {})
    return kind.make(values, game, start)


def commands_of(player: str | PlayerText) -> list[str]:
    """The engines that a player would start, by their commands."""
    player = parse(player) if isinstance(player, str) else player
    if find_kind(player.name).group == "engine":
        return [str(player.options.get(COMMAND.name, ""))]
    then = player.options.get(THEN.name)
    return commands_of(then) if then else []


def code_used(game: GameSpec, start: State, players: Iterable[str | PlayerText]) -> str:
    """The users' files behind a game and its players, with their digests; '' for ours alone."""
    texts = [parse(each) if isinstance(each, str) else each for each in players]
    return used_by(
        [games.origin(game), *(each for text in texts for each in _origins(text, game, start))]
    )


def code_tags(game: GameSpec, start: State, players: Iterable[str | PlayerText]) -> dict[str, str]:
    """The same as a tag of a record, so that a later change of a file can be seen."""
    used = code_used(game, start, players)
    return {CODE: used} if used else {}


def _origins(
    player: PlayerText, game: GameSpec, start: State
) -> Iterator[Extension | Numbers | None]:
    kind = find_kind(player.name)
    yield register.origin(kind)
    if kind.group == "level" and kind.name != levels.PERFECT:
        yield from _origins(parse(levels.level_text(kind.name, game)), game, start)
    for name, value in player.options.items():
        if name == THEN.name:
            yield from _origins(options.with_options(value, name), game, start)
        elif name == searching.JUDGE.name:
            judge = options.with_options(value, name)
            yield _behind(find_evaluator(judge.name, start))
    if searching.JUDGE in kind.options and searching.JUDGE.name not in player.options:
        yield _behind(find_evaluator(None, start))


def _behind(spec: EvaluatorSpec) -> Extension | Numbers | None:
    """A user's code or learned numbers; None for our own code."""
    return Numbers(spec.name, spec.version) if spec.version else evaluators.origin(spec)


def name_engines(player: str | PlayerText) -> None:
    """Allow the engines of a player that the user named: for words of a command, nothing else."""
    for command in commands_of(player):
        name_engine(command)


def make_machine(player: str | PlayerText, game: GameSpec, start: State) -> Player:
    """The player that a text names, where no human can be asked."""
    made = inside = make_player(player, game, start)
    while isinstance(inside, Wrapper):
        inside = inside.then
    if isinstance(inside, Person):
        raise Unsupported("a human cannot be asked here, only at either side of `plyground play`")
    return made
