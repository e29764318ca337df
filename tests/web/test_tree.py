"""The tree explorer: a real search, laid open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from analyse_tools import paste
from expecting import expect
from lab_tools import PLAIN
from web_server import Server, shared_profile, web_server

from plyground.analysis.traces import TraceRequest, run_trace
from plyground.games.position import BasePosition
from plyground.kernel import Slab, plain_python
from plyground.search.parts import FROM_TABLE

TEXTBOOK = "tree?game=textbook&algo=alphabeta&depth=4"
DEEP = f"{TEXTBOOK}&set=tree%3Ddeep-cut"
COMPILING_MS = 120_000
ENDLESS = 2**30


@pytest.fixture(scope="module")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that compiles nothing: many kinds of searches, each of a small tree."""
    with web_server(tmp_path_factory.mktemp("tree"), **PLAIN) as started:
        yield started


@pytest.fixture(scope="module")
def profile(browser: Any, plain_server: Server) -> Iterator[Any]:
    with shared_profile(browser, plain_server) as shared:
        yield shared


def settled(page: Any, address: str = TEXTBOOK) -> None:
    page.goto(address)
    expect(page.get_by_test_id("sentence")).to_be_visible(timeout=COMPILING_MS)


def in_words(end: int) -> str:
    return str(end) if abs(end) < ENDLESS else "∞" if end > 0 else "-∞"


def open_all(page: Any) -> list[dict[str, str]]:
    """Every row of the outline, opened from the top to the bottom."""
    closed = page.locator(".outline-row.node[aria-expanded='false']")
    while closed.count():
        count = page.locator(".outline-row").count()
        closed.first.click()
        expect(page.locator(".outline-row")).not_to_have_count(count)
    return page.evaluate(
        "() => [...document.querySelectorAll('.outline-row.node')].map((e) => ({...e.dataset}))"
    )


def test_the_textbook_tree_has_the_leaves_and_cuts_of_the_book(page):
    """The second node is refuted by its first reply: four and six are never looked at."""
    settled(page)
    expect(page.get_by_test_id("headline")).to_have_text("3 with 1 1")
    expect(page.get_by_text("11 nodes, 7 leaves, 2 moves cut (2 leaves)")).to_be_visible()
    page.locator(".outline-row.of-all, .outline-row.of-cut").first.click()
    hatched = page.get_by_role("treeitem", name="cut: 2 moves")
    expect(hatched).to_be_visible()
    assert "gradient" in hatched.evaluate("(row) => getComputedStyle(row).backgroundImage")
    hatched.click()
    expect(page.locator(".outline-row.name .move")).to_have_text(["2", "3"])
    expect(page.locator(".tree-picture .stub")).to_have_count(2)


def test_a_tree_of_three_plies_has_the_leaves_and_cuts_of_the_book(page):
    """Its moves are in the best order: a reply, then twice the second reply with all below it."""
    settled(page, f"{TEXTBOOK}&set=tree%3Dbest-first")
    expect(page.get_by_test_id("headline")).to_contain_text("8 with 1 1 1")
    expect(page.get_by_text("7 leaves, 3 moves cut (5 leaves)")).to_be_visible()
    open_all(page)
    expect(page.get_by_role("treeitem", name="cut: 1 move")).to_have_count(3)


def test_windows_are_right_in_every_row_that_is_opened(page):
    settled(page, DEEP)
    rows = {int(row["node"]): {k: row[k] for k in row} for row in open_all(page)}
    assert len(rows) > 10
    us, told = rows[0]["side"], page.locator(".outline-row.node .window-text").all_text_contents()
    for row, text in zip(rows.values(), told, strict=True):  # as whoever moves at the root sees it
        ends = [int(row[name]) for name in ("alpha", "beta")]
        low, high = ends if row["side"] == us else [-end for end in reversed(ends)]
        assert text == f"[{in_words(low)}, {in_words(high)}]"
    assert any(row["reason"] == "cut" for row in rows.values())
    for row in rows.values():
        alpha, beta, value = (int(row[name]) for name in ("alpha", "beta", "value"))
        assert alpha < beta
        if row["reason"] == "cut":
            assert value >= beta
        if int(row["parent"]) >= 0:
            above = rows[int(row["parent"])]
            assert -int(above["beta"]) <= alpha
            assert beta <= -int(above["alpha"])


