"""Plyground's games for agents of other libraries, and their bots as players of ours.

One file for each direction; each imports its library, which need not be installed for the others.
"""
