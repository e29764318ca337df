"""The course: searches run in the page, numbers come from them, exercises are checked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from expecting import expect

from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, outcome, play
from plyground.kernel import plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

COMPILING_MS = 180_000
NEXT = ".lesson > .ends a:last-child"
CHAPTERS = {
    "Minimax": ["6"],
    "Alpha-beta": ["1"],
    "Ordering": ["(8 12 3) (2 4 6) (2 14 5)"],
    "Transposition tables": ["c3 b2 a1 b1"],
    "SCOUT": ["5", "6"],
    "MTD(f)": ["3", "4"],
    "SSS*": ["5"],
    "Evaluation": None,
    "Endgames": ["3"],
    "Monte-Carlo tree search": None,
}


def value(state) -> int:
    """Minimax of a textbook tree, written once more."""
    if is_over(state):
        return int(outcome(state))
    return max(-value(play(state, move)) for move in find_game("textbook").legal(state))


def best_after_one_ply() -> str:
    game = find_game("othello")
    start = game.initial()
    state = game.replay(start, game.parse_moves(start, "f5f6"))
    judge = find_evaluator(None, state).make(start)
    with plain_python():
        found = search(game, state, Setup(find_algorithm("minimax"), judge), Limits(depth=1))
    return game.format_move(state, found.move)


def test_a_chapter_runs_its_searches_and_checks_its_exercise(page):
    textbook = find_game("textbook")
    assert CHAPTERS["Minimax"] == [str(value(textbook.initial(tree="((6 2) (9 1)) ((3 8) (5 4))")))]
    page.goto("learn")
    page.get_by_role("link", name="Begin").click()
    learn(page, "Minimax")
    page.locator(NEXT).click()
    learn(page, "Alpha-beta")
    page.goto("learn")
    expect(page.locator(".contents .tick-mark")).to_have_count(2)


@pytest.mark.full
def test_every_chapter_runs_its_searches_and_checks_its_exercise(page):
    page.goto("learn/minimax")
    for name in CHAPTERS:
        learn(page, name)
        if name != "Monte-Carlo tree search":
            page.locator(NEXT).click()
    page.goto("learn")
    expect(page.locator(".contents .tick-mark")).to_have_count(len(CHAPTERS))


def learn(page: Any, name: str) -> None:
    """Read a chapter, answer wrongly, then rightly."""
    answers = CHAPTERS[name]
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    exercise = page.get_by_role("region", name="Exercise")
    check = exercise.get_by_role("button", name="Check")
    expect(check).to_be_enabled(timeout=COMPILING_MS)
    for text in page.locator(".from-run").all_inner_texts():
        assert re.search(r"\w", text), (name, text)
    if answers is None:
        answers = [
            best_after_one_ply()
            if name == "Evaluation"
            else str(int(page.locator(".counts td").first.text_content()) - 1)
        ]
    fields = exercise.get_by_role("textbox")
    expect(fields).to_have_count(len(answers))
    fields.first.fill("a1 b2" if name == "Transposition tables" else "17")
    check.click()
    verdict = exercise.locator(".verdict")
    expect(verdict).to_have_class(re.compile("wrong"))
    assert not any(f" {answer} " in verdict.text_content() for answer in answers[:1])
    for field, answer in zip(fields.all(), answers, strict=True):
        field.fill(answer)
    check.click()
    expect(verdict).to_have_text("Right.")


def test_a_tree_in_the_text_is_replayed(page):
    page.goto("learn/minimax")
    visit = page.get_by_test_id("visit")
    expect(visit).to_have_text("finished: 13 visits", timeout=COMPILING_MS)
    page.get_by_role("button", name="To the start").click()
    expect(visit).to_have_text("visit 1 of 13")
    expect(page.locator("figure .node.later")).to_have_count(12)