@pytest.mark.parametrize(("algorithm", "value"), [("alphabeta", 3), ("falphabeta", 2)])
def test_a_node_says_why_it_ended_with_the_move_and_both_numbers(page, algorithm, value):
    settled(page, TEXTBOOK.replace("alphabeta", algorithm))
    row = page.locator(".outline-row[data-reason='cut']").first
    row.click()
    sentence = page.get_by_test_id("sentence")
    expect(sentence).to_have_text(
        f"Second's 1 keeps this to {value} at most; First already has 3 elsewhere, "
        "so the 2 remaining moves cannot matter."
    )
    expect(page.locator(".ruler")).to_have_attribute("aria-label", re.compile("from 3 to ∞"))


def test_cut_moves_that_are_searched_anyway_change_nothing(page):
    settled(page)
    prove = page.get_by_role("button", name="Search the cut moves anyway")
    prove.click()
    proof = page.locator(".proof")
    expect(proof).to_contain_text("13 nodes instead of 11", timeout=COMPILING_MS)
    expect(proof).to_contain_text("The root is unchanged: 3")
    page.locator(".outline-row[data-reason='cut']").first.click()
    expect(page.get_by_test_id("sentence")).to_contain_text("remaining moves")
    prove.click()
    expect(proof).to_contain_text("The root is unchanged: 3", timeout=COMPILING_MS)
    expect(proof).to_contain_text("2 4, 3 6")  # what the moves would have been worth


def test_no_proof_is_offered_where_the_value_of_minimax_is_not_promised(page):
    settled(page, TEXTBOOK.replace("alphabeta", "greedy"))
    expect(page.get_by_role("link", name="Analyse", exact=True).last).to_be_visible()
    expect(page.get_by_role("button", name="Search the cut moves anyway")).to_have_count(0)


def test_two_algorithms_side_by_side_agree_and_go_in_step(page):
    settled(page, f"{TEXTBOOK}&with=minimax")
    compared = page.locator(".compared")
    expect(compared).to_have_text(
        "Both say 3. alphabeta visits 11 nodes, minimax 13: 1.18 times as many."
    )
    nodes = page.locator("[data-fact='nodes']")
    assert int(nodes.nth(0).text_content()) <= int(nodes.nth(1).text_content())
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Step", exact=True).click()
    for name in ("alphabeta", "minimax"):
        pane = page.get_by_role("region", name=name)
        expect(pane.locator(".tree-picture .node.chosen")).to_have_attribute("data-node", "1")


def test_an_order_is_compared_with_another_on_the_same_algorithm(page):
    settled(page, f"{TEXTBOOK}&set=tree%3Dworst-first")
    page.get_by_label("Compare with").select_option("alphabeta")
    page.get_by_label("Its order").select_option("shallow")
    page.get_by_role("button", name="Search", exact=True).click()
    compared = page.locator(".compared")
    expect(compared).to_contain_text("Both say", timeout=COMPILING_MS)
    expect(compared).to_contain_text("alphabeta, natural order visits")
    expect(page.get_by_role("region", name="alphabeta, shallow order")).to_be_visible()
    assert "with-order=shallow" in page.url
    text = compared.text_content()
    page.reload()
    expect(compared).to_have_text(text)


def moment(page: Any) -> Any:
    return page.evaluate(
        """() => ({
            picture: document.querySelector(".tree-picture").innerHTML,
            sentence: document.querySelector("[data-testid=sentence]").textContent,
            visit: document.querySelector("[data-testid=visit]").textContent,
            way: [...document.querySelectorAll(".outline-row.marked")].map((e) => e.dataset.node),
        })"""
    )


