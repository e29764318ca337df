"""Boards in a notebook: to play on, to step through a game, to look into a search.

A face like `web` and `cli`, and as thin: what is shown are the web app's own elements, which
`modules.py` collects from its files. Nothing is fetched, nothing is built at install time.
"""
