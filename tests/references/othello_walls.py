"""The factors of a study of Reversi that it left out, counted disc by disc.

Each function counts for one player; the cells of `NaiveOthello` are (column, row) pairs.
"""

from .grid import Cell, square_cell
from .othello import DIRECTIONS, NaiveOthello


def board(game: NaiveOthello) -> list[Cell]:
    return [(x, y) for y in range(game.size) for x in range(game.size)]


def around(game: NaiveOthello, cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in DIRECTIONS if _is_on(game, cell, x, y)]


def _is_on(game: NaiveOthello, cell: Cell, right: int, down: int) -> bool:
    return 0 <= cell[0] + right < game.size and 0 <= cell[1] + down < game.size


def is_on_edge(game: NaiveOthello, cell: Cell) -> bool:
    return any(line in (0, game.size - 1) for line in cell)


def frontier(game: NaiveOthello, player: int) -> set[Cell]:
    """Discs that touch an empty square and are not on the edge."""
    return {
        cell
        for cell, owner in game.discs.items()
        if owner == player
        and not is_on_edge(game, cell)
        and any(other not in game.discs for other in around(game, cell))
    }


def walls(game: NaiveOthello, player: int) -> list[set[Cell]]:
    """Connected groups of two or more frontier discs."""
    left, found = frontier(game, player), list[set[Cell]]()
    while left:
        wall, border = set[Cell](), [left.pop()]
        while border:
            cell = border.pop()
            wall.add(cell)
            for other in around(game, cell):
                if other in left:
                    left.remove(other)
                    border.append(other)
        found.append(wall)
    return [wall for wall in found if len(wall) > 1]


def moves(game: NaiveOthello, player: int) -> list[Cell]:
    twin = game.copy()
    twin.mover = player
    return [square_cell(text) for text in twin.legal() if text != "pass"]


def new_frontier_discs(game: NaiveOthello, player: int, move: Cell) -> int:
    """Frontier discs after a move that were no frontier discs of the player before."""
    twin = game.copy()
    twin.mover = player
    twin.play(chr(ord("a") + move[0]) + str(move[1] + 1))
    return len(frontier(twin, player) - frontier(game, player))


def quiet_moves(game: NaiveOthello, player: int) -> int:
    return sum(new_frontier_discs(game, player, move) <= 1 for move in moves(game, player))


def loud_moves(game: NaiveOthello, player: int) -> int:
    return sum(new_frontier_discs(game, player, move) >= 5 for move in moves(game, player))


def by_empty_corner(game: NaiveOthello) -> set[Cell]:
    """C and X squares whose corner is empty."""
    last = game.size - 1
    corners = [(0, 0), (0, last), (last, 0), (last, last)]
    return {cell for corner in corners if corner not in game.discs for cell in around(game, corner)}


def safe_moves(game: NaiveOthello, player: int) -> int:
    return len(set(moves(game, player)) - by_empty_corner(game))


def open_squares(game: NaiveOthello, player: int, on_edge: bool) -> int:
    """Discs on C squares (on the edge) or X squares (not there) beside an empty corner."""
    near = by_empty_corner(game)
    own = {cell for cell, owner in game.discs.items() if owner == player}
    return sum(is_on_edge(game, cell) == on_edge for cell in own & near)


def factors(game: NaiveOthello) -> dict[str, int]:
    """Those that the study names in words alone, the mover's less the other side's."""
    counts = {
        "walls": lambda player: len(walls(game, player)),
        "discs in walls": lambda player: sum(map(len, walls(game, player))),
        "longest wall": lambda player: max(map(len, walls(game, player)), default=0),
        "quiet moves": lambda player: quiet_moves(game, player),
        "loud moves": lambda player: loud_moves(game, player),
        "safe moves": lambda player: safe_moves(game, player),
        "C squares by empty corners": lambda player: open_squares(game, player, True),
        "X squares by empty corners": lambda player: open_squares(game, player, False),
    }
    return {name: count(game.mover) - count(1 - game.mover) for name, count in counts.items()}