def test_a_replay_starts_paused_and_steps_by_one_visit(page):
    settled(page)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    visit = page.get_by_test_id("visit")
    expect(visit).to_have_text("finished: 11 visits")
    page.keyboard.press("Home")
    for number in range(1, 5):
        expect(visit).to_have_text(f"visit {number} of 11")
        expect(page.locator(".outline-row[aria-selected='true']")).to_have_attribute(
            "data-node", str(number - 1)
        )
        if number < 4:
            page.keyboard.press("n")
    expect(page).to_have_url(re.compile("visit=3"))
    stepped = moment(page)
    page.get_by_label("Visit").fill("7")
    expect(page).to_have_url(re.compile("visit=7"))
    page.get_by_label("Visit").fill("3")
    expect(page).to_have_url(re.compile("visit=3"))
    assert moment(page) == stepped
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_replay_shows_nothing_that_is_not_known_yet(page):
    settled(page)
    open_all(page)
    page.get_by_label("Visit").fill("6")  # the second move was refuted; its reply is entered
    expect(page.get_by_test_id("visit")).to_have_text("visit 7 of 11")
    expect(page.locator(".outline-row[data-node='6']")).to_have_attribute("aria-selected", "true")
    worth = {
        int(node): text
        for node, text in page.evaluate(
            """() => [...document.querySelectorAll(".outline-row.node")].map((row) =>
                [row.dataset.node, row.querySelector(".worth")?.textContent ?? null])"""
        )
    }
    assert worth == {
        **{0: "…", 1: "3", 2: "3", 3: "12", 4: "8", 5: "…", 6: "2"},
        **{7: None, 8: None, 9: None, 10: None},
    }
    expect(page.locator(".outline-row.cut")).to_have_text("▸…")
    page.locator(".outline-row[data-node='7'] .move").click()
    sentence = page.get_by_test_id("sentence")
    expect(sentence).to_have_text("The search has not come here yet.")
    expect(page.locator(".inspector")).to_contain_text("not known yet")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".outline-row[data-node='7'] .worth")).to_have_text("≤ 3")
    expect(sentence).to_contain_text("no move was left to cut")
    page.get_by_label("Visit").fill("6")
    expect(page.get_by_test_id("visit")).to_have_text("visit 7 of 11")
    page.locator(".outline-row[data-node='0'] .move").click()
    expect(sentence).to_have_text(
        "Still open: whatever it is worth counts; after one move the best is 3."
    )


@pytest.mark.parametrize("element", [".outline-row[data-node='0'] .move", "svg [data-node='0']"])
def test_a_node_that_is_chosen_while_the_replay_is_on_its_way_stays_chosen(page, element):
    settled(page)
    open_all(page)
    expect(page.locator(".outline-row[data-node='7'] .worth")).to_have_count(1)
    page.evaluate(
        """(element) => {
            const slider = document.querySelector("[aria-label=Visit]");
            for (const visit of [5, 6]) { // the second is put off for a moment
                slider.value = visit;
                slider.dispatchEvent(new Event("input"));
            }
            const click = new MouseEvent("click", { bubbles: true });
            document.querySelector(element).dispatchEvent(click);
        }""",
        element,
    )
    expect(page.locator(".outline-row[data-node='7'] .worth")).to_have_count(0)  # it has come
    expect(page).to_have_url(re.compile("node=0&visit=6"))
    expect(page.get_by_test_id("sentence")).to_have_text(
        "Still open: whatever it is worth counts; after one move the best is 3."
    )
    expect(page.locator(".outline-row[aria-selected='true']")).to_have_attribute("data-node", "0")


