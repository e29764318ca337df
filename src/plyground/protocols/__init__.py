"""Plyground as an engine for graphical programs, one file per protocol."""
