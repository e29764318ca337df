"""Who chooses a move: people, random choice, searches, levels, external engines."""
