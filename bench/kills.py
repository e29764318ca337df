"""Kill matches, tournaments, experiments, imports, web games, books and proofs at random moments.

    python bench/kills.py [--kills 1000] [--seed 1] [--only WORK]

Each work is begun in a folder of its own, killed with SIGKILL some times, at any moment of what it
takes undisturbed, and begun again until it ends. What there is then is compared with what came of
the undisturbed work: what is missing of it counts as lost, what is there besides as duplicated. The
web app is a real server, killed at any moment while moves are sent to it; a page that says again
what was not answered must find all that was. The exit status tells whether nothing was lost or
duplicated, and everything went on.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import asking
from fault_tools import KILLED, MATCH, UID, WORKS, Workshop, command, prove, serve
from web_server import web_server

from plyground.store.store import Store

LONGER = ("-n", "24", "--out", "games.jsonl", "--json")  # the last of two options counts
WEB_MOVES = [*"1" * 6, *"2" * 6, *"3" * 4]  # nobody wins by these
WEB = "web server"
MOST_KILLS = 3  # of one work
WEIGHTS = {"match by two": 0.15, WEB: 0.5}  # each takes seconds to begin
COUNTED = ("kills", "works", "lost", "duplicated", "not resumed")

WORKS["match"] = replace(WORKS["match"], do=command(*MATCH, *LONGER))
WORKS["match by two"] = replace(WORKS["match"], do=command(*MATCH, *LONGER, "--jobs", "2"))
WORKS["proof"] = replace(WORKS["proof"], do=lambda: prove(leaf=5))
NAMES = [name for name in WORKS if name != "web"] + [WEB]


class Campaign:
    """Kills, and what was found after them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice = folder, random.Random(seed)
        self.counts = {name: Counter[str]() for name in NAMES}
        self._workshop = Workshop(__file__, "--serve")
        self._known: dict[str, tuple[Any, float]] = {}

    def close(self) -> None:
        self._workshop.close()

    @property
    def kills(self) -> int:
        return sum(each["kills"] for each in self.counts.values())

    def one(self, name: str) -> None:
        """Begin some work, kill it some times, and let it go on to its end."""
        place, counts = self.folder / "work", self.counts[name]
        try:
            missing, more = self._web(place) if name == WEB else self._work(name, place)
        except AssertionError as failure:
            counts["not resumed"] += 1
            print(f"{name}: {failure}", flush=True)
            copy = self.folder.with_name(f"{self.folder.name}-{self.kills}")
            shutil.copytree(place, copy, dirs_exist_ok=True)
        else:
            counts["lost"] += len(missing)
            counts["duplicated"] += len(more)
            for each in missing | more:
                print(f"{name}: {'lost' if each in missing else 'more'}: {each[:300]}", flush=True)
        counts["works"] += 1
        shutil.rmtree(place, ignore_errors=True)

    def _work(self, name: str, place: Path) -> tuple[set[str], set[str]]:
        whole, seconds = self._undisturbed(name)
        for _ in range(self.dice.randint(1, MOST_KILLS)):
            after_s = self.dice.random() * 1.1 * seconds
            ended = self._workshop.attempt(name, place, killed_s=after_s)
            self.counts[name]["kills"] += ended.status == KILLED
            assert ended.status in (0, KILLED), ended
        done = self._workshop.attempt(name, place)
        assert done.status == 0, done
        found = _parts((done.found, WORKS[name].read(done.out)))
        return whole - found, found - whole

    def _undisturbed(self, name: str) -> tuple[set[str], float]:
        if name not in self._known:
            self._workshop.attempt(name, self.folder / f"{name}-first")
            began = time.perf_counter()
            done = self._workshop.attempt(name, self.folder / f"{name}-whole")
            assert done.status == 0, done
            seconds = time.perf_counter() - began
            self._known[name] = _parts((done.found, WORKS[name].read(done.out))), seconds
        return self._known[name]

    def _web(self, place: Path) -> tuple[set[str], set[str]]:
        """A game in a page whose server dies now and then."""
        place.mkdir()
        answered, kills = 0, self.dice.randint(1, MOST_KILLS)
        while answered < len(WEB_MOVES):
            with web_server(place) as server, asking.client() as client:
                play = f"{server.address}api/plays/{UID}"
                if answered:
                    there = client.get(play).json()
                    kept = [move["move"] for move in there["moves"]]
                    if kept[:answered] != WEB_MOVES[:answered]:
                        return {f"{kept} of {WEB_MOVES[:answered]}"}, set()
                killer = threading.Timer(self.dice.random() * 0.3, server.process.kill)
                if kills:
                    killer.start()
                try:
                    for count in range(answered + 1, len(WEB_MOVES) + 1):
                        line = {"game": "connect4", "moves": WEB_MOVES[:count]}
                        told = [{"time_s": 0.5}] * count
                        given = {"line": line, "players": ["human", "human"], "told": told}
                        answer = client.put(play, json=given)
                        assert answer.status_code == 200, answer.text
                        answered = count
                except httpx.TransportError:
                    pass
                if kills:
                    killer.join()
                    kills -= 1
                    self.counts[WEB]["kills"] += 1
                    answered -= answered == len(WEB_MOVES)  # the last is said again
        with Store(str(place / "games.db")) as store:
            [game] = [[move.move for move in each.record.moves] for each in store.whole()]
        found = {f"{ply} {move}" for ply, move in enumerate(game)}
        whole = {f"{ply} {move}" for ply, move in enumerate(WEB_MOVES)}
        return whole - found, found - whole


def _parts(found: Any, path: str = "") -> set[str]:
    """What was found, item by item."""
    if isinstance(found, dict) and found:
        return set().union(*(_parts(each, f"{path}/{name}") for name, each in found.items()))
    if isinstance(found, list | tuple) and found:
        return set().union(*(_parts(each, f"{path}/{n}") for n, each in enumerate(found)))
    return {f"{path}={found}"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=NAMES)
    chosen = options.parse_args()
    names = [chosen.only] if chosen.only else NAMES
    began, load = time.perf_counter(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), chosen.seed)
        told = 0
        while campaign.kills < chosen.kills:
            weights = [WEIGHTS.get(name, 1.0) for name in names]
            campaign.one(campaign.dice.choices(names, weights)[0])
            if campaign.kills >= told + 50:
                told = campaign.kills
                print(f"{told} kills, {time.perf_counter() - began:.0f} s", flush=True)
        campaign.close()
    print(f"seed {chosen.seed}, {time.perf_counter() - began:.0f} s, load {load:.1f} at first")
    print(f"{'':16}" + "".join(f"{name:>14}" for name in COUNTED))
    total = Counter[str]()
    for name in names:
        total += campaign.counts[name]
        print(f"{name:16}" + "".join(f"{campaign.counts[name][each]:14}" for each in COUNTED))
    print(f"{'all':16}" + "".join(f"{total[each]:14}" for each in COUNTED))
    raise SystemExit(any(total[each] for each in COUNTED[2:]))


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
