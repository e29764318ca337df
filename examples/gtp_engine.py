"""A program that plays Hexapawn against Plyground over the Go Text Protocol, in plain Python.

    plyground play examples/hexapawn.py --second 'gtp:command="python3 examples/gtp_engine.py"'

It knows nothing of Plyground, and could be written in any language. Above the line are the rules
and the thinking: put those of your own game there. Below it is all that the protocol asks for.
"""

import functools
import sys

NAME = "hexapawn"
START = ("222...111", 0)  # the rows from the top, and who is to move: 0 is the first player
CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def legal_moves(state):
    """None where the game is over: whoever is to move then has lost."""
    board, side = state
    mine, theirs, forward = ("1", "2", -1) if side == 0 else ("2", "1", 1)
    if theirs in (board[6:] if side == 0 else board[:3]):
        return []
    return [
        CELLS[origin] + CELLS[target]
        for origin in range(9)
        for target in range(9)
        if board[origin] == mine
        and target // 3 - origin // 3 == forward
        and board[target] == {0: ".", 1: theirs}.get(abs(target % 3 - origin % 3))
    ]


def play(state, move):
    board, side = list(state[0]), state[1]
    origin, target = CELLS.index(move[:2]), CELLS.index(move[2:])
    board[target], board[origin] = board[origin], "."
    return "".join(board), 1 - side


@functools.cache
def wins(state):
    return any(not wins(play(state, move)) for move in legal_moves(state))


# ------------------------------------------------------------------------------------------


def obey(state, command, *words):
    """The answer to a command, and the state after it; a ValueError is a refusal."""
    if command == "quit" or command == "clear_board" or (command, *words) == ("set_game", NAME):
        return "", START
    if command not in ("play", "genmove"):
        raise ValueError("unknown command or game")
    if words[0] != ("black", "white")[state[1]]:
        raise ValueError("wrong colour")
    if command == "play" and words[1] in legal_moves(state):
        return "", play(state, words[1])
    if command == "play":
        raise ValueError(f"illegal move {words[1]}")
    move = min(legal_moves(state), key=lambda move: wins(play(state, move)))
    return move, play(state, move)


state = START
for line in sys.stdin:
    try:
        answer, state = obey(state, *line.split())
        print(f"= {answer}\n", flush=True)
    except ValueError as refusal:
        print(f"? {refusal}\n", flush=True)
    if line.strip() == "quit":
        break
