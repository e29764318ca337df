"""Connect Four, alpha-beta against MTD(f): the study of Tommy, Hardjianto & Agani (2017)."""

from plyground.lab.catalogue.connect4_mtdf.study import EXPERIMENT as EXPERIMENT
