"""A page that draws widgets as a notebook does: `render({ model, el })`, with a model of its own.

What the page says is handed to the real widget, and what the widget tells is handed to the page,
when `exchange` is called; nothing happens in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ADDRESS = "http://127.0.0.1:1/notebook"  # nobody is asked: see `blank_page`
PAGE = "<!doctype html><title>Notebook</title><body><h1>A notebook</h1><button>Theirs</button>"
MODEL = Path(__file__).with_name("notebook_model.js")
TRIES = 200


def blank_page(page: Any) -> Any:
    """A page of nobody's, in which widgets can be drawn."""
    page.route(ADDRESS, lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.add_init_script(path=MODEL)
    page.goto(ADDRESS)
    return page


@dataclass
class Shown:
    """A widget that is drawn in a page."""

    page: Any
    widget: Any
    name: str
    answers: list[Any] = field(default_factory=list)

    @property
    def state(self) -> dict[str, Any]:
        """What the page is told of the widget."""
        own = ("shown", "at", "chosen")
        return {name: getattr(self.widget, name) for name in own if self.widget.has_trait(name)}

    def find(self, selector: str) -> Any:
        return self.page.locator(f"#{self.name}").locator(selector)

    def cell(self, index: int) -> Any:
        return self.find(f"g-board [data-cell='{index}']")

    def button(self, name: str) -> Any:
        return self.page.locator(f"#{self.name}").get_by_role("button", name=name, exact=True)

    @property
    def line(self) -> str:
        return str(self.find("[data-testid=line]").inner_text())

    def exchange(self) -> list[dict[str, Any]]:
        """Hand over what was said on both sides; what the page has said."""
        taken = self.page.evaluate("(name) => models[name].taken()", self.name)
        for name, value in taken["saved"].items():
            setattr(self.widget, name, value)
        for content in taken["sent"]:
            self.widget._receive(self.widget, content, None)
        if hasattr(self.widget, "wait"):
            assert self.widget.wait(60)
        update = "([name, state]) => models[name].update(state)"
        self.page.evaluate(update, [self.name, self.state])
        tell = "([name, told]) => models[name].fire('msg:custom', told)"
        while self.answers:
            self.page.evaluate(tell, [self.name, self.answers.pop(0)])
        return list(taken["sent"])

    def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Exchange until something is so."""
        for _ in range(TRIES):
            self.exchange()
            if is_so():
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"{what} never came")

    def settle(self, selector: str, text: str = "") -> None:
        """Exchange until something is there, and says something."""
        found = self.find(selector)
        says = lambda: any(text in each for each in found.all_inner_texts())  # noqa: E731
        self.until(says, f"{selector} {text!r}")


def draw(page: Any, widget: Any, name: str = "board") -> Shown:
    """Draw a widget, as when its cell is run."""
    shown = Shown(page, widget, name)
    widget.send = shown.answers.append
    page.evaluate("(given) => drawWidget(...given)", [name, widget._esm, shown.state])
    return shown
