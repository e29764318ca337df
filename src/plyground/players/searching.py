"""Players that search: every algorithm of the catalogue, with limits, an evaluator and parts.

Without any limit a player thinks for `DEFAULT_NODES` nodes, depth by depth: moves come at once on
every game, whatever its branching, and are the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from plyground.core.errors import InputError, MalformedText, Unsupported, shorten, unknown
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.games.squares import is_pass
from plyground.kernel import Slab
from plyground.players import options
from plyground.players.judging import Judge, find_judge
from plyground.players.options import Option
from plyground.players.spec import Choice, Interruptible, Player, Turn
from plyground.players.text import PlayerText
from plyground.search.catalogue import Algorithm
from plyground.search.clock import STOP
from plyground.search.pruning import PRUNINGS, STOPS
from plyground.search.run import check, prepare, search
from plyground.search.setup import (
    DEFAULT_MEMORY,
    FINISHES,
    MOST_PLIES,
    ORDERS,
    SHALLOW_SIGNS,
    Limits,
    Setup,
    Sorting,
    default_finish,
)

DEFAULT_NODES = 200_000
MOST_LISTED = 2**20  # numbers of moves in a list: its table has a place for each
HURRY = 0.95  # of a time limit: the rest is for what comes after the search

LIMITS = (
    Option("depth", options.count(1, MOST_PLIES), "plies to look ahead"),
    Option("time", options.seconds, "for each move, as in 2s or 500ms"),
    Option("nodes", options.nodes, f"to visit for each move; without any limit {DEFAULT_NODES:,}"),
)
JUDGE = Option("eval", options.with_options, "the evaluator, as in stages(early_mobility=12)")
MEMORY = Option("memory", options.size, "for its table or tree, as in 64MB")
ORDER = Option(
    "order",
    lambda value, _: value,  # the moves in it are read with the game: see `read_order`
    f"of moves: {', '.join(ORDERS)}; moves to try first, as in 4,5,3; shallow(eval=NAME)",
)
PRUNE = Option("prune", options.one_of(*PRUNINGS), "unsound: isolated leaves out far-off moves")
REMEMBER = Option("remember", options.size, "for values of the evaluator, as in 16MB")
STOP_AT = Option("stop", options.one_of(*STOPS), "win: looks no further where a move wins at once")
SYMMETRIC = Option("symmetric", options.yes_or_no, "whether mirrored positions share an entry")
THREADS = Option("threads", options.count(1, 256), "that share the table")
TIES = Option("ties", options.one_of("first", "random"), "which of equal moves: first, random")
FINISH = Option(
    "finish", options.one_of(*FINISHES), "what tells wins apart: " + ", ".join(FINISHES)
)
ENDGAME = Option("endgame", options.count(0, 60), "solve when so few cells are empty")
SIMULATIONS = Option("simulations", options.nodes, "for each move; without any limit 20,000")
NODES_OF_UCT = Option("nodes", options.nodes, "to visit for each move")


def options_of(algorithm: Algorithm) -> tuple[Option, ...]:
    """What can be set for an algorithm."""
    if algorithm.call == "uct":
        return (LIMITS[1], NODES_OF_UCT, SIMULATIONS, JUDGE, MEMORY)
    if algorithm.name == "greedy":
        return (JUDGE,)
    found = [*LIMITS, JUDGE, REMEMBER, ORDER, PRUNE]
    if algorithm.uses_table:
        found += [MEMORY, SYMMETRIC]
    elif algorithm.call == "best-first":
        found.append(MEMORY)
    found += [FINISH, ENDGAME]
    if algorithm.name == "abmemory":
        found.append(THREADS)
    return (*found, STOP_AT, TIES) if algorithm.equals_minimax else tuple(found)


@dataclass
class SearchPlayer(Interruptible):
    """Answers with what a search finds."""

    bare: Setup
    """What it searches with, perhaps before its evaluator is made."""
    limits: Limits
    has_own_limit: bool
    random_ties: bool
    judge: Judge | None = None
    """Makes its evaluator; None where it needs none."""

    @property
    def setup(self) -> Setup:
        """What it searches with."""
        return replace(self.bare, evaluator=self.judge.evaluator) if self.judge else self.bare

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        if len(turn.legal) == 1:
            return Choice(turn.legal[0])
        setup = self._setup(turn)
        found = search(turn.game, turn.state, setup, self._limits(turn.time_s), stop=stop)
        move = turn.legal[0] if found.move is None else found.move
        if self.bare.algorithm.call == "move":
            return Choice(move)
        counts = found.counters
        if stop is not None and stop[STOP] and not found.depth:
            # Stopped before anything was found: a ply takes no time, and any move would be worse.
            found = search(turn.game, turn.state, setup, Limits(depth=1), stop=Slab(1))
            move = found.line[0]
            counts = {name: count + found.counters[name] for name, count in counts.items()}
        return Choice(
            move,
            found.score,
            found.depth,
            counts["nodes"],
            found.line,
            leaves=counts["leaves"],
            passes=counts["passes"],
        )

    def prepare(self, turn: Turn) -> None:
        prepare(turn.game, turn.state, self._setup(turn))

    def _setup(self, turn: Turn) -> Setup:
        is_chancy = self.random_ties or self.bare.algorithm.call in ("uct", "move")
        return replace(self.setup, seed=turn.chance if is_chancy else None)

    def _limits(self, time_s: float | None) -> Limits:
        """The time limit of a turn replaces the default limit, and adds to the player's own."""
        own = self.limits
        if time_s is None:
            return own
        least = HURRY * min(time_s, own.time_s or time_s)
        nodes = own.nodes if self.has_own_limit else None
        return replace(own, time_s=least, nodes=nodes)


