"""What the site has beyond the Markdown in docs/, added while MkDocs builds it.

* Files outside docs/ that a page links to, and those that only the navigation names: Markdown and
  notebooks as pages, anything else as its text. A link written for the repository works on the
  site, too.
* The command line's reference, from the commands' own help.
* Fences as the tests of the documents know them (`file=`, sessions of Python), for a highlighter.
* `Docstrings`, for the reference: examples as code, names of the package as links.
* The web app's icon, scripts that know no other server, an index that needs none.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import plyground

ROOT = Path(__file__).parents[2]
OUTSIDE = "repository/"  # where files outside docs/ are on the site
STATIC = ROOT / "src/plyground/web/static"
LINK = re.compile(
    r"^(?P<fence>`{3,}).*?^(?P=fence)$"  # code is left alone
    r"|(?<=\]\()(?!\w+:|/|#)(?P<target>[^)#\s]+)(?=[)#])",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?$(?=\n(>>> )?)", re.MULTILINE)
EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`(?:pg\.|plyground\.|(?=[A-Z]))([\w.]+)`")
ELSEWHERE = re.compile(r"https://(?=unpkg\.com/|api\.github\.com/|\$\{)")


# ---------------------------------------------------------------------- files outside docs/


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the icon, and all files outside docs/ that are linked or in the navigation."""
    files.append(File("icon.svg", str(STATIC), config.site_dir, config.use_directory_urls))
    wanted = [uri for uri in _strings(config.nav) if uri.startswith(OUTSIDE)]
    for file in files.documentation_pages():
        wanted += _outside_links(file.src_uri, file.content_string)
    for uri in wanted:
        path = uri.removeprefix(OUTSIDE)
        path = path if (ROOT / path).is_file() else path.removesuffix(".md")
        if files.get_file_from_path(uri) is None and (ROOT / path).is_file():
            text = _as_markdown(path, (ROOT / path).read_text(encoding="utf-8"))
            files.append(File.generated(config, uri, content=text))
            wanted += _outside_links(uri, text)
            if path.endswith(".ipynb"):
                files.append(File.generated(config, OUTSIDE + path, abs_src_path=str(ROOT / path)))
    return files


