"""Kalah(pits, seeds): sow seeds round the board, earn extra turns, capture what lies opposite.

The game of Pearl's and Noe's SCOUT studies. Each side is one word, one byte per pit:

    byte    0      1      ...    pits-1          pits
           pit 1  pit 2         last pit   ->   store        (sowing runs this way, then round)

Rules: one seed into each pit in turn, own store included, the opponent's left out. The last seed in
the own store gives another turn. The last seed in an own empty pit, with seeds opposite, captures
both. When a move leaves either side without seeds in its pits the game ends and each player keeps
the seeds on their own side.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, bit, signed
from plyground.core.board import Board
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.games import squares
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable

BYTE = 8
MOST_PITS = 7  # with the store, eight bytes
MOST_CODE = 12  # of a pit; more seeds than that count as many
AHEAD = 48
SEEDS_AT_A_TIME = 4
MOST_SEEDS = 255  # on the whole board, so that no byte can overflow


@compilable
def seeds_in(row: U64, pit: int) -> int:
    """The seeds in one pit, or in the store."""
    return signed((row >> U64(BYTE * pit)) & U64(0xFF))


@compilable
def seeds_in_pits(row: U64, pits: int) -> int:
    """The seeds in all pits of a side, without its store."""
    total = 0
    for pit in range(pits):
        total += seeds_in(row, pit)
    return total


@compilable
def swept(row: U64, pits: int) -> U64:
    """The row with all its seeds in the store."""
    return U64(seeds_in_pits(row, pits) + seeds_in(row, pits)) << U64(BYTE * pits)


@compilable
def has_no_seeds(row: U64, pits: int) -> bool:
    """Whether all pits of a side are empty."""
    return row & (bit(BYTE * pits) - ONE) == ZERO


@compilable
def captures_at(state: Kalah, pit: int, place: int) -> bool:
    """Whether sowing from a pit and ending at a place captures."""
    lap, seeds = 2 * state.pits + 1, seeds_in(state.me, pit)
    if not state.captures or place >= state.pits or seeds > lap:
        return False  # beyond a lap every pit holds a seed
    if seeds == lap or place < pit:  # the sowing has passed the opposite pit
        return seeds == lap or seeds_in(state.me, place) == 0
    return seeds_in(state.me, place) == 0 and seeds_in(state.opp, state.pits - 1 - place) > 0


class Kalah(NamedTuple):
    """A position: my row, the opponent's, the rules, and who I am."""

    me: U64
    opp: U64
    pits: int
    captures: int
    side: int

    def legal_moves(self, moves: Buffer, start: int) -> int:
        for pit in range(self.pits):
            moves[start] = pit  # overwritten by the next pit unless this one has seeds
            start += seeds_in(self.me, pit) > 0
        return start

    def play(self, move: int) -> Kalah:
        me, opp, pits = self.me, self.opp, self.pits
        seeds = seeds_in(me, move)
        me ^= U64(seeds) << U64(BYTE * move)
        place = move + 0  # 0 .. pits-1 my pits, pits my store, then the opponent's pits
        for _ in range(seeds):
            place = 0 if place == 2 * pits else place + 1
            if place <= pits:
                me += bit(BYTE * place)
            else:
                opp += bit(BYTE * (place - pits - 1))
        if self.captures and place < pits and seeds_in(me, place) == 1:
            opposite = pits - 1 - place
            prey = seeds_in(opp, opposite)
            if prey:
                opp ^= U64(prey) << U64(BYTE * opposite)
                me ^= bit(BYTE * place)
                me += U64(prey + 1) << U64(BYTE * pits)
        if has_no_seeds(me, pits) or has_no_seeds(opp, pits):
            me, opp = swept(me, pits), swept(opp, pits)
        if place == pits:
            return Kalah(me, opp, pits, self.captures, self.side)
        return Kalah(opp, me, pits, self.captures, 1 - self.side)

    def noisy_moves(self, moves: Buffer, start: int) -> int:
        """Moves that give another turn or capture."""
        end = start
        for pit in range(self.pits):
            seeds = seeds_in(self.me, pit)
            place = (pit + seeds) % (2 * self.pits + 1)
            if seeds and (place == self.pits or captures_at(self, pit, place)):
                moves[end] = pit
                end += 1
        return end

    def code(self, cell: int) -> int:
        """The seeds of a pit, mine first, up to a limit; then the lead, then the seeds left.

        The lead in the stores counts from the middle of its codes; the seeds in all pits are
        counted some at a time.
        """
        pits = self.pits
        if cell < pits:
            return min(seeds_in(self.me, cell), MOST_CODE)
        if cell < 2 * pits:
            return min(seeds_in(self.opp, cell - pits), MOST_CODE)
        if cell == 2 * pits:
            ahead = seeds_in(self.me, pits) - seeds_in(self.opp, pits)
            return min(max(ahead + AHEAD, 0), 2 * AHEAD)
        left = seeds_in_pits(self.me, pits) + seeds_in_pits(self.opp, pits)
        return min(left // SEEDS_AT_A_TIME, MOST_CODE)

    def is_over(self) -> bool:
        return has_no_seeds(self.me, self.pits) and has_no_seeds(self.opp, self.pits)

    def outcome(self) -> int:
        return seeds_in(self.me, self.pits) - seeds_in(self.opp, self.pits)


def codes(start: State) -> list[int]:
    """Of the pits, the lead in the stores, the seeds in all pits."""
    return [MOST_CODE + 1] * (2 * start.pits) + [2 * AHEAD + 1, MOST_CODE + 1]


def tuples(start: State) -> list[list[int]]:
    """Runs of pits, pits and those opposite, either with the seeds left, and the lead."""
    pits, lead, left = start.pits, 2 * start.pits, 2 * start.pits + 1
    wide = min(4, pits)
    runs = [list(range(first, first + wide)) for first in range(pits - wide + 1)]
    runs += [[pits + pit for pit in run] for run in runs]
    across = [[i, i + 1, lead - 1 - i, lead - 2 - i] for i in range(pits - 1)]
    ends = [[pits - 1, pits - 2, lead - 1, left], [lead - 1, lead - 2, pits - 1, left]]
    return [*runs, *across, *(ends if pits > 1 else []), [lead, left]]


# ------------------------------------------------------------------ text and board


def start(pits: int, seeds: int, captures: bool) -> Kalah:
    """The same number of seeds in every pit, the stores empty."""
    if 2 * pits * seeds > MOST_SEEDS:
        raise Unsupported(
            f"{pits} pits of {seeds} seeds make {2 * pits * seeds} on the board; "
            f"expected at most {MOST_SEEDS}"
        )
    row = _row([seeds] * pits + [0])
    return Kalah(row, row, pits, int(captures), 0)


def _row(seeds: list[int]) -> U64:
    return U64(int.from_bytes(bytes(seeds), "little"))


def _seeds(row: U64, pits: int) -> list[int]:
    """Pit by pit, then the store."""
    return [int(seeds_in(row, place)) for place in range(pits + 1)]


def _rows(state: State) -> tuple[list[int], list[int]]:
    me, opp = _seeds(state.me, state.pits), _seeds(state.opp, state.pits)
    return (opp, me) if state.side else (me, opp)


def read_move(state: State, text: str) -> int:
    return squares.parse_number(text, "pit", state.pits, digits=1)


def split_moves(text: str) -> list[str]:
    """`3 6 1` and `361`: no board has more than nine pits."""
    tokens: list[str] = []
    for word in re.split(r"[\s,;]+", squares.plain_text(text).strip()):
        tokens += list(word) if word.isdigit() else [word] if word else []
    return tokens


def read_position(start: State, text: str) -> State:
    pits = start.pits
    form = f"{pits} pits and a store for each side, then first or second"
    match = re.fullmatch(r"([0-9\s,;/|()]*)([a-z]+)\s*", squares.plain_text(text), re.ASCII)
    if not match:
        raise MalformedText(f"position {shorten(text)!r}: expected {form}")
    numbers = [int(number.lstrip("0")[:4] or 0) for number in re.findall(r"[0-9]+", match[1])]
    if len(numbers) != 2 * pits + 2:
        raise MalformedText(f"the position has {len(numbers)} numbers; expected {form}")
    if sum(numbers) > MOST_SEEDS:
        raise MalformedText(f"the board has more than {MOST_SEEDS} seeds")
    side = squares.read_side(match[2])
    rows = [_row(numbers[: pits + 1]), _row(numbers[pits + 1 :])]
    if any(has_no_seeds(row, pits) for row in rows):
        rows = [swept(row, pits) for row in rows]
    return start._replace(me=rows[side], opp=rows[1 - side], side=side)


def write_position(state: State) -> str:
    first, second = (",".join(str(number) for number in row) for row in _rows(state))
    return f"{first}/{second} {('first', 'second')[state.side]}"


def board(state: State) -> Board:
    """The first player sits below; stores are drawn left (second) and right (first)."""
    first, second = _rows(state)
    pits = state.pits
    return Board(
        "pits",
        rows=2,
        columns=pits,
        cells=(second[pits], *reversed(second[:pits]), first[pits], *first[:pits]),
        column_labels=tuple(str(pit + 1) for pit in range(pits)),
        counts={"first": first[pits], "second": second[pits]},
    )


def move_cells(state: State, move: int) -> tuple[int, ...]:
    return (state.pits - move if state.side else state.pits + 2 + move,)


GAME = GameSpec(
    name="kalah",
    title="Kalah",
    summary="Sow seeds round the board into your store; most seeds at the end win.",
    aliases=("mancala", "kalaha"),
    players=("South", "North"),
    has_margin=True,
    parameters=(
        Parameter("pits", 6, "pits on each side", low=1, high=MOST_PITS),
        Parameter("seeds", 4, "seeds in each pit at the start", low=1, high=127),
        Parameter("captures", True, "whether a last seed in an own empty pit captures"),
    ),
    start=start,
    states=(Kalah,),
    max_moves=MOST_PITS,
    code_limit=lambda start: int(start.pits),
    score_limit=lambda start: sum(map(sum, _rows(start))),
    sample="3",
    ready_positions=(
        ReadyPosition("Fourteen moves in one turn", "4 4 3 1 6 3 5 2"),
        ReadyPosition("Opening: 3, then 6", "3 6"),
        ReadyPosition("Six seeds in each pit", settings={"seeds": 6}),
    ),
    read_move=read_move,
    write_move=squares.write_number,
    why_illegal=lambda state, move: "the pit is empty",
    split_moves=split_moves,
    read_position=read_position,
    write_position=write_position,
    board=board,
    codes=codes,
    tuples=tuples,
    move_cells=move_cells,
    levels={
        "amateur": "alphabeta:depth=1,noise=30%",
        "medium": "alphabeta:depth=3,ties=random,noise=5%",
        "expert": "abmemory:nodes=300k,eval=rich,order=all",
    },
)
