"""The web app: a server on this machine, and pages that talk to it."""
