"""The family portrait: all exact algorithms on all games, after Plaat et al. (1996) and others."""

from plyground.lab.catalogue.family.study import EXPERIMENT as EXPERIMENT