def test_the_address_of_a_node_opens_it_again_in_the_middle_of_a_replay(
    page, browser, plain_server
):
    settled(page)
    open_all(page)
    page.get_by_label("Visit").fill("3")
    expect(page).to_have_url(re.compile("visit=3"))
    page.locator(".outline-row[data-node='8'] .move").click()
    expect(page).to_have_url(re.compile("node=8"))
    expect(page.get_by_test_id("sentence")).to_have_text("The search has not come here yet.")
    context = browser.new_context()
    other = context.new_page()
    other.goto(page.url)
    expect(other.get_by_test_id("visit")).to_have_text("visit 4 of 11")
    expect(other.locator(".outline-row[aria-selected='true']")).to_have_attribute("data-node", "8")
    expect(other.get_by_test_id("sentence")).to_have_text("The search has not come here yet.")
    assert "node=8" in other.url
    assert "visit=3" in other.url
    context.close()


def test_what_was_counted_only_says_so_in_the_outline(page):
    settled(page, "tree?game=tictactoe&algo=alphabeta&depth=3&room=100")
    expect(page.get_by_text("of the deepest plies were counted only")).to_be_visible()
    expect(page.get_by_text(re.compile("leaves, at least [0-9,]+ moves cut"))).to_be_visible()
    expect(page.locator(".outline-row[data-node='0'] .nodes")).to_have_text("100 %")
    page.locator(".outline-row[aria-level='2']").first.click()
    page.locator(".outline-row[aria-level='3'][data-reason='cut']").first.click()
    expect(page.locator(".outline-row.counted").first).to_have_text(
        re.compile("nodes? below: counted only")
    )
    expect(page.get_by_test_id("sentence")).to_contain_text("remaining move")
    expect(page.get_by_role("button", name="Search the cut moves anyway")).to_have_count(0)


def test_what_the_table_knew_leads_to_where_it_was_met_first(page):
    with plain_python():
        tree = run_trace(TraceRequest(BasePosition.begin("tictactoe"), "abmemory", 4), Slab(1)).tree
    is_met = tree.first != np.arange(len(tree))
    node = int(np.flatnonzero((tree.reason == FROM_TABLE) & is_met)[0])
    settled(page, f"tree?game=tictactoe&algo=abmemory&depth=4&node={node}")
    chosen = page.locator(".outline-row[aria-selected='true']")
    expect(page.get_by_test_id("sentence")).to_contain_text("The table knew this position, from")
    expect(chosen).to_have_attribute("data-node", str(node))
    chosen.get_by_role("button", name="⇄ table").click()
    expect(chosen).to_have_attribute("data-node", str(tree.first[node]))
    expect(page.get_by_test_id("sentence")).not_to_contain_text("The table knew")


def test_bars_are_looked_at_more_closely_and_the_whole_tree_comes_back(page):
    settled(page, "tree?game=tictactoe&algo=minimax&depth=4")
    bars, whole = page.locator(".icicle"), page.get_by_role("button", name="Whole tree")
    expect(bars).to_be_visible()
    expect(whole).to_be_hidden()
    before = bars.evaluate("(canvas) => canvas.toDataURL()")
    bars.click(position={"x": 10, "y": 14 + 7})  # the first bar of the second row
    expect(page.locator(".outline-row[aria-selected='true']")).to_have_attribute("data-node", "1")
    expect(whole).to_be_visible()
    assert bars.evaluate("(canvas) => canvas.toDataURL()") != before
    whole.click()
    expect(whole).to_be_hidden()


def test_the_address_of_a_node_opens_it_again(page, browser, plain_server):
    settled(page, DEEP)
    page.locator(".outline-row[data-reason='cut']").first.click()
    expect(page).to_have_url(re.compile("node=[1-9]"))
    expect(page.get_by_test_id("sentence")).to_contain_text("elsewhere")
    sentence = page.get_by_test_id("sentence").text_content()
    context = browser.new_context()
    other = context.new_page()
    other.goto(page.url)
    expect(other.get_by_test_id("sentence")).to_have_text(sentence)
    expect(other.locator(".outline-row[aria-selected='true']")).to_have_attribute(
        "data-reason", "cut"
    )
    context.close()


