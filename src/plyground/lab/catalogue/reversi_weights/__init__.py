"""Weights for Reversi by stages of the game: the report of Neudeck (2019)."""

from plyground.lab.catalogue.reversi_weights.study import EXPERIMENT as EXPERIMENT
