"""Files are whole or not there, whatever step of writing them goes wrong."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from patience import PATIENCE_S

from plyground.core import files

PROGRAM = """
import sys
from pathlib import Path
from plyground.core.files import append, write_whole
folder = Path(sys.argv[1])
write_whole(folder / "whole", b"new" * 1000)
with open(folder / "lines", "ab") as file:
    append(file, b"second line\\n")
"""
OLD, NEW = b"old", b"new" * 1000
STEPS = ["write .whole.PID.tmp", "flush whole", "rename whole", "write lines", "flush lines"]


def run(folder: Path, fault: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "whole").write_bytes(OLD)
    (folder / "lines").write_bytes(b"first line\n")
    environment = {**os.environ, "PLYGROUND_STEPS": str(folder / "steps"), "PLYGROUND_FAULT": fault}
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )


def test_steps_are_listed_in_the_order_they_are_made(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 0
    lines = (tmp_path / "steps").read_text().splitlines()
    pid = lines[0].split()[0]
    assert [line.partition(" ")[2].replace(pid, "PID") for line in lines] == STEPS


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
@pytest.mark.parametrize("kind", ["kill", "torn", "full"])
def test_whichever_step_fails_the_file_is_whole(tmp_path: Path, kind: str, number: int) -> None:
    ended = run(tmp_path, f"{kind}@{number}")
    if kind == "full":
        assert ended.returncode == 1 and "No space left on device" in ended.stderr
        assert not list(tmp_path.glob(".*.tmp"))
    else:
        assert ended.returncode == -signal.SIGKILL
    is_renamed = number > 3 or (number == 3 and kind == "kill")
    assert (tmp_path / "whole").read_bytes() == (NEW if is_renamed else OLD)
    lines = (tmp_path / "lines").read_bytes()
    assert lines.startswith(b"first line\n")
    assert (lines == b"first line\nsecond line\n") == (number > 4 or (number, kind) == (4, "kill"))


def test_a_full_disk_names_the_file_that_was_meant(tmp_path: Path) -> None:
    ended = run(tmp_path, "full@1")
    assert f"'{tmp_path / 'whole'}'" in ended.stderr.splitlines()[-1]


def test_only_old_leftovers_are_removed(tmp_path: Path) -> None:
    for name in (".a.1.tmp", ".b.2.tmp", "c.tmp", ".d"):
        (tmp_path / name).write_bytes(b"")
    for name in (".a.1.tmp", "c.tmp", ".d"):
        os.utime(tmp_path / name, (0, 0))
    assert files.remove_leftovers(tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.2.tmp", ".d", "c.tmp"]


def test_a_full_device_is_named_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "full"
    path.symlink_to("/dev/full")
    for content in (b"short", b"long" * 10**6):  # which does not fit into a buffer
        with pytest.raises(OSError, match="No space left") as failure:
            files.write_whole(path, content)
        assert failure.value.filename == "/dev/full"
    with path.open("ab", buffering=0) as file, pytest.raises(OSError, match="left") as failure:
        files.append(file, b"line", durable=False)
    assert failure.value.filename == str(path)
    assert path.is_char_device()


def test_so_much_is_read_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 2**20)
    assert files.read_bounded(path, 2**20) == b"x" * 2**20
    for endless in (path, Path("/dev/zero")):
        with pytest.raises(OSError, match="it is larger than 0 MB"):
            files.read_bounded(endless, 2**20 - 1)
    with pytest.raises(OSError, match="it is larger than 3 MB"):
        files.read_bounded(Path("/dev/zero"), 3 * 2**20)
    with path.open("rb") as file:
        assert files.read_rest(file, 2**20, file.read(10)) == b"x" * 2**20


def test_a_new_file_is_written_once_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new"

    def have_no_room(file: IO[bytes], data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)

    with monkeypatch.context() as full, pytest.raises(OSError, match="No space left"):
        full.setattr(files, "write", have_no_room)
        files.write_new(path, b"example")
    assert not path.exists()
    files.write_new(path, b"example")
    with pytest.raises(FileExistsError):
        files.write_new(path, b"another")
    assert path.read_bytes() == b"example"

    def have_no_links(*paths: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    with monkeypatch.context() as plain:
        plain.setattr(os, "link", have_no_links)
        files.write_new(tmp_path / "other", b"other")
        with pytest.raises(FileExistsError):
            files.write_new(path, b"another")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new", "other"]
    assert [each.read_bytes() for each in sorted(tmp_path.iterdir())] == [b"example", b"other"]
