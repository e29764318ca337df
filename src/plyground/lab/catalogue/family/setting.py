"""What can be set; on which games and positions, by which algorithms.

Positions are plain data: settings of the game, and the moves of a random opening. A synthetic tree
is its own position, by its seed. Evaluators are the games' own defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pydantic import Field

from plyground.lab.published_data import Published, published
from plyground.lab.spec import Parameters
from plyground.lab.tasks import openings
from plyground.search.catalogue import ALGORITHMS

GameName = Literal["connect4", "othello", "kalah", "mnk", "double-card", "synthetic"]
ComparedGame = Literal["othello", "connect4", "synthetic"]
Judge = Literal["stores", "rich"]
OrderName = Literal["table", "shallow"]
Position = Mapping[str, Any]
"""Under "settings" those of the game, under "moves" the opening."""

MINIMAX, ALPHABETA, SCOUT, MTDF, MT_SSS = "minimax", "alphabeta", "scout", "mtdf", "mt-sss"
# One name per kernel: Althöfer's algorithm as Siew prints it is alpha-beta.
EXACT = tuple(
    each.name for each in ALGORITHMS if each.equals_minimax and each.name != "althofer-printed"
)
RIVALS = {
    "mtdf": "MTD(f)",
    "aspns": "aspiration NegaScout",
    "abmemory": "alpha-beta",
    "mt-dual": "MT-DUAL*",
    "mt-sss": "MT-SSS*",
}
"""Those of Plaat et al., in their order; alpha-beta is the one with memory."""
ASPIRATION = "aspns"
TWINS = {"sss": "mt-sss", "dual": "mt-dual"}
AT_KALAH = (ALPHABETA, SCOUT, "scout-eval")


@dataclass(frozen=True)
class Setting:
    """How a game takes part."""

    title: str
    plies: int
    """Of random moves before the search."""
    depth: int
    """Of the portrait, in which minimax looks at everything."""
    compared: int = 0
    """Of the comparison by iterative deepening."""
    order: str = "table"
    settings: Mapping[str, Any] = field(default_factory=dict)


BRANCHING = 5
GAMES: Mapping[str, Setting] = {
    "connect4": Setting("Connect Four", 4, 7, 10, "weights"),
    "othello": Setting("Othello", 8, 6, 8, "weights"),
    "kalah": Setting("Kalah", 4, 7),
    "mnk": Setting("4,4,4 game", 4, 5, 0, "weights", {"m": 4, "n": 4, "k": 4}),
    "double-card": Setting("Double Card", 6, 3),
    "synthetic": Setting(
        "synthetic trees",
        0,
        7,
        8,
        "table",
        {"branching": BRANCHING, "depth": 12, "leaves": "incremental", "spread": 20},
    ),
}
TREES: Mapping[str, Mapping[str, Any]] = {
    "independent": {"leaves": "independent"},
    "incremental": {"leaves": "incremental", "spread": 20},
    "ordered": {"leaves": "ordered", "quality": 0.7, "spread": 20},
}


class FamilyParameters(Parameters):
    """Sizes of the samples, what to compare, and how deep to look."""

    games: tuple[GameName, ...] = Field(
        get_args(GameName), min_length=1, description="games of the portrait"
    )
    algorithms: tuple[str, ...] = Field(
        EXACT, description="exact algorithms of the portrait; minimax and alphabeta always"
    )
    positions: int = Field(20, ge=2, le=500, description="positions of each game in the portrait")
    compared_games: tuple[ComparedGame, ...] = Field(
        get_args(ComparedGame), min_length=1, description="games on which MTD(f) meets its rivals"
    )
    compared_positions: int = Field(40, ge=2, le=1000, description="positions of each of them")
    guesses: tuple[Literal[1, 2], ...] = Field(
        (1, 2), min_length=1, description="plies back to the value that serves as the guess"
    )
    half_windows: tuple[int, ...] = Field(
        (10, 25, 50, 100),
        min_length=1,
        description="of aspiration NegaScout, on either side of the guess; the best one counts",
    )
    shallower: int = Field(0, ge=0, le=4, description="plies less deep than each game's usual")
    tree_depth: int = Field(8, ge=2, le=10, description="plies of the trees for SSS* and DUAL*")
    trees: int = Field(100, ge=2, le=10_000, description="such trees of each kind")
    kalah_depth: int = Field(9, ge=2, le=12, description="the deepest search of SCOUT at Kalah")
    kalah_positions: int = Field(50, ge=2, le=1000, description="positions there")
    kalah_evaluators: tuple[Judge, ...] = Field(
        get_args(Judge), min_length=1, description="evaluators there"
    )
    kalah_orders: tuple[OrderName, ...] = Field(
        get_args(OrderName),
        min_length=1,
        description="orders of moves there: as listed (table), by evaluation (shallow)",
    )
    memory_mb: int = Field(32, ge=1, le=1024, description="of each table")
    repetitions: int = Field(3, ge=1, le=99, description="of each timed search")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, other positions")

    @property
    def chosen(self) -> list[str]:
        """The algorithms of the portrait, in the order of the catalogue."""
        return [name for name in EXACT if name in (MINIMAX, ALPHABETA, *self.algorithms)]

    def depths(self, game: str) -> range:
        """Of the portrait."""
        return range(2, max(2, GAMES[game].depth - self.shallower) + 1)

    def compared_depth(self, game: str) -> int:
        return max(2, GAMES[game].compared - self.shallower)

    @property
    def kalah_depths(self) -> range:
        return range(2, self.kalah_depth + 1)


QUICK = {
    "games": ("connect4", "kalah"),
    "algorithms": (MINIMAX, ALPHABETA, SCOUT, "negascout", MTDF),
    "positions": 5,
    "compared_games": ("connect4",),
    "compared_positions": 10,
    "guesses": (1,),
    "shallower": 2,
    "tree_depth": 6,
    "trees": 10,
    "kalah_depth": 7,
    "kalah_positions": 10,
    "kalah_evaluators": ("stores",),
    "kalah_orders": ("table",),
    "repetitions": 1,
}


def positions_of(game: str, count: int, seed: int) -> list[dict[str, Any]]:
    """So many positions, the same for the same seed."""
    setting = GAMES[game]
    known = dict(setting.settings)
    if game == "synthetic":
        return [{"settings": known | {"seed": seed + i}, "moves": ""} for i in range(count)]
    begun = openings(game, setting.plies, count, seed, known)
    return [{"settings": known, "moves": moves} for moves in begun]


def windowed(half_window: int) -> str:
    """The name of aspiration NegaScout with a window of its own."""
    return f"{ASPIRATION} {half_window}"


def in_parts(positions: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """For cells that are neither tiny nor endless."""
    return [positions[at : at + size] for at in range(0, len(positions), size)]


def plaat() -> Published:
    """What is known of the study of best-first algorithms."""
    return published("plaat1996")


def kalah_study() -> Published:
    """What is known of the comparisons at Kalah."""
    return published("pearl_noe")
