"""Evaluators as texts name them: with weights, made when they are first needed."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace

from plyground.core.errors import MalformedText, shorten, unknown
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.remembered import remembered
from plyground.evaluation.spec import Evaluator, EvaluatorSpec
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.players import options
from plyground.players.choosing import choose_evaluator
from plyground.players.text import PlayerText
from plyground.search.setup import FINISHES, default_finish

MOST_WEIGHT = 1000  # or ten times the usual: values must stay below what a win is worth


@dataclass
class Judge:
    """An evaluator as a text names it, made when it is first needed.

    Players are made to see whether they can be, and an evaluator for any game takes seconds to be
    fitted to one for the first time.
    """

    spec: EvaluatorSpec
    weights: dict[str, int]
    """Those that differ from the usual ones."""
    game: GameSpec
    start: State
    memory_bytes: int | None = None
    """For its values, if they are to be remembered."""

    @property
    def is_at_hand(self) -> bool:
        """Whether it takes no time to make."""
        return self.spec.fit is None and not self.spec.is_choice

    @property
    def text(self) -> str:
        """Its name, with the weights that differ."""
        weights = ",".join(f"{name}={value}" for name, value in self.weights.items())
        return f"{self.spec.name}({weights})" if weights else self.spec.name

    @functools.cached_property
    def chosen(self) -> Judge:
        """Itself, or what is chosen for the game where that is left open."""
        if not self.spec.is_choice:
            return self

        def make(text: str) -> Evaluator:
            return read_judge(text, self.game, self.start).evaluator

        finish = FINISHES[default_finish(self.game)]
        text = choose_evaluator(self.game, self.start, finish, make)
        return replace(read_judge(text, self.game, self.start), memory_bytes=self.memory_bytes)

    @functools.cached_property
    def evaluator(self) -> Evaluator:
        if self.chosen is not self:
            return self.chosen.evaluator
        made = self.spec.make_for(self.game, self.start)._replace(**self.weights)
        return made if self.memory_bytes is None else remembered(made, self.memory_bytes)


def read_evaluator(
    text: str | None, game: GameSpec, start: State
) -> tuple[Evaluator, EvaluatorSpec]:
    """The evaluator that a text names, with its weights; of None the game's own.

    The name of one that was chosen for the game has the chosen weights in it.
    """
    judge = read_judge(text, game, start)
    if judge.chosen is judge:
        return judge.evaluator, judge.spec
    return judge.evaluator, replace(judge.chosen.spec, name=judge.chosen.text)


def read_judge(text: str | None, game: GameSpec, start: State) -> Judge:
    """The same, to be made when it is needed."""
    wanted = None if text is None else options.with_options(text, "evaluator")
    return find_judge(wanted, game, start)


def find_judge(
    wanted: PlayerText | None, game: GameSpec, start: State, memory_bytes: int | None = None
) -> Judge:
    """An evaluator with weights as in `stages(early_mobility=12)`. Raises InputError."""
    spec = find_evaluator(wanted.name if wanted else None, start)
    usual = {k: v for k, v in spec.make()._asdict().items() if isinstance(v, int)}
    weights: dict[str, int] = {}
    for name, value in (wanted.options if wanted else {}).items():
        if name not in usual:
            raise unknown(f"weight of {spec.name}", name, usual)
        text = options.word(value, name)
        most = max(MOST_WEIGHT, 10 * abs(usual[name]))
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text, re.ASCII) or abs(int(text)) > most:
            raise MalformedText(
                f"{spec.name}: {name} {shorten(text)!r}: expected a whole number, at most {most:,}"
            )
        weights[name] = int(text)
    return Judge(spec, weights, game, start, memory_bytes)
