"""Exact answers, as fast as they can be had: the only search code that may name a game."""
