"""SSS*: best first, from above, with a list of open sub-problems.

Computes the minimax value by always working on the sub-problem with the highest upper bound.
Returns the value for the side to move.
Source: Stockman 1979, "A Minimax Algorithm Better Than Alpha-Beta?", table of the operator Gamma;
ties go to the leftmost node, as Roizen & Pearl 1983 ask for dominance over alpha-beta.
Needs: two players, zero sum, no chance; memory for all open sub-problems.
Differs: purging is lazy: an open node below a solved one is dropped when it comes up. Cases are
told apart by the parent's kind, so that a player may move twice. States are replayed, not kept.
"""

from __future__ import annotations

from plyground.core.scores import INFINITY
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State, is_over, play, side
from plyground.kernel import Slab, compilable, kernel
from plyground.search.parts import (
    INNER,
    NO_MOVE,
    NODES,
    SEARCHED,
    Parts,
    count,
    judge,
    list_moves,
    stopped,
)
from plyground.search.trace import note_child, note_solved, note_visit

# A node of the tree: its parent, the move to it, which child it is, the depth left below it,
# whether it maximises, whether it is solved.
PARENT, MOVE, CHILD, DEPTH, MAXIMISES, IS_SOLVED, NODE = range(7)
# An entry of OPEN, a binary heap: a node, its merit, its status.
WHO, MERIT, STATUS, ENTRY = range(4)
LIVE, SOLVED = 0, 1
ROOT, NO_NODE = 0, -1
# The first numbers of the memory: how many nodes and open entries there are, and the room for each.
NODES_USED, OPEN_USED, ROOM, HEADER = range(4)
NUMBERS_PER_NODE = NODE + ENTRY
OUT_OF_MEMORY = INFINITY + 1  # returned instead of a value


@kernel
def sss(
    root: State, evaluator: Evaluator, depth: int, maximise: bool, memory: Slab, parts: Parts
) -> int:
    """With `maximise`, the side to move is MAX: SSS*. Without, it is MIN: DUAL*."""
    us, best_at_root = side(root), INFINITY + 1
    memory[NODES_USED], memory[OPEN_USED] = 0, 0
    push(memory, new_node(parts, memory, NO_NODE, NO_MOVE, 0, depth, maximise), INFINITY, LIVE)
    while True:
        if memory[NODES_USED] + parts.width >= memory[ROOM]:
            return OUT_OF_MEMORY
        node, merit, status = pop(memory)
        if is_purged(memory, node):
            continue
        parent, move = get(memory, node, PARENT), get(memory, node, MOVE)
        if status == SOLVED and node == ROOT:
            return merit if maximise else -merit
        if status == SOLVED and get(memory, parent, MAXIMISES):
            # Case 1: the best child of a MAX node; its other children are purged.
            put(memory, parent, IS_SOLVED, 1)
            push(memory, parent, merit, SOLVED)
            note_solved(parts.trace, parent, merit, SEARCHED)
            if parent == ROOT:
                note_root_move(parts, depth, move)
        elif status == SOLVED:
            if parent == ROOT and merit < best_at_root:
                best_at_root = merit
                note_root_move(parts, depth, move)
            state = replay(root, depth, parts, memory, parent)
            left, child = get(memory, node, DEPTH), get(memory, node, CHILD) + 1
            start, end = list_moves(state, evaluator, left + 1, NO_MOVE, parts)
            if start + child < end:
                # Case 2: the next child of a MIN node may lower the bound.
                move = parts.moves[start + child]
                kind = (side(play(state, move)) == us) == maximise
                node = new_node(parts, memory, parent, move, child, left, kind)
                push(memory, node, merit, LIVE)
            else:
                # Case 3: it was the last.
                push(memory, parent, merit, SOLVED)
                note_solved(parts.trace, parent, merit, SEARCHED)
        else:
            count(parts, NODES)
            note_visit(parts.trace, node, merit)
            state = replay(root, depth, parts, memory, node)
            left = get(memory, node, DEPTH)
            if left == 0 or is_over(state):
                # Case 4: a leaf.
                value, reason = judge(state, evaluator, left, parts)
                value = min(merit, value if (side(state) == us) == maximise else -value)
                push(memory, node, value, SOLVED)
                note_solved(parts.trace, node, value, reason)
                continue
            # Case 5: all children of a MAX node. Case 6: the first one of a MIN node.
            count(parts, INNER)
            start, end = list_moves(state, evaluator, left, NO_MOVE, parts)
            for i in range(start, end if get(memory, node, MAXIMISES) else start + 1):
                move = parts.moves[i]
                kind = (side(play(state, move)) == us) == maximise
                below = new_node(parts, memory, node, move, i - start, left - 1, kind)
                push(memory, below, merit, LIVE)
        if stopped(parts):
            return 0


