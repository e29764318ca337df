"""Learning: evaluators from games, of self-play or recorded, and what they are worth."""
