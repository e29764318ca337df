"""Games: rules that run at compiled speed, and nothing about who plays them."""