def test_a_node_that_is_not_there_is_said(page):
    with page.expect_event("console"):  # the server refuses it
        page.goto(f"{TEXTBOOK}&node=999")
        expect(page.locator(".trace-form .wrong")).to_contain_text("there is no node 999")
    page.watch.problems.clear()


STAYS = """async () => {
    const [outline] = document.querySelectorAll(".outline");
    const rows = [...outline.querySelectorAll(".outline-row")];
    const middle = rows[Math.floor(rows.length / 2)];
    const before = outline.scrollTop;
    outline.scrollTop = before ? before - 40 : 40;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return outline.scrollTop !== before && middle.isConnected;
}"""


def test_a_million_nodes_are_opened_a_few_rows_at_a_time(lone_page):
    """With a server that compiles."""
    page = lone_page
    settled(
        page,
        "tree?game=synthetic&set=branching%3D10%2Cdepth%3D6&algo=minimax&depth=6&room=2000000",
    )
    expect(page.get_by_text("1,111,111 nodes")).to_be_visible()
    for level in range(2, 6):
        rows = page.locator(f".outline-row[aria-level='{level}']")
        rows.last.click()
        expect(page.locator(f".outline-row[aria-level='{level + 1}']").first).to_be_visible()
        assert page.locator(".outline-row").count() <= 400
    assert page.evaluate(STAYS), "a row in sight is drawn again when the outline is scrolled"
    page.get_by_label("Visit").fill("1000000")
    expect(page.get_by_test_id("visit")).to_have_text("visit 1,000,001 of 1,111,111")
    expect(page.locator(".inspector")).to_contain_text("1,000,001", timeout=COMPILING_MS)
    assert page.locator(".outline-row").count() <= 400


QUIZ = (("-inf", "∞"), ("-∞", "inf"), ("3", "0"), ("3", "∞"), ("3", "2"), ("3", "inf"), ("3", "0"))


def test_the_quiz_is_checked_node_by_node_and_needs_no_mouse(page):
    settled(page)
    page.get_by_role("button", name="Quiz").focus()
    page.keyboard.press("Enter")
    alpha = page.get_by_role("textbox", name="Alpha")
    expect(alpha).to_be_focused(timeout=COMPILING_MS)
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator(".feedback")).to_have_text(re.compile("^Alpha: not 7. Alpha is the best"))
    expect(page.get_by_role("heading", name="question 1 of 8")).to_be_visible()
    expect(page.locator(".quiz .node:not(.leaf) .value")).to_have_text([""] * 4)
    for number, answers in enumerate((*QUIZ, ("3", "0")), start=1):
        expect(page.get_by_role("heading", name=f"question {number} of 8")).to_be_visible()
        for answer in answers:
            page.keyboard.press("Control+a")
            page.keyboard.type(answer)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    expect(page.locator(".score-line")).to_have_text("Done: 7 of 8 right at once.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Quiz")).to_be_focused()


@pytest.mark.parametrize("where", ["page", "Moves", "Position"])
def test_a_position_is_pasted_in_any_notation(page, where):
    settled(page, "tree?game=tictactoe&algo=alphabeta&depth=2")
    if where != "page":
        page.get_by_role("textbox", name=where).focus()
    paste(page, "f5d6c3", "document.body" if where == "page" else "document.activeElement")
    expect(page.get_by_text("Recognised: Othello")).to_be_visible()
    expect(page.get_by_test_id("headline")).to_contain_text("with", timeout=COMPILING_MS)
    expect(page.get_by_role("textbox", name="Moves")).to_have_value("f5 d6 c3")
    assert "game=othello" in page.url
    assert "moves=f5_d6_c3" in page.url


