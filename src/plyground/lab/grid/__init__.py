"""Grids: players with blanks and values for them, measured on games at every point.

    grid(players=["alphabeta", "mtdf"], games=["connect4"], depth=[2, 4, 6])

`schema.py` says what may be asked for, `making.py` makes an experiment of it, `design.py` its
cells, `findings.py` frames of what was measured, `report.py` what the document `grid.md.j2` shows
of them; `file.py` reads the same from TOML.
"""
