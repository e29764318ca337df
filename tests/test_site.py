"""The site of the documents is whole, and needs nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import plyground
from plyground.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent
NOWHERE = "http://127.0.0.1:9"  # where nobody answers: a build that fetches something fails
LOADS = {"src", "srcset", "poster", "data"}
IN_STYLES = re.compile(r"@import\s*[\"']([^\"']*)|url\(\s*[\"']?([^\"')]*)")
IN_SCRIPTS = re.compile(r"[\"'`](?:https?:)?//[\w$]")


class Page(HTMLParser):
    """What a page has, what it loads and where it leads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.loaded = set[str](), list[str](), list[str]()
        self.scripts, self._inside = "", ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value or "")
            elif name == "href" and tag in ("a", "area"):
                self.links.append(value or "")
            elif name in LOADS or name == "href":
                self.loaded += [each.split()[0] for each in (value or "").split(", ")]
            elif name == "style":
                self.loaded += in_styles(value or "")

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.loaded += in_styles(data)
        elif self._inside == "script":
            self.scripts += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def in_styles(text: str) -> list[str]:
    return [first or second for first, second in IN_STYLES.findall(text)]


def is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def build(root: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a checkout, without the help of any network."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "NO_MKDOCS_2_WARNING": "1"}
    environment |= {"http_proxy": NOWHERE, "https_proxy": NOWHERE}
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_document_is_a_page(site: Path) -> None:
    documents = sorted((ROOT / "docs").rglob("*.md"))
    assert len(documents) > 30
    for path in documents:
        page = site / path.relative_to(ROOT / "docs").with_suffix(".html")
        assert (page.with_name("index.html") if path.stem == "README" else page).is_file(), path


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert [each for each in page.loaded if is_elsewhere(each)] == [], path
        assert not IN_SCRIPTS.search(page.scripts), path
    styles = list(site.rglob("*.css"))
    scripts = list(site.rglob("*.js"))
    assert styles and scripts
    for path in styles:
        assert [each for each in in_styles(path.read_text()) if is_elsewhere(each)] == [], path
    for path in scripts:
        if path.name != "search_index.js":  # data: text of the pages, links and all
            assert not IN_SCRIPTS.search(path.read_text()), path


def test_all_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    checked = 0
    for path, page in pages.items():
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if is_elsewhere(address) or parts.scheme == "data":
                continue
            target = path
            if parts.path:
                base = site if parts.path.startswith("/") else path.parent
                target = (base / unquote(parts.path).lstrip("/")).resolve()
                target = target / "index.html" if target.is_dir() else target
                assert target.is_file(), f"{path.name}: {address}"
            if parts.fragment and target.suffix == ".html":
                assert unquote(parts.fragment) in pages[target].ids, f"{path.name}: {address}"
            checked += 1
    assert checked > 5000


def test_every_public_name_is_in_the_reference(pages: dict[Path, Page]) -> None:
    entries = set().union(*(page.ids for path, page in pages.items() if "reference" in path.parts))
    assert {f"plyground.{name}" for name in plyground.__all__} <= entries
    assert {"plyground.games.rules.legal_moves", "plyground.games.spec.GameSpec"} <= entries


def test_every_command_is_in_the_reference(site: Path, pages: dict[Path, Page]) -> None:
    page = site / "reference" / "command-line.html"
    assert {f"plyground-{name}" for name in COMMANDS} <= pages[page].ids
    assert "plyground-store-import" in pages[page].ids
    text = page.read_text()
    assert "--algorithm TEXT" in text and "1 to 200" in text


def test_files_of_the_repository_are_pages(site: Path) -> None:
    outside = site / "repository"
    assert "GAME = GameSpec" in re.sub(
        "<[^>]*>", "", (outside / "examples/hexapawn.py.html").read_text()
    )
    assert "../write-a-game.html" in (outside / "CONTRIBUTING.html").read_text()
    notebooks = sorted((ROOT / "examples").glob("*.ipynb"))
    assert len(notebooks) == 4
    for path in notebooks:
        text = (outside / "examples" / f"{path.name}.html").read_text()
        assert f'href="{path.name}"' in text and 'class="output"' in text
        assert (outside / "examples" / path.name).read_bytes() == path.read_bytes()


def test_the_search_has_an_index(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text())
    found = {entry["location"] for entry in index["docs"]}
    assert "reference/position.html#plyground.Position.search" in found
    assert "reference/command-line.html#plyground-solve" in found


def test_pages_that_are_opened_from_the_folder_can_be_searched(
    site: Path, chromium_browser: Any
) -> None:
    page = chromium_browser.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((site / "reference" / "position.html").as_uri())
    page.locator(".md-search__input").click()
    page.keyboard.type("negascout")
    page.locator(".md-search-result__link").first.wait_for(state="attached", timeout=60_000)
    page.close()
    assert asked and all(url.startswith(("file:", "data:")) for url in asked)
    assert complaints == []


def test_what_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    copied = tmp_path / "copy"
    for name in ("docs", "examples"):
        shutil.copytree(ROOT / name, copied / name)
    for path in [*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "mkdocs.yml"]:
        shutil.copy(path, copied)
    (copied / "src").symlink_to(ROOT / "src")
    broken = {
        "no-such-page": "[a page](no-such-page.md)",
        "no-such-part": "[a part of one](web.md#no-such-part)",
        "no-such-picture": "![a picture](pictures/no-such-picture.png)",
        "no_such_file": "[a file of the repository](../examples/no_such_file.py)",
        "no_such_name": "[a name of the reference][plyground.no_such_name]",
    }
    with (copied / "docs" / "play.md").open("a") as page:
        page.write("\n" + "\n".join(broken.values()) + "\n")
    built = build(copied, tmp_path / "site")
    assert built.returncode != 0
    assert [name for name in broken if name not in built.stderr] == []
    assert f"{len(broken)} warnings" in built.stdout + built.stderr
