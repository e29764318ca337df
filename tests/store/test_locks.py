"""Only one at a time is in a block, and a lock goes with its holder, however that ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from patience import until

from plyground.store.locks import exclusive
from plyground.store.store import Store

HOLDER = """
import sys
from plyground.store.locks import exclusive
from plyground.store.store import Store
with Store(sys.argv[1]) as store, exclusive(store, "work") as is_ours:
    print(is_ours, flush=True)
    sys.stdin.read()
"""


def is_free(store: Store, name: str = "work") -> bool:
    with exclusive(store, name) as is_ours:
        return is_ours


def test_the_second_is_told_and_others_names_are_free(store_url: str) -> None:
    with Store(store_url) as store, Store(store_url) as other:
        with exclusive(store, "work") as is_ours:
            assert is_ours
            assert not is_free(other)
            assert not is_free(store)
            assert is_free(other, "other work")
        assert is_free(other)
        assert is_free(store)


def test_an_error_in_the_block_frees_it(store_url: str) -> None:
    with Store(store_url) as store:
        try:
            with exclusive(store, "work"):
                raise LookupError
        except LookupError:
            assert is_free(store)


def test_nothing_stays_beside_the_file(tmp_path: Path) -> None:
    with Store(str(tmp_path / "games.db")) as store:
        before = {path.name for path in tmp_path.iterdir()}
        with exclusive(store, "work"):
            assert {path.name for path in tmp_path.iterdir()} > before
        assert {path.name for path in tmp_path.iterdir()} == before


def test_in_memory_there_is_nobody_else() -> None:
    with Store("sqlite://") as store:
        assert is_free(store)


def test_a_killed_holder_holds_nothing(store_url: str) -> None:
    with Store(store_url) as store:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, store_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        with holder:
            assert holder.stdout
            assert holder.stdout.readline() == "True\n"
            assert not is_free(store)
            holder.kill()
        assert until(lambda: is_free(store))
