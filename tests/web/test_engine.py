"""The engine on the Analyse page: what is shown while it searches, and what is never shown."""

from __future__ import annotations

import functools
import re

import pytest
from analyse_tools import FIRST_SEARCH_MS, NO_CLIPBOARD, Puppet, clipboard, figures, found, turn_on
from expecting import expect

from references.connect_four import NaiveConnectFour

FOUR = "analyse?game=connect4&moves=4_4"
ENDLESS = "analyse?game=othello&moves=f5_d6"  # nobody proves this
SOME = (found("3 3 5 2", 12), found("5 3 3", 7), found("1 4", -40))


@pytest.fixture
def puppet(page):
    return Puppet(page)


def switch_on(page, puppet, address=FOUR):
    """Show a position with the puppet for an engine; the number of the search asked for."""
    page.goto(address)
    page.get_by_role("switch", name="Engine").click()
    return puppet.is_asked()


# ------------------------------------------------------------------ the stream


# What the panel says whenever it changes, and whether the search was over by then.
LISTEN = """
    window.changes = [];
    window.isOver = false;
    const Socket = window.WebSocket;
    window.WebSocket = class extends Socket {
        constructor(...rest) {
            super(...rest);
            this.addEventListener("message", ({ data }) => {
                isOver ||= JSON.parse(data).type === "done";
            });
        }
    };
    window.listen = (panel) => new MutationObserver(() => {
        const score = panel.querySelector(".score")?.textContent ?? null;
        const figures = panel.querySelector(".figures").textContent;
        changes.push({ at_ms: performance.now(), score, figures, isOver });
    }).observe(panel, { childList: true, subtree: true });
"""


def test_scores_come_while_it_searches_and_at_most_ten_times_a_second(page):
    page.add_init_script(LISTEN)
    page.add_init_script("localStorage.setItem('plyground.time', '600')")  # however slow it is here
    page.goto(ENDLESS)
    expect(page.get_by_role("gridcell")).to_have_count(64)
    page.evaluate("listen(document.querySelector('.engine'))")
    turn_on(page)
    page.wait_for_function("() => changes.length >= 12 || isOver", timeout=FIRST_SEARCH_MS)
    changes = page.evaluate("changes")
    told = [each["figures"] for each in changes if each["score"] and not each["isOver"]]
    assert len(set(told)) >= 3  # a first score, and two that say more
    depths = [int(re.findall(r"depth (\d+)", text)[0]) for text in told]
    assert depths == sorted(depths)
    times = [each["at_ms"] for each in changes]
    assert all(sum(at <= each < at + 1000 for each in times) <= 10 for at in times)


def test_the_board_keeps_its_place_while_the_engine_runs(page):
    page.goto(FOUR)
    expect(page.get_by_role("gridcell")).to_have_count(42)
    before = page.locator("g-board").bounding_box()
    turn_on(page)
    expect(page.locator("g-board .mark")).to_have_count(7)
    assert page.locator("g-board").bounding_box() == before
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator("g-board .mark")).to_have_count(0)
    assert page.locator("g-board").bounding_box() == before


def test_the_depth_never_falls(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(figures(page)).to_contain_text("depth 5")
    puppet.tell(3, found("7", 99))
    puppet.tell(6, *SOME)
    expect(figures(page)).to_contain_text("depth 6")
    expect(page.locator(".engine .score").first).to_have_text("+12")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".engine .score")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(figures(page)).to_contain_text("depth 6")
    puppet.is_asked(3)  # a search that begins anew, and shows nothing until it knows more
    puppet.tell(1, found("7", 99))
    puppet.tell(7, *SOME)
    expect(figures(page)).to_contain_text("depth 7")
    expect(page.locator(".engine .score").first).to_have_text("+12")


def test_what_is_told_of_an_earlier_position_changes_nothing(page, puppet):
    old = switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(figures(page)).to_contain_text("depth 5")
    page.locator("[data-cell='38']").click()
    new = puppet.is_asked(2)
    assert new > old
    puppet.tell(9, found("7 7", 500), job=old)
    puppet.tell(2, found("2 2", 1), job=new)
    expect(figures(page)).to_contain_text("depth 2")
    puppet.tell(9, found("7 7", 500), job=old)
    puppet.tell(3, found("2 2", 2), job=new)
    expect(figures(page)).to_contain_text("depth 3")
    expect(page.locator(".engine .score")).to_have_text(["+2"])
    expect(page.locator(".eval-bar .figure")).to_have_text("-2")  # it is Red who is to move
    page.get_by_role("button", name="Back").click()
    expect(figures(page)).to_contain_text("depth 5")  # nor was it kept for the old position


