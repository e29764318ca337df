"""`Position`: the one object that all of Plyground is about.

It knows the rules (see `games/position.py`), draws itself, and can be searched, analysed, solved,
explained and traced. Immutable and cheap: a move makes a new position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from rich.text import Text

from plyground.core.errors import Unsupported
from plyground.drawing.pictures import picture
from plyground.drawing.terminal import UNICODE, draw_position, status_line
from plyground.extensions import refresh
from plyground.games.catalogue import name_game
from plyground.games.check import quick_check
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec, Value
from plyground.public.checking import bytes_of, seconds_of, whole
from plyground.public.extending import current

if TYPE_CHECKING:
    from plyground.drawing.notes import Mark
    from plyground.evaluation.spec import Evaluator
    from plyground.public.analysis import Analysis
    from plyground.public.explanation import Explanation
    from plyground.public.searching import SearchResult
    from plyground.public.solution import Solution
    from plyground.public.tree import Tree

MOST_PLIES = 200
MOST_NODES = 2**62
MOST_ROOM = 10_000_000
DEFAULT_SECONDS = 1.0


class Position(BasePosition):
    """A position of a game: where it began, the moves so far, and all that can be computed.

    It is immutable: `play` returns the next position. It can be compared and hashed: positions of a
    game are equal if their states are, whichever moves led there.

    >>> import plyground as pg
    >>> pos = pg.Position("connect4", "4 4 3")
    >>> pos.side, pos.moves, len(pos.legal)
    ('Red', ('4', '4', '3'), 7)
    >>> pos.play("4").moves
    ('4', '4', '3', '4')
    """

    __slots__ = ()

    def __new__(
        cls,
        game: str | GameSpec | type,
        moves: str | Iterable[str | int] = "",
        *,
        position: str | None = None,
        **settings: Value,
    ) -> Self:
        """The position of a game after some moves.

        `game` is a name of `pg.games`, a path to a Python file, a `Game`, or the class of a game's
        states. `moves` is one text, or a text for each move. `position` is where the moves begin,
        in the game's notation; without it they begin where the game does. All other keywords are
        settings of the game, as in `Position("othello", size=6)`. Raises InputError.
        """
        return cls.of(game_of(game), settings, position, moves)

    @classmethod
    def of(
        cls,
        game: GameSpec,
        settings: Mapping[str, Any],
        position: str | None = None,
        moves: str | Iterable[str | int] = "",
    ) -> Self:
        """The same with the settings as a mapping. Raises InputError.

        A game from outside the package is tried in plain Python first: it may write more moves than
        it announced, and compiled code does not check array bounds.
        """
        begun = cls.begin(game, settings, position)
        if not type(begun.start).__module__.startswith("plyground."):
            quick_check(game, begun.start)
        return begun.play_all(moves)

    # ------------------------------------------------------------------ what can be computed

    def search(
        self,
        algorithm: str = "abmemory",
        *,
        depth: int | None = None,
        seconds: float | str | None = None,
        nodes: int | None = None,
        evaluator: str | Evaluator | None = None,
        order: str = "natural",
        memory: int | str | None = None,
        symmetric: bool = False,
        finish: str | None = None,
        endgame: int = 0,
        iterate: bool = False,
        seed: int | None = None,
        threads: int = 1,
        prune: str | None = None,
        remember: int | str | None = None,
        stop: str | None = None,
        on_depth: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """The best move that an algorithm finds within a depth, a time or a number of nodes.

        With a `depth` alone, that depth is searched; with `seconds`, `nodes` or `iterate`, depth 1,
        2, 3 and so on, and `on_depth` is called with the result of each. Times may be texts such as
        `"500ms"`, and sizes of memory such as `"64MB"`.

        * `evaluator`: a name of `pg.evaluators`, a name with weights such as
          `"stages(early_mobility=12)"`, or a NamedTuple with a method `evaluate(state)`.
        * `order`: how moves are sorted, such as `"killers"`, `"history"` or `"all"`; moves to try
          first, as in `"4,5,3"`; by an evaluator of its own, as in `"shallow(eval=columns)"`.
        * `memory`: the size of the transposition table; with `symmetric`, mirrored positions share
          an entry.
        * `finish`: how finished games are valued: the nearer win is better (`"distance"`), the
          larger win is better (`"margin"`), or the score counts as it is (`"scored"`).
        * `endgame`: with so many empty cells or fewer, search to the end of the game.
        * `seed`: choose among equally good moves at random; without it, the first is taken.
        * `threads`: threads that share the table, for `abmemory`.
        * `prune`: `"isolated"` leaves out moves far from everything, which may be wrong.
        * `remember`: the size of a cache for the values of the evaluator.
        * `stop`: with `"win"`, moves behind one that wins at once are not searched; the result is
          the same.

        Raises InputError; if it is interrupted, `Interrupted`, whose `result` is what was found by
        then.

        >>> import plyground as pg
        >>> pg.Position("tictactoe", "a1 b1 a2 b2").search("negascout", depth=3).move
        'a3'
        """
        from plyground.public.searching import search_position

        return search_position(
            current(self),
            algorithm,
            depth=whole(depth, "depth", 1, MOST_PLIES),
            seconds=seconds_of(seconds),
            nodes=whole(nodes, "nodes", 1, MOST_NODES),
            evaluator=evaluator,
            order=order,
            memory=bytes_of(memory, "memory"),
            symmetric=symmetric,
            finish=finish,
            endgame=whole(endgame, "endgame", 0, 60),
            iterate=iterate,
            seed=whole(seed, "seed", 0, 2**64 - 1),
            threads=whole(threads, "threads", 1, 256),
            prune=prune,
            remember=bytes_of(remember, "remember"),
            stop=stop,
            on_depth=on_depth,
        )

    def analyse(
        self,
        *,
        seconds: float | str | None = None,
        depth: int | None = None,
        evaluator: str | Evaluator | None = None,
    ) -> Analysis:
        """Every legal move with its score: proven where the game can be solved, else searched.

        Without a limit it takes a second at most. Raises InputError, or `Interrupted` with the
        analysis so far.
        """
        from plyground.public.analysis import analyse_position

        limit_s = seconds_of(seconds)
        if limit_s is None and depth is None:
            limit_s = DEFAULT_SECONDS
        most = whole(depth, "depth", 1, MOST_PLIES)
        return analyse_position(current(self), seconds=limit_s, depth=most, evaluator=evaluator)

    def solve(self, *, all_moves: bool = False, seconds: float | str | None = None) -> Solution:
        """The exact score, the best moves and a line of best play, for games that have a solver.

        With `all_moves`, the value of every move as well. Raises Unsupported for other games, and
        TimeoutError if `seconds` were not enough.
        """
        from plyground.public.solution import solve_position

        return solve_position(current(self), all_moves=all_moves, seconds=seconds_of(seconds))

    def explain(self, evaluator: str | Evaluator | None = None) -> Explanation:
        """The value that an evaluator gives the position, factor by factor. Raises InputError."""
        from plyground.public.explanation import explain_position

        return explain_position(current(self), evaluator)

    def tree(
        self,
        algorithm: str = "alphabeta",
        *,
        depth: int = 4,
        evaluator: str | None = None,
        order: str = "natural",
        table: bool = True,
        room: int = 1_000_000,
    ) -> Tree:
        """A search with every node it visited, why each ended, and what was cut.

        Without `table`, an algorithm that can do without a transposition table has none. If there
        are more than `room` nodes, those of the deepest plies are counted only. Raises InputError.

        >>> import plyground as pg
        >>> tree = pg.Position("textbook").tree("alphabeta", depth=2)
        >>> len(tree), tree.root.worth, [node.worth for node in tree.root.children]
        (11, '3', ['3', '≤ 3', '≤ 3'])
        """
        from plyground.public.tree import trace_position

        return trace_position(
            current(self),
            algorithm,
            depth=whole(depth, "depth", 1, 60),
            evaluator=evaluator,
            order=order,
            table=table,
            room=whole(room, "room", 100, MOST_ROOM),
        )

    # ------------------------------------------------------------------ its display

    def __str__(self) -> str:
        """The board as text."""
        return draw_position(self, UNICODE).plain.rstrip("\n")

    def __repr__(self) -> str:
        status = Text.from_markup(status_line(self)).plain
        return f"{self}\n{self.game.title}: {status}"

    def svg(
        self,
        *,
        guides: bool = False,
        marks: Mapping[int, Mark | str] | None = None,
        shares: Iterable[tuple[int, float]] | None = None,
        width: int = 360,
    ) -> str:
        """The board as a self-contained SVG picture.

        `guides` shows the legal moves, `marks` are texts on cells, `shares` are the amounts that
        cells add to a value; both are by number of the cell.
        """
        from plyground.drawing.svg import position_svg

        return position_svg(self, guides=guides, marks=marks, shares=shares, width=width)

    def _repr_html_(self) -> str:
        return picture(self.svg(guides=True))


def game_of(game: str | GameSpec | type) -> GameSpec:
    """A game by its name, its file, itself, or the class of its states. Raises InputError."""
    if isinstance(game, GameSpec):
        return game
    if isinstance(game, type):
        return GameSpec.of(game)
    if isinstance(game, str) or hasattr(game, "__fspath__"):
        refresh()
        return name_game(str(game))
    raise Unsupported(
        f"a game is a name, a path to a Python file, a Game or a class of states, not {game!r}"
    )
