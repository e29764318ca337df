"""Naive Double Card: two goals, one pool of two-cell cards, recycled once all are placed."""

import copy
from typing import NamedTuple, Self

from .grid import Cell, has_line

GOALS = {"colour": "RW", "dots": "XO"}

# What a rotation shows on the anchor cell and on the other one (right: odd, above: even).
SYMBOLS = {
    1: ("RX", "WO"),
    2: ("WO", "RX"),
    3: ("WO", "RX"),
    4: ("RX", "WO"),
    5: ("RO", "WX"),
    6: ("WX", "RO"),
    7: ("WX", "RO"),
    8: ("RO", "WX"),
}


class Card(NamedTuple):
    """A card on the board: its bottom-left cell, counted from 0 at the bottom, and rotation."""

    column: int
    row: int
    rotation: int

    def cells(self) -> list[Cell]:
        anchor = self.column, self.row
        if self.rotation % 2 == 1:
            return [anchor, (self.column + 1, self.row)]
        return [anchor, (self.column, self.row + 1)]

    def face(self) -> int:
        return 1 if self.rotation <= 4 else 2


class NaiveDoubleCard:
    def __init__(
        self,
        width: int = 8,
        height: int = 12,
        cards: int = 24,
        line: int = 4,
        max_moves: int = 60,
        first_goal: str = "colour",
        same_cells: str = "turned",
        overlap: bool = True,
        buried: bool = False,
        flip: bool = True,
        on_no_move: str = "draw",
    ) -> None:
        self.width, self.height, self.cards, self.line = width, height, cards, line
        self.max_moves, self.on_no_move = max_moves, on_no_move
        self.goals = ("colour", "dots") if first_goal == "colour" else ("dots", "colour")
        self.same_cells, self.overlap, self.buried, self.flip = same_cells, overlap, buried, flip
        self.placed: list[Card] = []
        self.just_moved: Card | None = None
        self.moves = 0
        self.winner: int | None = None

    def legal(self) -> list[str]:
        if self.winner is not None or self.moves == self.max_moves:
            return []
        moves = self._regular() if self.moves < self.cards else self._recycling()
        if not moves and self.on_no_move == "pass":
            return ["pass"]
        return moves

    def play(self, move: str) -> None:
        mover = self.side()
        self.moves += 1
        self.just_moved = None
        if move == "pass":
            return
        *source, rotation, column, row = move.split()
        if source != ["0"]:
            lifted = cell_of(source[0], source[1])
            self.placed = [card for card in self.placed if (card.column, card.row) != lifted]
        self.just_moved = Card(*cell_of(column, row), int(rotation))
        self.placed.append(self.just_moved)
        for player in (mover, 1 - mover):
            if self.winner is None and self._reached(self.goals[player]):
                self.winner = player

    def copy(self) -> Self:
        twin = copy.copy(self)
        twin.placed = list(self.placed)
        return twin

    def side(self) -> int:
        return self.moves % 2

    def over(self) -> bool:
        return not self.legal()

    def outcome(self) -> int:
        winner = self.winner
        if winner is None and self.moves < self.max_moves and self.on_no_move == "loss":
            winner = 1 - self.side()
        return {None: 0, 0: 1, 1: -1}[winner]

    def cells(self) -> tuple[str, ...]:
        board = board_of(self.placed)
        return tuple(
            board.get((column, row), "")
            for row in reversed(range(self.height))
            for column in range(self.width)
        )

    def _reached(self, goal: str) -> bool:
        board = board_of(self.placed)
        return any(
            has_line({cell for cell, symbol in board.items() if letter in symbol}, self.line)
            for letter in GOALS[goal]
        )

    def _regular(self) -> list[str]:
        return [f"0 {target_text(card)}" for card in self._fitting(self.placed)]

    def _recycling(self) -> list[str]:
        return [
            f"{source_text(card)} {target_text(target)}"
            for card in sorted(self.placed)
            if card != self.just_moved
            for target in self._targets(card)
        ]

    def _targets(self, card: Card) -> list[Card]:
        """Where and how a card may be put down again, by column, row and rotation."""
        others = [other for other in self.placed if other != card]
        targets = [target for target in self._fitting(others) if self._allowed(card, target)]
        if not is_covered(card, others):
            return targets
        if self.buried:
            return [target for target in targets if target.cells() == card.cells()]
        return []

    def _allowed(self, card: Card, target: Card) -> bool:
        """Whether the rules of recycling let the card become the target."""
        if target == card:
            return False
        if target.cells() == card.cells() and self.same_cells == "never":
            return False
        if set(target.cells()) & set(card.cells()) and not self.overlap:
            return False
        return self.flip or target.face() == card.face()

    def _fitting(self, others: list[Card]) -> list[Card]:
        """All the ways to add a card to the others, by column, row and rotation."""
        board = board_of(others)
        return [
            card
            for column in range(self.width)
            for row in range(self.height)
            for rotation in SYMBOLS
            if self._fits(card := Card(column, row, rotation), board)
        ]

    def _fits(self, card: Card, board: dict[Cell, str]) -> bool:
        """Whether the cells of the card are inside, empty and supported."""
        cells = card.cells()
        for column, row in cells:
            if column >= self.width or row >= self.height or (column, row) in board:
                return False
            below = column, row - 1
            if row > 0 and below not in board and below not in cells:
                return False
        return True


def board_of(cards: list[Card]) -> dict[Cell, str]:
    """The symbols that the cards show, by cell."""
    return {
        cell: symbol
        for card in cards
        for cell, symbol in zip(card.cells(), SYMBOLS[card.rotation], strict=True)
    }


def is_covered(card: Card, others: list[Card]) -> bool:
    """Whether another card lies on top of one of the card's cells."""
    board = board_of(others)
    return any((column, row + 1) in board for column, row in card.cells())


def cell_text(cell: Cell) -> str:
    column, row = cell
    return f"{chr(ord('A') + column)} {row + 1}"


def cell_of(letter: str, number: str) -> Cell:
    return ord(letter) - ord("A"), int(number) - 1


def source_text(card: Card) -> str:
    return " ".join(cell_text(cell) for cell in card.cells())


def target_text(card: Card) -> str:
    return f"{card.rotation} {cell_text((card.column, card.row))}"
