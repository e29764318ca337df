"""Two heuristics for Double Card: the report of Huang and Li (2019)."""

from plyground.lab.catalogue.double_card.study import EXPERIMENT as EXPERIMENT
