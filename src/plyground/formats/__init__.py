"""Notations and files that other programs and people use, one file each."""
