"""Variations of minimax at Connect Four: the study of Siew (2020)."""

from plyground.lab.catalogue.siew_variations.study import EXPERIMENT as EXPERIMENT