def make(algorithm: Algorithm, values: dict[str, Any], game: GameSpec, start: State) -> Player:
    """The player that searches with an algorithm under these options."""
    judge = find_judge(values.get("eval"), game, start, values.get("remember"))
    if values.get("symmetric") and not judge.spec.is_symmetric:
        raise Unsupported("this evaluator tells mirrored positions apart; leave out symmetric=yes")
    by_playouts = algorithm.call == "uct" and "eval" not in values
    judges = algorithm.call != "move" and not by_playouts
    setup = Setup(
        algorithm=algorithm,
        evaluator=judge.evaluator if judge.is_at_hand else judge.spec.make(),
        finish=FINISHES[values.get("finish", default_finish(game))],
        order=read_order(values.get("order", "natural"), f"{algorithm.name}: order", game, start),
        memory_bytes=values.get("memory", DEFAULT_MEMORY),
        symmetric=values.get("symmetric", False),
        threads=values.get("threads", 1),
        pruning=PRUNINGS[values["prune"]] if "prune" in values else None,
        first_win=STOPS[values["stop"]] if "stop" in values else None,
        simulations=values.get("simulations", Setup.simulations),
        playouts=by_playouts,
    )
    check(game, start, setup)
    given = [values.get(name) for name in ("depth", "time", "nodes", "simulations")]
    has_own_limit = any(limit is not None for limit in given)
    depth, time_s, nodes, _ = given
    if not has_own_limit and algorithm.call not in ("uct", "move"):
        nodes = DEFAULT_NODES
    limits = Limits(depth, time_s, nodes, values.get("endgame", 0))
    ties = values.get("ties") == "random"
    return SearchPlayer(setup, limits, has_own_limit, ties, judge if judges else None)


def read_order(wanted: str | PlayerText, what: str, game: GameSpec, start: State) -> str | Sorting:
    """An order by its name, as moves to try first, or as shallow(eval=NAME)."""
    if isinstance(wanted, str) and "(" in wanted:
        wanted = options.with_options(wanted, what)
    if isinstance(wanted, PlayerText):
        if wanted.name not in SHALLOW_SIGNS or wanted.options.keys() != {JUDGE.name}:
            raise MalformedText(f"{what} {shorten(str(wanted))!r}: expected shallow(eval=NAME)")
        by = options.with_options(wanted.options[JUDGE.name], what)
        return Sorting(wanted.name, evaluator=find_judge(by, game, start).evaluator)
    if (name := wanted.strip().lower()) in ORDERS:
        return name
    return Sorting(listed=_read_moves(wanted, what, game, start))


def _read_moves(text: str, what: str, game: GameSpec, start: State) -> tuple[int, ...]:
    """Moves as the game writes them, legal at its start or not."""
    moves: list[int] = []
    read = game.read_move or game.parse_move
    try:
        for word in game.split_moves(text):
            move = read(start, word)
            if move in moves:
                raise MalformedText(f"{shorten(word)!r} is listed twice")
            if is_pass(word) or move >= MOST_LISTED:
                raise MalformedText(f"{shorten(word)!r} cannot be listed")
            moves.append(move)
    except InputError as error:
        if text.isalpha():
            raise unknown(what, text, ORDERS) from None
        raise MalformedText(f"{what} {shorten(text)!r}: {error}") from None
    if not moves:
        raise MalformedText(f"{what} {shorten(text)!r}: expected a name, or moves to try first")
    return tuple(moves)
