"""A program of somebody else's that plays the heap game of `user_games.py` over GTP, perfectly.

    python heap_engine.py [name=value ...]

    plays=GAME     the only game it says it plays; heap if not given
    answer=TEXT    what it answers when it is asked for a move
    refuse=MOVE    a move that it refuses to be told
    setup=yes      know plyground-setup, with a heap of any size, or in the middle of a game
    log=FILE       write down every line it gets

It imports nothing of ours, and keeps to the protocol as its document says.
"""

import sys

MOST = 2


class Refusal(Exception):
    """A command that cannot be obeyed."""


class HeapEngine:
    def __init__(self, options):
        self.options = options
        self.left, self.side = 10, 0

    def obey(self, command, *words):
        """The answer to a command."""
        if command == "set_game" and words == (self.options.get("plays", "heap"),):
            return ""
        if command == "known_command":
            return "true" if words[0] in self.known() else "false"
        if command not in self.known():
            raise Refusal("unknown command")
        if command == "clear_board":
            self.left, self.side = 10, 0
        elif command == "plyground-setup":
            told = dict(word.split("=") for word in words if "=" in word)
            self.left, self.side = int(told.get("position", told["heap"])), 0
            if "position" in told:
                self.side = int(words[-1])
        elif command == "play" and words[1] == self.options.get("refuse"):
            raise Refusal(f"illegal move {words[1]}")
        elif "answer" in self.options:
            return self.options["answer"] if command == "genmove" else ""
        elif command == "play":
            self.play(*words)
        elif command == "genmove":
            move = str(self.left % (MOST + 1) or 1)
            self.play(words[0], move)
            return move
        return ""

    def known(self):
        known = ["play", "genmove", "clear_board", "known_command", "quit"]
        return [*known, "plyground-setup"] if "setup" in self.options else known

    def play(self, colour, move):
        if colour != ("black", "white")[self.side]:
            raise Refusal(f"{colour} is not to move")
        if move not in ("1", "2") or int(move) > self.left:
            raise Refusal(f"illegal move {move}")
        self.left, self.side = self.left - int(move), 1 - self.side

    def serve(self):
        for line in sys.stdin:
            if "log" in self.options:
                with open(self.options["log"], "a", encoding="utf-8") as log:
                    log.write(line)
            try:
                print(f"= {self.obey(*line.split())}\n", flush=True)
            except Refusal as refusal:
                print(f"? {refusal}\n", flush=True)
            if line == "quit\n":
                return


if __name__ == "__main__":
    HeapEngine(dict(word.split("=", 1) for word in sys.argv[1:])).serve()
