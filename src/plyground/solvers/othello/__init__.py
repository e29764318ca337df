"""Othello endgames solved: board, stability, last, table, children, ordering, search, solve."""
