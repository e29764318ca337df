"""Games between players: one game, matches of pairs, tournaments, openings and ratings."""
