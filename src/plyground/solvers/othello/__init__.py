"""Othello endgames solved: board, last, table, ordering, search, windows, solve, proof."""
