"""The epsilon-greedy player: the move that looks best, but with a small probability any move.

plyground match epsilon-greedy:epsilon=0.3 greedy --game othello --with examples/epsilon_greedy.py
"""

import plyground as pg
from plyground.players.catalogue import make_machine


@pg.player("epsilon-greedy")
def epsilon_greedy(turn, epsilon=0.1):
    """The move after which the position looks best, or now and then any move."""
    chance = turn.random  # the same in a game that is repeated
    if chance.random() < epsilon:
        return chance.choice(turn.legal)
    return make_machine("greedy", turn.game, turn.position.start).choose(turn)
