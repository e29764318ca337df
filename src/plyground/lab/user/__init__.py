"""Experiments that users describe in a file of TOML."""
