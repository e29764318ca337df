"""A real JupyterLab, on this machine only, and a notebook in it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat

import plyground

START_S = 120


@contextlib.contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """JupyterLab in a folder, until the block ends; its address."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}/"
    own = {name: str(folder / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    own |= {"JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "IPYTHONDIR": str(folder / "ipython")}
    quiet = folder / "jupyter_config_dir/lab/user-settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    news = {"fetchNews": "false", "checkForUpdates": False}
    (quiet / "notification.jupyterlab-settings").write_text(json.dumps(news))
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": folder,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": "",
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    with (folder / "lab.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", *words],
            stdout=log,
            stderr=log,
            env=os.environ | own | {"PYTHONPATH": str(Path(plyground.__file__).parents[1])},
            cwd=folder,
        )
        try:
            _wait_for(address + "api", process, folder / "lab.log")
            yield address
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(START_S * 10):
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start: {log.read_text()}")


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """A notebook that has not been run."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(made, path)
