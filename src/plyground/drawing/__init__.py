"""Boards as text and as pictures, drawn from data."""
