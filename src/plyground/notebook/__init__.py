"""Boards in a notebook: to play on, to step through a game, to inspect a search.

As thin as `web` and `cli`: a board is made of the web app's own elements, which `modules.py`
collects from its files. Nothing is fetched, nothing is built at install time.
"""
