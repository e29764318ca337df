"""Whether the web app of an installed package works: its page, its files and an answer.

python tests/wheel_web.py PATH/TO/plyground
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import tempfile
import urllib.request


def main(command: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["web", "--no-browser", "--port", "0", "--store", f"{folder}/games.db"]
        process = subprocess.Popen([command, *arguments], stdout=subprocess.PIPE, text=True)
        try:
            look(process)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def look(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    found = re.search(r"(http://[^\s/]+)/\?token=(\S+)", process.stdout.readline())
    assert found, "no address was printed"
    address, token = found.groups()
    shell = get(address, token).decode()
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', shell)
    folder = files[0].split("/")[2]
    pages = [f"/static/{folder}/pages/{name}.js" for name in ("home", "play", "analyse", "games")]
    for path in [*files, *pages]:
        assert get(address + path, token), f"{path} is empty"
    games = json.loads(get(f"{address}/api/games", token))
    assert any(game["name"] == "othello" for game in games)
    print(f"the web app serves {len(files) + len(pages)} files and {len(games)} games")


def get(address: str, token: str) -> bytes:
    request = urllib.request.Request(address, headers={"x-plyground-token": token})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


if __name__ == "__main__":
    main(sys.argv[1])
