"""`plyground docs` and `plyground examples`: what is written about the program, wherever it is."""

from __future__ import annotations

import ast
import json as json_text
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.markup import escape

from plyground.cli import options
from plyground.cli.common import PACKAGE, out, print_json, print_table, write_example
from plyground.core.errors import Unsupported, system_errors_as, unknown

REPOSITORY = PACKAGE.parent.parent


def _files(folder: str) -> list[Path]:
    """The files of a folder that an installed package has inside, and a checkout beside."""
    home = PACKAGE / f"_{folder}"
    return sorted(
        path
        for path in (home if home.is_dir() else REPOSITORY / folder).iterdir()
        if path.is_file() and not path.name.startswith(".")
    )


# ------------------------------------------------------------------ documents


def docs(
    page: Annotated[str | None, typer.Argument(help="A page, to read it here.")] = None,
    json: options.Json = False,
) -> None:
    """List the pages of the documents, or show one."""
    pages = {path.stem.lower(): path for path in _files("docs") if path.suffix == ".md"}
    if page is None:
        _print_list("page", {name: _about_page(path) for name, path in pages.items()}, json)
        return
    wanted = page.strip().lower().removesuffix(".md")
    if wanted not in pages:
        raise unknown("page", page, pages)
    shown = Markdown(pages[wanted].read_text(encoding="utf-8"))
    if not out.is_terminal:
        out.print(shown)
        return
    os.environ.setdefault("LESS", "-R")  # colours, where the pager is less
    with out.pager(styles=True):
        out.print(shown)


def _about_page(path: Path) -> str:
    """The first sentence after the title."""
    paragraphs = path.read_text(encoding="utf-8").split("\n\n")
    text = " ".join(paragraphs[1].replace("**", "").replace("`", "").split())
    return text.partition(". ")[0].rstrip(".")


# ------------------------------------------------------------------ examples


def examples(
    name: Annotated[str | None, typer.Argument(help="An example, to see it.")] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Copy it there, or all of them.")
    ] = None,
    json: options.Json = False,
) -> None:
    """List the examples, show one, or copy them to a folder of yours."""
    files = {path.name: path for path in _files("examples")}
    chosen = list(files.values()) if name is None else [_example(name, files)]
    if to is not None:
        _copy(chosen, to)
    elif name is None:
        _print_list("example", {key: _about_example(path) for key, path in files.items()}, json)
    else:
        out.print(_text(chosen[0]), markup=False, soft_wrap=True)


def _example(name: str, files: dict[str, Path]) -> Path:
    wanted = name.strip().lower()
    found = [path for path in files.values() if wanted in (path.name, path.stem)]
    if not found:
        raise unknown("example", name, files)
    return found[0]


def _copy(chosen: list[Path], folder: Path) -> None:
    with system_errors_as(f"cannot write {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    for path in chosen:
        if (folder / path.name).exists():
            raise Unsupported(f"{folder / path.name} exists already; give another folder")
    for path in chosen:
        write_example(folder / path.name, path.read_text(encoding="utf-8"))
        out.print(f"written: {escape(str(folder / path.name))}", soft_wrap=True)


def _text(path: Path) -> str:
    """An example as text: of a notebook what was typed into its cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text.rstrip()
    return "\n\n".join("".join(cell["source"]) for cell in json_text.loads(text)["cells"])


def _about_example(path: Path) -> str:
    """The first line of its docstring, or of what a notebook says; of data nothing."""
    text = _text(path)
    if path.suffix == ".py":
        text = ast.get_docstring(ast.parse(text)) or ""
    elif path.suffix != ".ipynb":
        text = ""
    return text.partition("\n")[0].lstrip("# ")


def _print_list(what: str, rows: dict[str, str], json: bool) -> None:
    if json:
        print_json([{"name": name, "summary": about} for name, about in rows.items()])
    else:
        table = [(f"[cyan]{name}[/]", escape(about)) for name, about in rows.items()]
        print_table((what, "about"), table)
