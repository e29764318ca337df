"""Looking into positions and searches: every move, traces, words about nodes."""
