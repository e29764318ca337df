"""SCOUT against alpha-beta at Othello: the study of Hernandez, Daza & Florez (2019)."""

from plyground.lab.catalogue.othello_scout.study import EXPERIMENT as EXPERIMENT
