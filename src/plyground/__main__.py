"""`python -m plyground` is `plyground`."""

from plyground.cli.app import main

main()
