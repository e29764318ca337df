"""One text of many modules: what is followed, what is refused, and that nothing is copied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.analysis.trace_pages import DRAWN_WHOLE
from plyground.notebook import modules
from plyground.notebook.modules import Bundle, script, style

ENTRIES = ("play.js", "replay.js", "tree.js")
KNOWN = re.compile(r'"(plyground:[^"]+)"')


@pytest.fixture
def files(monkeypatch):
    """Modules of one's own."""
    texts = {}
    monkeypatch.setattr(modules, "text_of", texts.__getitem__)
    return texts


def names(collected):
    return [name.split("/")[-1] for name in collected.modules]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_module_comes_after_what_it_imports(entry):
    collected = Bundle()
    last = collected.add(f"notebook/{entry}")
    met = set()
    for name, text in collected.modules.items():
        imported = set(KNOWN.findall(text))
        assert imported <= met, name
        met.add(name)
    assert list(collected.modules)[-1] == last
    assert "g-board.js" in names(collected)


@pytest.mark.parametrize("entry", ENTRIES)
def test_modules_are_those_of_the_web_app(entry):
    collected = Bundle()
    collected.add(f"notebook/{entry}")
    for path, name in collected.names.items():
        mine, theirs = collected.modules[name].splitlines(), modules.text_of(path).splitlines()
        changed = [line for line, other in zip(mine, theirs, strict=True) if line != other]
        assert all(KNOWN.search(line) for line in changed), path


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_asked_for_that_is_not_in_it(entry):
    collected = Bundle()
    collected.add(f"notebook/{entry}")
    for text in collected.modules.values():
        code = re.sub(r"/\*.*?\*/|^\s*//.*$", "", text, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"\bimport\s*\(|import\.meta|@import|url\(", code)
    assert "url(" not in style()
    assert "@import" not in style()


def test_all_kinds_of_static_imports_are_followed(files):
    files["a/one.js"] = (
        'import "./two.js";\nimport {\n  x,\n} from "../b/three.js";\n'
        'export { y } from "./four.js";\n'
        'export const text = "not/a/module.js";\n/** @type {import("./never.js")} */\n'
    )
    files |= {"a/two.js": "2", "b/three.js": 'import "../a/two.js";', "a/four.js": "4"}
    collected = Bundle()
    collected.add("a/one.js")
    assert names(collected) == ["two.js", "three.js", "four.js", "one.js"]
    assert '"not/a/module.js"' in list(collected.modules.values())[-1]


def test_a_module_is_called_by_itself_and_what_it_imports(files):
    files |= {"one.js": 'import "./two.js";', "two.js": "2"}
    before = Bundle().add("one.js")
    assert Bundle().add("one.js") == before
    files["two.js"] = "3"
    assert Bundle().add("one.js") != before


def test_modules_that_import_each_other_are_refused(files):
    files |= {"one.js": 'import "./two.js";', "two.js": 'import "./one.js";'}
    with pytest.raises(ValueError, match=r"one\.js imports itself"):
        Bundle().add("one.js")


def test_what_is_not_a_file_of_the_package_is_refused(files):
    files["one.js"] = 'import { x } from "somewhere";'
    with pytest.raises(ValueError, match=r"one\.js imports 'somewhere', which is not a file"):
        Bundle().add("one.js")


def test_what_was_said_of_the_page_is_said_of_the_host():
    rules = style()
    assert ":root" not in rules
    assert ":host {" in rules
    assert ':host([data-theme="dark"])' in rules
    assert ':host(:not([data-theme="light"]))' in rules


def test_the_document_tells_true_sizes():
    document = (Path(__file__).parents[2] / "docs" / "notebook.md").read_text(encoding="utf-8")
    sizes = [round(len(script(entry).encode()), -4) // 1000 for entry in ENTRIES]
    assert f"{min(sizes)} to {max(sizes)} kB" in document
    assert f"if it has {DRAWN_WHOLE} nodes at most" in document
