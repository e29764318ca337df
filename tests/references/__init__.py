"""Slow, obvious rules of every game, written apart from the engine to test it against."""
