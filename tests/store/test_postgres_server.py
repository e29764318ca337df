"""The server that tests run on: asked for if it is missing, and gone when they are gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import postgres_server
import psycopg
import pytest
from patience import until
from sqlalchemy import make_url

PROGRAM = """
import time
from postgres_server import postgres_server
with postgres_server(on_disk=True) as url:
    print(url, flush=True)
    time.sleep(600)
"""


def test_without_a_server_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server.os, "get_exec_path", lambda: ["/nowhere"])
    monkeypatch.setattr(postgres_server.Path, "glob", lambda *_: iter(()))
    with pytest.raises(RuntimeError, match=r"apt-get install postgresql$"):
        postgres_server.find_programs()


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where the server's folder will be, which is another user's if we are root."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.full
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_server_and_its_folder_go_when_the_tests_are_ended(
    temporary: Path, sent: signal.Signals
) -> None:
    tests = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(postgres_server.__file__).parent,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert tests.stdout
    url = make_url(tests.stdout.readline().strip())
    place = url.set(drivername="postgresql").render_as_string(hide_password=False)
    psycopg.connect(place).close()
    assert len(list(temporary.iterdir())) == 1
    tests.send_signal(sent)
    tests.wait()
    tests.stdout.close()
    assert until(lambda: not list(temporary.iterdir()))
    with pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(place)
