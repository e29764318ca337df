"""Connect Four solved: board, forced, follow_up, ordering, table, search, solve, book."""
