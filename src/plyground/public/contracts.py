"""Whether all that a file offers keeps the promises of its kind: what `plyground check` runs.

Each kind has its contract beside its specification; here the parts are brought together: which
games an evaluator, an algorithm or a player is tried on, and what is said when all is well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from plyground.core.errors import Unsupported, shorten
from plyground.core.records import GameRecord, PositionRecord
from plyground.evaluation.check import check_evaluator
from plyground.evaluation.spec import EvaluatorSpec
from plyground.extensions import LISTS, Extension
from plyground.formats.spec import Format, Read, Record
from plyground.games.catalogue import find_game, games
from plyground.games.check import BrokenPromise, check_game, demand
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec
from plyground.lab.parameters import read_parameters
from plyground.lab.runner import Plan
from plyground.lab.spec import Experiment
from plyground.matches.one_game import play_game
from plyground.players.catalogue import PlayerKind, make_machine
from plyground.players.chance import RandomPlayer
from plyground.players.judging import read_evaluator
from plyground.public.extending import use
from plyground.search.catalogue import Algorithm
from plyground.search.check import check_algorithm
from plyground.solvers.check import check_solver
from plyground.solvers.spec import SolverSpec

SMALL: dict[str, dict[str, Any]] = {
    "mnk": {},
    "connect4": {"width": 4, "height": 4, "connect": 3},
    "kalah": {"pits": 3, "seeds": 2},
}
"""Games on which anything for any game is tried, with their settings: quick, and unlike."""


class Contracts:
    """The contracts of all kinds, for some number of random games from a seed."""

    def __init__(self, count: int, seed: int, settings: dict[str, str] | None = None) -> None:
        self.count, self.seed, self.settings = count, seed, settings or {}

    def of(self, extension: Extension) -> Iterator[str]:
        """A line about each thing that an extension offers. Raises BrokenPromise."""
        own = extension.offers("game")
        checks: dict[str, Callable[[Any, list[GameSpec]], str]] = {
            "game": lambda game, _: self.game(game),
            "evaluator": self.evaluator,
            "algorithm": self.algorithm,
            "player": self.player,
            "level": lambda levels, _: self.levels(levels),
            "solver": lambda solver, _: self.solver(solver),
            "format": self.format,
            "experiment": lambda experiment, _: self.experiment(experiment),
        }
        things = [(kind, each) for kind in LISTS for each in extension.offers(kind)]
        if not things:
            raise Unsupported(
                f"{extension.label} offers nothing; expected GAME = GameSpec(...), or one of "
                "@pg.evaluator, @pg.algorithm, @pg.player, @pg.experiment"
            )
        for kind, thing in things:
            yield checks[kind](thing, own)

    def game(self, game: GameSpec) -> str:
        start = self._begin(game).start
        states = check_game(game, start, self.count, self.seed)
        for level in game.levels:
            make_machine(level, game, start).close()
        return f"{game.name}: {states:,} positions of {self.count} random games keep the contract"

    def evaluator(self, spec: EvaluatorSpec, own: list[GameSpec]) -> str:
        known = {game.name: game for game in (*games().values(), *own)}.values()
        begun = [self._begin(game) for game in known if {*game.classes} & {*spec.games}]
        judged = [each for each in begun if isinstance(each.start, spec.games)]
        if spec.games and not judged:
            names = ", ".join(cls.__name__ for cls in spec.games)
            why = "begins there; try --set" if begun else "that is known has such states"
            raise Unsupported(f"evaluator {spec.name} judges {names}: no game {why}")
        judged = judged or self._for_any(own)
        total = 0
        for each in judged:
            game, start = each.game, each.start
            evaluator = spec.make_for(game, start)
            total += check_evaluator(spec, evaluator, game, start, self.count, self.seed)
        where = ", ".join(each.game.name for each in judged)
        return f"evaluator {spec.name}: {total:,} positions of {where} keep the contract"

    def algorithm(self, algorithm: Algorithm, own: list[GameSpec]) -> str:
        total, tried = 0, self._for_any(own)
        for begun in tried:
            evaluator, _ = read_evaluator(None, begun.game, begun.start)
            total += check_algorithm(algorithm, begun.game, begun.start, evaluator, self.seed)
        value = "the value of minimax" if algorithm.equals_minimax else "legal moves"
        where = ", ".join(begun.game.name for begun in tried)
        return f"algorithm {algorithm.name}: {value} in all of {total:,} searches of {where}"

    def player(self, kind: PlayerKind, own: list[GameSpec]) -> str:
        """Each game is played twice: with one seed, a player answers the same."""
        played = 0
        for begun in self._for_any(own):
            for seat in (0, 1):
                one, other = (self._played(kind, begun, seat) for _ in range(2))
                _demand_same(kind, begun, one, other)
                played += 1
        return f"player {kind.name}: {played} games against random moves, all legal, and repeatable"

    def _played(self, kind: PlayerKind, begun: BasePosition, seat: int) -> GameRecord:
        player = make_machine(kind.name, begun.game, begun.start)
        seats = (player, RandomPlayer()) if seat == 0 else (RandomPlayer(), player)
        record = play_game(begun, seats, ("", ""), self.seed)
        player.close()
        if record.forfeited_by == seat:
            state = begun.play_all(move.move for move in record.moves).state
            reason = record.reason.partition(": ")[2]
            demand(begun.game, state, False, f"is lost at once by player {kind.name}: {reason}")
        return record

    def levels(self, levels: dict[str, dict[str, str]]) -> str:
        made = 0
        for name, texts in levels.items():
            game = find_game(name)
            for text in texts.values():
                make_machine(text, game, self._begin(game).start).close()
                made += 1
        return f"levels: {made} of {', '.join(levels)} can be played"

    def solver(self, spec: SolverSpec) -> str:
        game = find_game(spec.name)
        total = check_solver(spec, game, self._begin(game).start, self.count, self.seed)
        return f"solver of {game.name}: {total:,} positions have the score of their best move"

    def format(self, found: Format, own: list[GameSpec]) -> str:
        """What is written is recognised and read back: games, or positions if it holds no games."""
        if found.write is None:
            return f"format {found.name}: read only, nothing to compare with"
        names = found.games or [game.name for game in own] or SMALL
        played = [self._random_game(find_game(name)) for name in names]
        records: list[Record] = [record for record, _ in played]
        try:
            data = found.write(records)
        except Unsupported:
            records = [
                PositionRecord(each.game.name, each.text)
                for _, end in played
                for each in end.path[:-1]
            ]
            data = found.write(records)
        if not found.recognises(data) > 0:
            raise BrokenPromise(f"format {found.name}: it does not recognise what it writes")
        read = [item.record for item in found.read(data) if isinstance(item, Read)]
        for number, (wrote, back) in enumerate(zip_longest(records, read), 1):
            if _told(wrote) != _told(back):
                raise BrokenPromise(
                    f"format {found.name}: number {number} of what it wrote is {_told(wrote)}, "
                    f"and {_told(back)} when it is read back"
                )
        kind = "game" if isinstance(records[0], GameRecord) else "position"
        some = f"{len(records)} {kind}{'' if len(records) == 1 else 's'}"
        return f"format {found.name}: {some} written and read back"

    def _random_game(self, game: GameSpec) -> tuple[GameRecord, BasePosition]:
        begun = BasePosition.begin(game)
        record = play_game(begun, (RandomPlayer(), RandomPlayer()), ("", ""), self.seed)
        return record, begun.play_all(move.move for move in record.moves)

    def experiment(self, experiment: Experiment[Any]) -> str:
        """No two cells are equal, and the last of the quick ones can be measured."""
        parameters = [read_parameters(experiment, quick, {}) for quick in (False, True)]
        full, quick = (Plan(experiment, each) for each in parameters)
        if not quick.cells:
            raise BrokenPromise(f"experiment {experiment.name}: it has nothing to measure")
        if len(full.cells) > len(full.by_key):
            raise BrokenPromise(f"experiment {experiment.name}: some of its cells are equal")
        quick.cells[-1].measure()
        cells = f"{len(full.cells)} cells, {len(quick.cells)} with --quick"
        return f"experiment {experiment.name}: {cells}"

    # ------------------------------------------------------------------ what to try it on

    def _begin(self, game: GameSpec) -> BasePosition:
        return BasePosition.begin(game, self.settings)

    def _for_any(self, own: list[GameSpec]) -> list[BasePosition]:
        """Where a thing for any game is tried: on the games of its file, or on small ones."""
        if own:
            return [self._begin(game) for game in own]
        if self.settings:
            raise Unsupported(
                f"--set: the file has no game to set; {', '.join(SMALL)} are tried as they are"
            )
        return [BasePosition.begin(name, chosen) for name, chosen in SMALL.items()]


def _demand_same(kind: PlayerKind, begun: BasePosition, one: GameRecord, other: GameRecord) -> None:
    """Raise BrokenPromise where two games with one seed part."""
    moves = [[move.move for move in record.moves] for record in (one, other)]
    for ply, (first, second) in enumerate(zip(*moves, strict=False)):
        demand(
            begun.game,
            begun.play_all(moves[0][:ply]).state,
            first == second,
            f"is answered by player {kind.name} with {first} and, asked again with the same seed, "
            f"with {second}; take chance from turn.random",
        )


def _told(record: Record | None) -> str:
    """What a record must say after it was written and read: its moves, or its position."""
    if isinstance(record, GameRecord):
        return repr(shorten(" ".join(move.move for move in record.moves), 200))
    return "nothing" if record is None else repr(record.position)


def check(file: str | os.PathLike[str], games: int = 20, seed: int = 1) -> list[str]:
    """Check all that a Python file offers against the contracts of its kinds; a line about each.

    `games` random games are played for each. Raises PlygroundError, which names the position that
    fails.
    """
    return list(Contracts(games, seed).of(use(file)))
