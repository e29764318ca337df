"""The course: searches run in the page, numbers come from them, exercises are checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from expecting import expect
from lab_tools import PLAIN
from web_server import Server, fresh_page, shared_profile, web_server

from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play
from plyground.kernel import plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

# "One" and "two" are said of players, replies and windows; larger numbers have to be counted.
NUMBERS = ("three", "thir", "four", "five", "fif", "six", "seven", "eight", "nine", "ten", "twen")
COMPILING_MS = 180_000
NEXT = ".lesson > .ends a:last-child"
CHAPTERS = {
    "Minimax": ["6"],
    "Alpha-beta": ["1"],
    "Ordering": ["(8 12 3) (2 4 6) (2 14 5)"],
    "Transposition tables": ["c3 b2 a1 b1"],
    "SCOUT": ["6", "7"],
    "MTD(f)": ["2", "3"],
    "SSS*": ["5"],
    "Evaluation": None,
    "Endgames": ["3"],
    "Monte-Carlo tree search": None,
}
WRONG = {
    "Ordering": "(3 12 8) (2 4 6) (14 5 2)",  # the order in which it is given
    "Transposition tables": "a1 b2",
}
# The text of a lesson without what runs have put there.
PROSE = """() => {
    const copy = document.querySelector(".lesson").cloneNode(true);
    const shown = copy.querySelectorAll(".from-run, .live, .tree-picture, g-board");
    for (const each of shown) each.remove();
    return copy.textContent;
}"""
NAMES = r"\b[a-h][1-8]\b|Connect Four"  # of a square, as a1, and of a game: these count nothing
NUMBER = rf"\d|[⁰¹²³⁴⁵⁶⁷⁸⁹½]|\b(?:{'|'.join(NUMBERS)})(?:ty|teen)?\b"


def value(state) -> int:
    """Minimax of a textbook tree, written once more."""
    if is_over(state):
        return int(outcome(state))
    return max(-value(play(state, move)) for move in find_game("textbook").legal(state))


def best_after_one_ply() -> str:
    game = find_game("othello")
    start = game.initial()
    state = game.replay(start, game.parse_moves(start, "f5f6"))
    judge = find_evaluator(None, state).make()
    with plain_python():
        found = search(game, state, Setup(find_algorithm("minimax"), judge), Limits(depth=1))
    return game.format_move(state, found.move)


@pytest.fixture(scope="module")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that compiles nothing: ten kinds of searches, each of a few nodes."""
    with web_server(tmp_path_factory.mktemp("learn"), **PLAIN) as started:
        yield started


def test_every_chapter_runs_its_searches_and_checks_its_exercise(browser, plain_server):
    textbook = find_game("textbook")
    assert CHAPTERS["Minimax"] == [str(value(textbook.initial(tree="((6 2) (9 1)) ((3 8) (5 4))")))]
    with shared_profile(browser, plain_server) as profile, fresh_page(profile) as page:
        read_the_course(page)


@pytest.mark.full
def test_every_chapter_is_the_same_with_compiled_searches(page):
    read_the_course(page)


def read_the_course(page: Any) -> None:
    page.goto("learn")
    page.get_by_role("link", name="Begin").click()
    for name in CHAPTERS:
        learn(page, name)
        if name != "Monte-Carlo tree search":
            page.locator(NEXT).click()
    page.goto("learn")
    expect(page.locator(".contents .tick-mark")).to_have_count(len(CHAPTERS))


def learn(page: Any, name: str) -> None:
    """Read a chapter, answer wrongly, then rightly."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    exercise = page.get_by_role("region", name="Exercise")
    check = exercise.get_by_role("button", name="Check")
    expect(check).to_be_enabled(timeout=COMPILING_MS)
    told = page.locator(".from-run").all_inner_texts()
    assert told, name
    for text in told:
        assert re.search(r"\w", text), (name, text)
    answers = answers_to(page, name)
    if len(answers) == 2:  # a window, of which pages write "6 to 7", and pictures "6 … 7"
        lesson = page.locator(".lesson").text_content()
        assert not any(between.join(answers) in lesson for between in (" to ", " … ")), name
    fields = exercise.get_by_role("textbox")
    expect(fields).to_have_count(len(answers))
    wrong = WRONG.get(name, "17")
    fields.first.fill(wrong)
    check.click()
    verdict = exercise.locator(".verdict")
    expect(verdict).to_have_class(re.compile("wrong"))
    assert not any(f" {answer} " in verdict.text_content() for answer in answers[:1])
    prose = page.evaluate(PROSE).replace(f"Not {wrong}.", "")
    assert re.findall(NUMBER, re.sub(NAMES, "", prose), re.IGNORECASE) == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "all is in sight"
    for field, answer in zip(fields.all(), answers, strict=True):
        field.fill(answer)
    check.click()
    expect(verdict).to_have_text("Right.")


def answers_to(page: Any, name: str) -> list[str]:
    """What is right, known before or worked out here."""
    known = CHAPTERS[name]
    if known is not None:
        return known
    if name == "Evaluation":
        return [best_after_one_ply()]
    return [str(int(page.locator(".counts td").first.text_content()) - 1)]


def test_texts_are_seen_to_hold_numbers():
    """What looks for numbers finds them."""
    for text in ("worth 14", "4³", "the eight leaves", "the last twenty moves", "Thirteen", "a9"):
        assert re.search(NUMBER, re.sub(NAMES, "", text), re.IGNORECASE), text
    for text in (
        "move a1, then h8",
        "Connect Four",
        "often two passes",
        "no-one",
        "Tennis",
        "fourth",
    ):
        assert not re.search(NUMBER, re.sub(NAMES, "", text), re.IGNORECASE), text


def test_a_tree_in_the_text_is_replayed(page):
    page.goto("learn/minimax")
    visit = page.get_by_test_id("visit")
    expect(visit).to_have_text("finished: 13 visits", timeout=COMPILING_MS)
    page.get_by_role("button", name="To the start").click()
    expect(visit).to_have_text("visit 1 of 13")
    expect(page.locator("figure .node.later")).to_have_count(12)