# ------------------------------------------------------------------ nodes


@compilable
def new_node(
    parts: Parts, memory: Slab, parent: int, move: int, child: int, depth: int, maximises: bool
) -> int:
    node = memory[NODES_USED]
    memory[NODES_USED] = node + 1
    put(memory, node, PARENT, parent)
    put(memory, node, MOVE, move)
    put(memory, node, CHILD, child)
    put(memory, node, DEPTH, depth)
    put(memory, node, MAXIMISES, 1 if maximises else 0)
    put(memory, node, IS_SOLVED, 0)
    note_child(parts.trace, node, parent, move, depth)
    return node


@compilable
def get(memory: Slab, node: int, field: int) -> int:
    return memory[HEADER + node * NODE + field]


@compilable
def put(memory: Slab, node: int, field: int, value: int) -> None:
    memory[HEADER + node * NODE + field] = value


@compilable
def is_purged(memory: Slab, node: int) -> bool:
    """Whether a node above this one is solved already."""
    node = get(memory, node, PARENT)
    while node != NO_NODE:
        if get(memory, node, IS_SOLVED):
            return True
        node = get(memory, node, PARENT)
    return False


@compilable
def replay(root: State, depth: int, parts: Parts, memory: Slab, node: int) -> State:
    """The state at a node; the path to it is written to the spare row of lines."""
    state, path, length = root, (depth + 1) * parts.stride, 0
    while node != ROOT:
        parts.line[path + length] = get(memory, node, MOVE)
        length += 1
        node = get(memory, node, PARENT)
    while length:
        length -= 1
        state = play(state, parts.line[path + length])
    return state


@compilable
def note_root_move(parts: Parts, depth: int, move: int) -> None:
    parts.line[depth * parts.stride] = 1
    parts.line[depth * parts.stride + 1] = move


# ------------------------------------------------------------------ OPEN


@compilable
def entry(memory: Slab, place: int) -> int:
    return HEADER + memory[ROOM] * NODE + place * ENTRY


@compilable
def push(memory: Slab, node: int, merit: int, status: int) -> None:
    """Add to OPEN."""
    place = memory[OPEN_USED]
    memory[OPEN_USED] = place + 1
    write(memory, place, node, merit, status)
    while place and comes_first(memory, place, (place - 1) // 2):
        swap(memory, place, (place - 1) // 2)
        place = (place - 1) // 2


@compilable
def pop(memory: Slab) -> tuple[int, int, int]:
    """Take the entry with the highest merit, the leftmost of equals."""
    at, last = entry(memory, 0), memory[OPEN_USED] - 1
    node, merit, status = memory[at + WHO], memory[at + MERIT], memory[at + STATUS]
    memory[OPEN_USED] = last
    swap(memory, 0, last)
    place = 0
    while 2 * place + 1 < last:
        child = 2 * place + 1
        if child + 1 < last and comes_first(memory, child + 1, child):
            child += 1
        if not comes_first(memory, child, place):
            break
        swap(memory, place, child)
        place = child
    return node, merit, status


@compilable
def write(memory: Slab, place: int, node: int, merit: int, status: int) -> None:
    at = entry(memory, place)
    memory[at + WHO], memory[at + MERIT], memory[at + STATUS] = node, merit, status


@compilable
def swap(memory: Slab, one: int, two: int) -> None:
    a, b = entry(memory, one), entry(memory, two)
    for field in range(ENTRY):
        memory[a + field], memory[b + field] = memory[b + field], memory[a + field]


@compilable
def comes_first(memory: Slab, one: int, two: int) -> bool:
    a, b = entry(memory, one), entry(memory, two)
    if memory[a + MERIT] != memory[b + MERIT]:
        return memory[a + MERIT] > memory[b + MERIT]
    return is_left_of(memory, memory[a + WHO], memory[b + WHO])


@compilable
def is_left_of(memory: Slab, one: int, two: int) -> bool:
    """Whether a node comes before another in the tree, read from left to right."""
    while get(memory, one, DEPTH) < get(memory, two, DEPTH):
        one = get(memory, one, PARENT)
    while get(memory, two, DEPTH) < get(memory, one, DEPTH):
        two = get(memory, two, PARENT)
    if one == two:
        return False
    while get(memory, one, PARENT) != get(memory, two, PARENT):
        one, two = get(memory, one, PARENT), get(memory, two, PARENT)
    return get(memory, one, CHILD) < get(memory, two, CHILD)
