"""The list of algorithms: what each promises, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plyground.registers import Register
from plyground.search.abmemory import abmemory
from plyground.search.alphabeta import alphabeta
from plyground.search.althofer import althofer
from plyground.search.aspiration import aspiration
from plyground.search.baselines import greedy
from plyground.search.falphabeta import falphabeta
from plyground.search.minimax import minimax
from plyground.search.mt_dual import mt_dual
from plyground.search.mt_sss import mt_sss
from plyground.search.mtd_bi import mtd_bi
from plyground.search.mtd_step import mtd_step
from plyground.search.mtdf import mtdf
from plyground.search.negamax import negamax
from plyground.search.negascout import negascout
from plyground.search.palphabeta import palphabeta
from plyground.search.palphabeta_printed import palphabeta_printed
from plyground.search.quiescence import quiescence
from plyground.search.scout import scout, scout_eval
from plyground.search.scout_printed import scout_printed
from plyground.search.sss import sss
from plyground.search.uct import uct

Call = Literal["window", "guess", "plain", "first", "best-first", "uct", "move"]


@dataclass(frozen=True)
class Algorithm:
    """A search algorithm as commands and tests see it."""

    name: str
    kernel: Any
    call: Call
    """How it is called: with a window, with a guess, with neither (valued for the side to move, or
    for the first player), with memory for open nodes or for a tree, or only to choose a move."""
    summary: str
    paper: str
    aliases: tuple[str, ...] = ()
    uses_table: bool = False
    """Whether a transposition table helps it; with `needs_table`, it cannot do without."""
    needs_table: bool = False
    equals_minimax: bool = True
    """Whether it promises the value of minimax, which tests then demand."""
    maximise: bool = True
    """For best-first searches: whether the side to move is MAX."""

    @property
    def ends_by_itself(self) -> bool:
        """Whether it needs no limit."""
        return self.call in ("uct", "move") or self.name == "greedy"


def _driver(name: str, kernel: Any, summary: str, aliases: tuple[str, ...] = ()) -> Algorithm:
    """A driver of minimal windows, whose passes build on what the table holds of earlier ones."""
    paper = "Plaat et al. 1996"
    return Algorithm(
        name, kernel, "guess", summary, paper, aliases, uses_table=True, needs_table=True
    )


ALGORITHMS = (
    Algorithm(
        "minimax",
        minimax,
        "first",
        "Looks at every node; players maximise and minimise.",
        "von Neumann 1928",
    ),
    Algorithm(
        "negamax",
        negamax,
        "plain",
        "Minimax from the side to move's point of view.",
        "Knuth & Moore 1975",
    ),
    Algorithm(
        "althofer",
        althofer,
        "window",
        "Adds the static values of inner nodes.",
        "Althöfer 1990, Abdelbar 2012",
        aliases=("incremental-negamax",),
        equals_minimax=False,
    ),
    Algorithm(
        "althofer-printed",
        alphabeta,
        "window",
        "As Siew 2020 prints it: plain alpha-beta.",
        "Siew 2020, algorithm 1",
    ),
    Algorithm(
        "alphabeta",
        alphabeta,
        "window",
        "Leaves out what cannot matter; fail-hard.",
        "Knuth & Moore 1975",
        aliases=("alpha-beta", "ab"),
    ),
    Algorithm(
        "falphabeta",
        falphabeta,
        "window",
        "Alpha-beta, fail-soft.",
        "Campbell & Marsland 1983",
        aliases=("fail-soft",),
    ),
    Algorithm(
        "palphabeta",
        palphabeta,
        "plain",
        "Proves later moves worse with a minimal window.",
        "Campbell & Marsland 1983",
    ),
    Algorithm(
        "palphabeta-printed",
        palphabeta_printed,
        "plain",
        "As Siew 2020 prints it: wrong, searches the first move again instead of the better one.",
        "Siew 2020, algorithm 3",
        equals_minimax=False,
    ),
    Algorithm(
        "scout",
        scout,
        "first",
        "Tests whether a move is better before evaluating it.",
        "Pearl 1980",
    ),
    Algorithm("scout-eval", scout_eval, "first", "SCOUT as the pair EVAL and TEST.", "Pearl 1980"),
    Algorithm(
        "scout-printed",
        scout_printed,
        "first",
        "As a study of Othello prints EVAL and TEST: wrong, takes the last move or the first.",
        "Hernandez et al. 2019, algorithms 1 and 2",
        equals_minimax=False,
    ),
    Algorithm(
        "negascout",
        negascout,
        "window",
        "SCOUT and alpha-beta in one.",
        "Reinefeld 1983",
        aliases=("pvs",),
    ),
    Algorithm(
        "abmemory",
        abmemory,
        "window",
        "Alpha-beta with a table of bounds.",
        "Plaat et al. 1996",
        aliases=("ab-memory",),
        uses_table=True,
    ),
    _driver(
        "mtdf", mtdf, "Minimal windows that close in from a guess.", aliases=("mtd-f", "mtd(f)")
    ),
    _driver("mtd-bi", mtd_bi, "Minimal windows that bisect."),
    _driver("mtd-step", mtd_step, "Minimal windows that come down in strides."),
    _driver("mt-sss", mt_sss, "SSS* by minimal windows from above."),
    _driver("mt-dual", mt_dual, "DUAL* by minimal windows from below."),
    Algorithm(
        "sss",
        sss,
        "best-first",
        "Best first with a list of open nodes, from above.",
        "Stockman 1979",
        aliases=("sss*",),
    ),
    Algorithm(
        "dual",
        sss,
        "best-first",
        "Best first with a list of open nodes, from below.",
        "Marsland, Reinefeld & Schaeffer 1987",
        aliases=("dual*",),
        maximise=False,
    ),
    Algorithm(
        "aspiration",
        aspiration,
        "guess",
        "A narrow window round a guess, widened on failure.",
        "Campbell & Marsland 1983",
        uses_table=True,
    ),
    Algorithm(
        "quiescence",
        quiescence,
        "window",
        "Alpha-beta that plays out noisy moves at its leaves.",
        "Beal 1990",
        equals_minimax=False,
    ),
    Algorithm(
        "uct",
        uct,
        "uct",
        "Monte-Carlo tree search; valued by random games or an evaluator.",
        "Kocsis & Szepesvári 2006",
        aliases=("mcts",),
        equals_minimax=False,
    ),
    Algorithm(
        "greedy",
        greedy,
        "plain",
        "The move after which the position looks best.",
        "folklore",
        equals_minimax=False,
    ),
    Algorithm("random", None, "move", "Any legal move.", "folklore", equals_minimax=False),
    Algorithm(
        "first",
        None,
        "move",
        "The first legal move.",
        "folklore",
        aliases=("brute-force",),
        equals_minimax=False,
    ),
)


register = Register("algorithm", Algorithm, lambda: ALGORITHMS, "ALGORITHMS = [Algorithm(...)]")


def algorithms() -> dict[str, Algorithm]:
    """All algorithms, ours and those that users add, by name."""
    return {each.name: each for each in register.all()}


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name."""
    return register.find(name)
