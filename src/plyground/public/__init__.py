"""What `import plyground` offers: thin, and all faces stand on it."""