def test_an_engine_that_fails_says_why(page, puppet):
    switch_on(page, puppet)
    puppet.say("error", text="no such evaluator")
    expect(figures(page)).to_have_text("no such evaluator")
    expect(figures(page)).to_have_class(re.compile(r"\bwrong\b"))
    page.keyboard.press("ArrowLeft")
    puppet.is_asked(2)
    expect(figures(page)).not_to_have_class(re.compile(r"\bwrong\b"))


def test_another_evaluator_forgets_what_was_found(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(figures(page)).to_contain_text("depth 5")
    page.locator(".engine summary").click()
    page.get_by_label("Evaluator").select_option("windows")
    puppet.is_asked(2)
    assert puppet.starts[-1]["evaluator"] == "windows"
    expect(page.locator(".engine .score")).to_have_count(0)


def test_each_game_keeps_its_evaluator(page, puppet):
    switch_on(page, puppet)
    page.locator(".engine summary").click()
    page.get_by_label("Evaluator").select_option("windows")
    puppet.is_asked(2)
    page.reload()
    puppet.is_asked(3)
    assert puppet.starts[-1]["evaluator"] == "windows"
    page.goto("analyse?game=othello")
    puppet.is_asked(4)
    assert puppet.starts[-1]["evaluator"] not in ("windows", None)
    page.goto(FOUR)
    puppet.is_asked(5)
    assert puppet.starts[-1]["evaluator"] == "windows"


# ------------------------------------------------------------------ lines


def test_as_many_lines_as_wanted_and_rows_that_never_jump(page, puppet):
    switch_on(page, puppet)
    page.locator(".engine summary").click()
    rows = page.locator(".engine .line")
    for wanted in (5, 1, 3):
        page.get_by_label("Lines").fill(str(wanted))
        page.get_by_label("Lines").press("Enter")
        expect(rows).to_have_count(wanted)
    before = [row.bounding_box() for row in rows.all()]
    puppet.tell(5, *SOME)
    expect(page.locator(".engine .score")).to_have_count(3)
    assert [row.bounding_box() for row in rows.all()] == before
    puppet.tell(6, found("3 3 5 2 1 1 1 1 1 1 2 2 2 2 2 2 3 3 3 3", 100_000), *SOME[1:])
    expect(page.locator(".engine .score").first).to_have_text("+100000")
    assert [row.bounding_box() for row in rows.all()] == before


def test_without_lines_the_bar_still_works(page, puppet):
    switch_on(page, puppet)
    page.locator(".engine summary").click()
    page.get_by_label("Lines").fill("0")
    page.get_by_label("Lines").press("Enter")
    puppet.tell(5, *SOME)
    expect(page.locator(".eval-bar .figure")).to_have_text("+12")
    expect(page.locator(".engine .line")).to_have_count(0)
    page.reload()
    expect(page.locator(".eval-bar")).to_be_visible()
    expect(page.locator(".engine .line")).to_have_count(0)


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_a_move_of_a_line_is_previewed_and_played(page, puppet, by):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    third = page.locator(".engine .line").first.locator(".in-line").nth(2)
    if by == "pointer":
        third.hover()
    else:
        third.focus()
    preview = page.locator(".preview g-board")
    expect(preview).to_be_visible()
    expect(preview.locator(".piece")).to_have_count(5)  # two on the board, three of the line
    expect(preview.locator("[data-cell='39'] .piece.first")).to_have_count(1)
    puppet.tell(6, *reversed(SOME))  # the line stays under the finger
    expect(figures(page)).to_contain_text("depth 6")
    expect(third).to_have_text("5")
    if by == "pointer":
        third.click()
    else:
        page.keyboard.press("Enter")
    expect(page.locator(".tree-move")).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3", "5. 5"])


def test_keys_walk_along_a_line_while_more_is_found(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    moves = page.locator(".engine .line").first.locator(".in-line")
    moves.first.focus()
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        expect(moves.nth(number)).to_be_focused()
        expect(page.locator(".preview .piece")).to_have_count(3 + number)
        puppet.tell(5 + number, *reversed(SOME))
        expect(figures(page)).to_contain_text(f"depth {5 + number}")
    page.keyboard.press("ArrowRight")  # there is no more
    page.keyboard.press("ArrowLeft")
    expect(moves.nth(2)).to_be_focused()
    expect(page.locator(".preview .piece")).to_have_count(5)
    expect(page.locator(".engine .in-line[tabindex='0']")).to_have_text(["5", "5", "1"])
    expect(page.locator(".tree-move")).to_have_count(2)  # the game was not stepped through
    page.keyboard.press("Enter")
    expect(page.locator(".tree-move")).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3", "5. 5"])


def test_rows_catch_up_when_nobody_is_at_them(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    first = page.locator(".engine .score").first
    expect(first).to_have_text("+12")
    page.locator(".in-line").first.focus()
    puppet.tell(6, *reversed(SOME))
    expect(figures(page)).to_contain_text("depth 6")
    expect(first).to_have_text("+12")
    page.get_by_role("button", name="Copy lines").focus()
    expect(first).to_have_text("-40")


def test_the_wheel_walks_along_a_line_and_enter_plays_to_there(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    moves = page.locator(".engine .line").first.locator(".in-line")
    moves.nth(1).hover()
    for turn, number in ((100, 2), (100, 3), (-100, 2)):
        page.mouse.wheel(0, turn)
        expect(moves.nth(number)).to_be_focused()
        expect(page.locator(".preview .piece")).to_have_count(3 + number)
    page.locator("h1").hover()  # whoever goes away is not waited for
    expect(moves.nth(2)).not_to_be_focused()
    expect(page.locator(".preview")).to_be_hidden()
    moves.nth(1).hover()
    page.mouse.wheel(0, 100)
    expect(moves.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".tree-move")).to_have_text(["1. 4", "2. 4", "3. 3", "4. 3", "5. 5"])


def test_lines_that_cannot_be_copied_are_shown(page, puppet):
    page.add_init_script(NO_CLIPBOARD)
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(page.locator(".engine .score")).to_have_count(3)
    page.get_by_role("button", name="Copy lines").click()
    field = page.get_by_role("dialog", name="Copy by hand").get_by_role("textbox")
    expect(field).to_have_value("+12  3 3 5 2\n+7  5 3 3\n-40  1 4")


def test_the_lines_are_copied_as_text(page, puppet):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    switch_on(page, puppet)
    puppet.tell(5, found("3 3 5", 9, "win"), found("5 3", 0, "proven"), found("1", -4))
    expect(page.locator(".engine .score")).to_have_count(3)
    page.get_by_role("button", name="Copy lines").click()
    expect(page.locator(".toast")).to_contain_text("Copied: the lines.")
    assert clipboard(page) == "win in 9  3 3 5\ndraw  5 3\n-4  1"


# ------------------------------------------------------------------ scores on the board


def test_every_legal_move_has_a_score_or_a_question_mark(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    marks = page.locator("g-board .mark")
    expect(marks).to_have_count(7)
    texts = {cell: page.locator(f"[data-cell='{cell}'] .mark") for cell in (35, 37, 24, 39)}
    expect(texts[37]).to_have_text("+12")
    expect(texts[39]).to_have_text("+7")
    expect(texts[35]).to_have_text("-40")
    expect(texts[24]).to_have_text("?")
    expect(page.locator("[data-cell='37']")).to_have_accessible_description("+12, best")
    expect(page.locator("[data-cell='39']")).to_have_accessible_description("+7")
    expect(page.locator("[data-cell='24']")).to_have_accessible_description("not searched")


GROUND = "e => getComputedStyle(e).backgroundColor"


def test_the_more_a_move_gives_up_the_darker_is_its_score(page, puppet):
    switch_on(page, puppet)
    told = [found("4", 2, "win"), found("3", 200), found("5", 99), found("6", 0, "proven")]
    puppet.tell(5, *told, found("2", -60), found("7", 3, "loss"))
    lights = []
    for cell, grade in ((24, 0), (37, 1), (39, 2), (40, 3), (36, 4), (41, 4)):
        mark = page.locator(f"[data-cell='{cell}'] .mark")
        expect(mark).to_have_attribute("data-grade", str(grade))
        red, green, blue = map(int, re.findall(r"\d+", mark.evaluate(GROUND)))
        lights.append(2 * red + 7 * green + blue)
    assert lights[:5] == sorted(set(lights), reverse=True)
    assert lights[5] == lights[4]
    expect(page.locator("[data-cell='35'] .mark")).to_have_text("?")
    expect(page.locator("[data-cell='35'] .mark[data-grade]")).to_have_count(0)


def test_where_every_move_loses_none_gives_anything_up(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, found("4", 8, "loss"), found("3", 2, "loss"))
    expect(page.locator("g-board .mark[data-grade='0']")).to_have_text(["loss 8", "loss 2"])


def test_a_key_hides_the_answers_and_keeps_the_bar(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(page.locator("g-board .mark")).to_have_count(7)
    page.keyboard.press("h")
    expect(page.locator("g-board .mark")).to_have_count(0)
    expect(page.locator(".engine .score")).to_have_count(0)
    expect(page.locator("#speaker")).to_have_text("Scores hidden.")
    puppet.tell(6, found("3", 30))
    expect(page.locator(".eval-bar .figure")).to_have_text("+30")
    expect(page.locator("g-board .mark")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("g-board .mark")).to_have_count(7)


# ------------------------------------------------------------------ proven scores


def position(moves: str) -> NaiveConnectFour:
    game = NaiveConnectFour()
    for move in moves:
        game.play(move)
    return game


@functools.cache
def solved(columns: tuple[tuple[int, ...], ...]) -> tuple[str, int]:
    """Win, loss or draw for the side to move, and in how many moves; by trying everything."""
    game = NaiveConnectFour()
    game.columns = [list(column) for column in columns]
    if game.over():
        return ("loss", 0) if game.outcome() else ("draw", 0)
    replies = [after(game, move) for move in game.legal()]
    lost = [far for result, far in replies if result == "loss"]
    if lost:
        return "win", min(lost) + 1
    if any(result == "draw" for result, _ in replies):
        return "draw", 0
    return "loss", max(far for _, far in replies) + 1


def after(game: NaiveConnectFour, move: str) -> tuple[str, int]:
    twin = game.copy()
    twin.play(move)
    return solved(tuple(tuple(column) for column in twin.columns))


def expected_marks(moves: str) -> dict[str, str]:
    """What each column is worth to the side to move, as a cell shows it."""
    game, opposite = position(moves), {"win": "loss", "loss": "win"}
    results = {move: after(game, move) for move in game.legal()}
    return {
        move: "draw" if result == "draw" else f"{opposite[result]} {far + 1}"
        for move, (result, far) in results.items()
    }


@pytest.mark.parametrize(
    "moves", ["645663431666114731134471473537", "644253131641453156367374377774"]
)
def test_a_late_position_has_the_scores_that_trying_everything_gives(page, moves):
    expected = expected_marks(moves)
    assert len(set(expected.values())) == 3
    page.goto("analyse?game=connect4&moves=" + "_".join(moves))
    turn_on(page)
    expect(figures(page)).to_contain_text("solved", timeout=FIRST_SEARCH_MS)
    for column, text in expected.items():
        cell = page.locator(f".cell.legal[aria-label^='column {column},']")
        expect(cell.locator(".mark")).to_have_text(text)
        expect(cell).to_have_accessible_description(re.compile("proven"))
        kind = text.split()[0].replace("draw", "proven")
        expect(cell.locator(".mark")).to_have_attribute("data-kind", kind)
    expect(page.locator(".engine .score").first).to_contain_text("proven")
    expect(page.locator(".eval-bar")).to_have_attribute("data-proven", "yes")
    expect(page.locator(".eval-bar")).to_have_accessible_name(re.compile(", proven$"))
    expect(page.locator(".eval-graph .point.proven")).to_have_count(1)


def test_a_guess_is_not_called_proven(page, puppet):
    switch_on(page, puppet)
    puppet.tell(5, *SOME)
    expect(page.locator(".eval-bar .figure")).to_have_text("+12")
    assert page.locator(".eval-bar").get_attribute("data-proven") is None
    expect(page.locator(".eval-graph .point")).to_have_count(1)
    expect(page.locator(".eval-graph .point.proven")).to_have_count(0)
    expect(page.locator(".engine .score").first).not_to_contain_text("proven")


# ------------------------------------------------------------------ tabs


def test_of_two_tabs_the_older_stops_and_says_so(page):
    page.goto("analyse?game=connect4")
    turn_on(page)
    other = page.context.new_page()
    other.goto("analyse?game=connect4&moves=4")
    expect(figures(page)).to_have_text("stopped: another tab is analysing")
    expect(page.get_by_role("switch", name="Engine")).not_to_be_checked()
    expect(figures(other)).to_contain_text("depth")
    expect(page.locator("g-board .mark")).to_have_count(0)


def test_the_engine_is_on_again_after_a_reload(page, puppet):
    switch_on(page, puppet)
    page.reload()
    expect(page.get_by_role("switch", name="Engine")).to_be_checked()
    puppet.is_asked(2)