def test_a_position_is_typed_and_a_wrong_one_is_refused_in_a_line(page):
    settled(page, "tree?game=tictactoe&algo=alphabeta&depth=2")
    position = page.get_by_role("textbox", name="Position")
    position.fill("XX-/OO-/---")
    position.press("Enter")
    expect(page.get_by_test_id("headline")).to_have_text("win in 1 with c1", timeout=COMPILING_MS)
    assert "position=XX-%2FOO-%2F---" in page.url
    position.fill("XX-/OOQ/---")
    position.press("Enter")
    complaint = page.locator(".trace-form [role=alert]")
    expect(complaint).to_contain_text("'Q'")
    position.fill("")
    position.press("Enter")
    expect(complaint).to_have_text("")
    expect(page.get_by_test_id("headline")).to_have_text("+1 with b2 a1")
    with page.expect_event("console"):  # the browser's own line on the refusal
        paste(page, "no game has such a text")
    expect(page.locator(".toast.error")).to_be_visible()
    expect(page.get_by_test_id("headline")).to_have_text("+1 with b2 a1")
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


def test_simulations_add_up_and_the_most_visited_move_is_chosen(page):
    page.goto("tree?game=tictactoe&algo=uct&sims=200&moves=b2_a1")
    expect(page.locator(".headline")).to_contain_text("200 simulations", timeout=COMPILING_MS)
    rows = page.locator(".sims tbody tr")
    visits = [int(each) for each in rows.evaluate_all("(all) => all.map((e) => e.dataset.visits)")]
    assert visits[0] == 200 == sum(visits[1:])
    best = rows.nth(1).locator("button").text_content().split()[1]
    expect(page.locator(".headline")).to_have_text(f"200 simulations: {best}, the most visited")
    rows.nth(1).get_by_role("button").click()
    below = page.locator(".sims tr[data-level='2']")
    expect(below.first).to_be_visible()
    assert sum(below.evaluate_all("(all) => all.map((e) => Number(e.dataset.visits))")) == (
        visits[1] - 1
    )
    expect(page.locator(".sim-steps li")).to_have_count(4)
    page.get_by_role("button", name="Previous simulation").click()
    expect(page.get_by_test_id("simulation")).to_have_text("simulation 199 of 200")
    rows.nth(2).locator("td").nth(1).click()
    expect(page).to_have_url(re.compile(r"node=\d+&sim=199|sim=199.*node=\d+"))
    path = page.locator(".inspected-board .note")
    answer = below.first.locator("button").text_content().split()[1]
    shown = re.compile(rf"^root . {best} . {answer}$")
    expect(path).to_have_text(shown)
    page.reload()
    expect(page.get_by_test_id("simulation")).to_have_text("simulation 199 of 200")
    expect(path).to_have_text(shown)


def test_moves_that_have_blanks_in_them_are_kept_apart(page):
    page.goto("tree?game=double-card&moves=0 2 A 1_0 3 B 1&depth=99")  # which is not searched
    expect(page.get_by_role("textbox", name="Moves")).to_have_value("0 2 A 1; 0 3 B 1;")
    page.get_by_label("Game").select_option("othello")
    expect(page.get_by_role("textbox", name="Moves")).to_have_value("")
    page.get_by_role("textbox", name="Moves").fill("f5 a1")
    page.get_by_label("Depth").fill("1")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".trace-form .wrong")).to_contain_text("move 2, 'a1'")
    expect(page).to_have_url(re.compile("moves=f5_a1"))


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("tree?game=textbook&set=tree%3D(3+(4", "never closed"),
        ("tree?game=othello&moves=f5_a1", "a1"),
        ("tree?game=othello&depth=99", "Depth"),
        ("tree?game=tictactoe&moves=a1_b1_a2_b2_a3", "over"),
    ],
)
def test_what_cannot_be_searched_is_said(page, address, complaint):
    page.goto(address)
    expect(page.locator(".trace-form .wrong")).to_contain_text(complaint)