def _strings(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _strings(part)


def _site_uri(page: str, link: str) -> str:
    """Where a link that is right in the repository leads on the site."""
    home = page.removeprefix(OUTSIDE) if page.startswith(OUTSIDE) else "docs/" + page
    target = posixpath.normpath(posixpath.join(posixpath.dirname(home), link))
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return OUTSIDE + target + ("" if target.endswith(".md") else ".md")


def _outside_links(page: str, text: str) -> list[str]:
    targets = [found["target"] for found in LINK.finditer(text) if found["target"]]
    uris = [_site_uri(page, target) for target in targets]
    return [uri for uri in uris if uri.startswith(OUTSIDE) and not uri.startswith(OUTSIDE + "..")]


def _as_markdown(path: str, text: str) -> str:
    if path.endswith(".md"):
        return text
    if path.endswith(".ipynb"):
        return "\n\n".join(_cells(path, json.loads(text)))
    language = "python" if path.endswith(".py") else "text"
    return f"# {path}\n\n````{language}\n{text.rstrip()}\n````\n"


def _cells(path: str, notebook: dict[str, Any]) -> Iterator[str]:
    """A notebook with the outputs that it was saved with."""
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
        if number == 0:
            name = posixpath.basename(path)
            yield f'<p class="download"><a href="{name}" download>Download {name}</a></p>'
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                picture = "".join(data["image/png"].split())
                shown = f'<img alt="" src="data:image/png;base64,{picture}">'
            elif "text/html" in data:
                shown = "".join(data["text/html"])
            else:
                text = "".join(data.get("text/plain", output.get("text", ()))).rstrip()
                yield f"```text\n{text}\n```"
                continue
            yield '<div class="output">' + " ".join(shown.split()) + "</div>"


# ---------------------------------------------------------------------- pages


def on_page_markdown(text: str, page: Page, **_: Any) -> str:
    """Links and fences as the site wants them; the commands below their opening."""
    here = page.file.src_uri

    def link(found: re.Match[str]) -> str:
        target = _site_uri(here, found["target"]) if found["target"] else ""
        if not target or OUTSIDE not in target + here:
            return found[0]
        return posixpath.relpath(target, posixpath.dirname(here))

    def fence(found: re.Match[str]) -> str:
        language = "pycon" if found[3] else found[1]
        return f"```{language}" + (f' title="{found[2]}"' if found[2] else "")

    if here == "reference/command-line.md":
        text += "\n" + "\n".join(_commands())
    return FENCE.sub(fence, LINK.sub(link, text))


def _commands() -> Iterator[str]:
    """Every command with its options, as its help tells them."""
    from typer.main import get_command

    from plyground.cli.app import app

    root = get_command(app)
    yield from _command(root, root.make_context("plyground", [], resilient_parsing=True), 2)


def _command(command: Any, context: Any, level: int) -> Iterator[str]:
    from rich.text import Text

    if level > 2:
        yield f"{'#' * (level - 1)} {context.command_path}\n"
    yield Text.from_markup(command.help or "").plain + "\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    records = [each.get_help_record(context) for each in command.get_params(context)]
    rows = [each for each in records if each and "--help" not in each[0]]
    if rows:
        yield "| | meaning |\n|---|---|"
        yield from (f"| `{_typed(names)}` | {_meant(meaning)} |" for names, meaning in rows)
        yield ""
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        _, child, _ = command.resolve_command(context, [name])
        inner = child.make_context(name, [], parent=context, resilient_parsing=True)
        yield from _command(child, inner, level + 1)


def _typed(names: str) -> str:
    """`--depth <int range>` as `--depth N`; an argument's name says enough."""
    value = "" if not names.startswith("-") else " N" if "<int" in names else " TEXT"
    return re.sub(r" <.*>", value, names)


def _meant(meaning: str) -> str:
    """A line of help in a cell of a table, with ranges in words."""
    words = " ".join(meaning.split())
    words = re.sub(r"(\d+)<=x<=(\d{1,9})\b", r"\1 to \2", words)
    words = re.sub(r"(\d+)<=x<=\d+|x>=(\d+)", r"from \1\2", words)
    return re.sub(r"([|*_])", r"\\\1", html.escape(words, quote=False))


# ---------------------------------------------------------------------- the reference


class Docstrings(griffe.Extension):
    """Docstrings as Markdown: examples are code, public names are links.

    A member without one has that of the class it comes from.
    """

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Hand docstrings down."""
        for name, member in cls.members.items():
            if not member.is_alias and not member.docstring:
                above = [base.members[name] for base in cls.mro() if name in base.members]
                member.docstring = next((each.docstring for each in above), None)

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring where it stands."""
        if obj.docstring and obj.docstring.parent is obj:
            text = EXAMPLE.sub(lambda each: f"```pycon\n{each[0]}```", obj.docstring.value + "\n")
            obj.docstring.value = NAME.sub(self._link, text)

    def _link(self, name: re.Match[str]) -> str:
        is_public = name[1].partition(".")[0] in plyground.__all__
        return f"[{name[0]}][plyground.{name[1]}]" if is_public else name[0]


# ---------------------------------------------------------------------- what was built


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Let scripts name no other server, and the search work in a folder that is just opened."""
    built = Path(config.site_dir)
    shutil.rmtree(built / "assets/javascripts/lunr")  # searching in other languages
    for path in [*built.rglob("*.js.map"), *built.rglob("*.css.map")]:
        path.unlink()
    for path in built.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        if ELSEWHERE.search(text):
            path.write_text(ELSEWHERE.sub("", text), encoding="utf-8")
    index = built / "search/search_index.json"
    script = "var __index = " + index.read_text(encoding="utf-8")
    index.with_suffix(".js").write_text(script, encoding="utf-8")
