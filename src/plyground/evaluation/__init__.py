"""Evaluators: pure functions of a state, with their weights as data."""
