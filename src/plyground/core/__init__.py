"""The words shared by all of Plyground; imports nothing else of it."""
