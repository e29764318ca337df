"""Playing in a browser: every game by click and by key, machines, undo, hints, and nothing lost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asking
import pytest
from analyse_tools import Puppet
from expecting import expect
from patience import PATIENCE_S
from web_server import web_server

from plyground.core.errors import Unsupported
from plyground.games.catalogue import games
from plyground.public.extending import use
from plyground.store.store import Store

HEXAPAWN = str(Path(__file__).parents[2] / "examples" / "hexapawn.py")
PLACES = (0, -1, 1, 0, -1, 2)  # so far apart that nobody wins in six moves of any game
COMPILING_MS = 180_000
ALL_CARDS_LAID = (
    "0 4 E 1,0 5 A 1,0 6 D 1,0 3 G 1,0 7 G 2,0 3 D 3,0 6 A 2,0 5 G 3,0 6 E 4,0 2 G 4,0 6 G 6,"
    "0 4 A 4,0 6 A 6,0 6 B 2,0 2 H 4,0 6 D 4,0 6 E 6,0 4 B 4,0 8 H 6,0 4 F 1,0 6 H 8,0 6 G 8,"
    "0 2 D 6,0 1 G 10"
).replace(",", "_")


def legal_cells(page):
    return page.locator("g-board .cell.legal")


def moves(page):
    return page.locator(".move-list li")


def name_of_game(page) -> str:
    found = re.search("id=([0-9a-f]{32})", page.url)
    assert found
    return found[1]


def stored(page, server) -> dict[str, Any]:
    """What the server knows of the game on the page."""
    answer = asking.get(f"{server.address}api/plays/{name_of_game(page)}")
    return answer.json() if answer.status_code == 200 else {"moves": []}


def wait_until_stored(page, server, count: int) -> dict[str, Any]:
    """The stored copy, once it has so many moves: it is sent after each move.

    Asked for from outside: in the page, a copy that is not there yet would be a complaint.
    """
    wait_until(page, lambda: len(stored(page, server)["moves"]) == count)
    return stored(page, server)


def wait_until(page, is_so: Callable[[], object]) -> None:
    """Let the page go on until something has happened on this side."""
    end_s = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end_s, "it never happened"
        page.evaluate("0")  # lets what was sent arrive


def hold(page, pattern: str) -> list[Any]:
    """Questions that are not answered until a test lets them go on."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))
    return held


def lose(page, pattern: str) -> None:
    """Let questions come to nothing, as if the server were away."""
    page.route(pattern, lambda route: route.abort())


class Engine(Puppet):
    """A puppet that also hears what is to be stopped."""

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self.stops: list[int] = []

    def _heard(self, text: str) -> None:
        super()._heard(text)
        message = json.loads(text)
        if message["type"] == "stop":
            self.stops.append(message["job"])

    def move(self, text: str, **about: Any) -> None:
        facts = {"score": None, "depth": 3, "nodes": 10, "line": [text], "cut": False}
        self.say("move", move=text, **{**facts, **about})


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize("name", list(games()))
def test_six_moves_of_every_game_by_click(page, server, name):
    page.goto("play")
    page.get_by_role("button", name="New game …").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Game").select_option(name)
    for player in dialog.get_by_role("combobox", name="Player").all():
        player.select_option("Person")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("h1")).to_have_text(games()[name].title)
    for number in range(6):
        cells = legal_cells(page).or_(page.locator("g-board .moves button:enabled"))
        expect(cells).not_to_have_count(0)
        cells.nth(PLACES[number] % cells.count()).click()
        expect(moves(page)).to_have_count(number + 1)
        played = [text.split(". ", 1)[1] for text in moves(page).all_inner_texts()]
        line = {"game": name, "moves": played}
        position = asking.post(f"{server.address}api/position", json=line).json()
        if position["over"]:
            assert number == (1 if name == "textbook" else 5)
            break
        expect(page.get_by_test_id(position["side"])).to_have_class(re.compile("to-move"))


def test_a_disc_is_there_before_the_server_answers(page, server):
    page.goto("play?game=othello&first=human&second=human")
    expect(legal_cells(page)).to_have_count(4)
    held = hold(page, "**/api/position")
    page.locator("[data-cell='19']").click()
    expect(page.locator("[data-cell='19']")).to_have_attribute("data-content", "first")
    expect(page.locator("[data-cell='27']")).to_have_attribute("data-content", "first")
    expect(moves(page)).to_have_count(0)
    wait_until(page, lambda: held)
    [route] = held
    route.continue_()
    expect(moves(page)).to_have_text(["1. d3"])
    kept = wait_until_stored(page, server, 1)
    assert [each["move"] for each in kept["moves"]] == ["d3"]


def test_a_disc_is_drawn_within_the_click(page):
    page.goto("play?game=othello&first=human&second=human")
    expect(legal_cells(page)).to_have_count(4)
    content = page.evaluate(
        """() => {
            const cell = document.querySelector("[data-cell='19']");
            cell.click();
            return cell.dataset.content;
        }"""
    )
    assert content == "first"


def test_an_illegal_cell_changes_nothing_and_says_why(page):
    page.goto("play?game=othello&first=human&second=human")
    page.locator("[data-cell='0']").click()
    expect(page.locator("#speaker")).to_have_text("a1 is not a legal move")
    expect(page.locator(".thinking")).to_have_text("a1 is not a legal move")
    expect(moves(page)).to_have_count(0)
    expect(page.locator("g-board .disc")).to_have_count(4)


def test_the_keyboard_alone_is_enough(page):
    page.goto("play?game=tictactoe&first=human&second=human")
    expect(legal_cells(page)).to_have_count(9)
    expect(page.locator("g-board [tabindex='0']")).to_have_count(1)
    page.locator("g-board [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-cell='4']")).to_have_accessible_name(re.compile("^b2, X"))
    expect(page.locator("g-board [tabindex='0']")).to_have_count(1)
    expect(page.locator("#speaker")).to_contain_text("X plays b2")


def test_guides_can_be_turned_off(page):
    page.goto("settings")
    page.get_by_label("Show legal moves").uncheck()
    page.goto("play?game=othello&first=human&second=human")
    expect(page.get_by_role("gridcell")).to_have_count(64)
    expect(legal_cells(page)).to_have_count(0)
    page.locator("[data-cell='19']").click()
    expect(moves(page)).to_have_text(["1. d3"])


def test_hovering_shows_where_a_disc_lands_and_what_it_turns(page):
    page.goto("play?game=connect4&first=human&second=human&moves=4_4")
    page.locator("[data-cell='3']").hover()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator("[data-cell='24'] .ghost")).to_have_count(1)
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    page.locator("[data-cell='45']").hover()
    expect(page.locator(".will-change")).to_have_count(1)
    expect(page.locator("[data-cell='36']")).to_have_class(re.compile("will-change"))
    page.locator("[data-cell='45']").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator("[data-cell='36']")).to_have_attribute("data-content", "second")


def test_a_forced_pass_is_announced_and_one_key_goes_on(page):
    # White has no move here, and Black has.
    page.goto("play?game=othello&first=human&second=human&moves=f5_f6_d3_g5_h5_h4_f7_h6")
    expect(page.locator(".thinking")).to_contain_text("has no move and passes")
    expect(page.get_by_role("button", name="Pass")).to_be_focused()
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(9)


def test_without_motion_discs_are_turned_in_one_frame(page):
    turn = """async () => {
        document.querySelector("[data-cell='19']").click();
        const moving = document.getAnimations().length;
        await new Promise(requestAnimationFrame);
        const { content } = document.querySelector("[data-cell='27']").dataset;
        return [content, moving, document.getAnimations().length];
    }"""
    address = "play?game=othello&first=human&second=human"
    page.emulate_media(reduced_motion="reduce")
    page.goto(address)
    expect(legal_cells(page)).to_have_count(4)
    assert page.evaluate(turn) == ["first", 0, 0]
    page.emulate_media(reduced_motion="no-preference")
    page.goto(address)
    expect(legal_cells(page)).to_have_count(4)
    content, moving, _ = page.evaluate(turn)
    assert (content, moving) == ("first", 2)  # one appears, one is turned


# ---------------------------------------------------------------- sound

SOUNDS_HEARD = """
    window.sounds = [];
    window.loudest = 0;
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, when) {
        if (value > 20) sounds.push(value);
        else window.loudest = Math.max(loudest, value);
        return set.call(this, value, when);
    };
"""


def sounds(page) -> list[int]:
    """The pitches at which sounds began since this was asked last."""
    return page.evaluate("sounds.splice(0)")


def test_sound_is_off_until_it_is_asked_for(page):
    page.add_init_script(SOUNDS_HEARD)
    page.goto("play?game=tictactoe&first=human&second=human")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(1)
    assert sounds(page) == []
    page.goto("settings")
    page.get_by_label("Sound").check()
    page.goto("play?game=tictactoe&first=human&second=human")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(1)
    assert len(sounds(page)) == 1


def test_a_move_a_turned_disc_a_refusal_and_the_end_sound_each_its_own_way(page):
    page.add_init_script(SOUNDS_HEARD + "localStorage.setItem('plyground.sound', 'true');")
    page.goto("play?game=tictactoe&first=human&second=human&moves=a1_a2_b1")
    page.locator("[data-cell='4']").click()
    expect(moves(page)).to_have_count(4)
    [move] = sounds(page)
    page.locator("[data-cell='4']").click()
    [refusal] = sounds(page)
    page.locator("[data-cell='2']").click()
    expect(page.locator(".result")).to_be_visible()
    last, end = sounds(page)
    page.goto("play?game=othello&first=human&second=human")
    page.locator("[data-cell='19']").click()
    expect(moves(page)).to_have_count(1)
    [turn] = sounds(page)
    assert last == move
    assert len({move, refusal, end, turn}) == 4
    page.keyboard.press("Backspace")
    expect(moves(page)).to_have_count(0)
    page.keyboard.press("y")
    expect(moves(page)).to_have_count(1)
    assert sounds(page) == []  # stepping is silent


def test_sound_is_as_loud_as_was_asked_for(page):
    page.add_init_script(SOUNDS_HEARD)
    page.goto("settings")
    page.get_by_label("Sound").check()
    loudness = []
    for volume in ("100", "20", "0"):
        page.goto("settings")
        page.get_by_label("Volume").fill(volume)
        page.get_by_label("Volume").press("Enter")
        page.goto("play?game=tictactoe&first=human&second=human")
        legal_cells(page).first.click()
        expect(moves(page)).to_have_count(1)
        loudness.append(page.evaluate("loudest"))
    loud, soft, silent = loudness
    assert loud == pytest.approx(5 * soft)
    assert silent == 0 < soft


# ---------------------------------------------------------------- the other side of the board


def names_of_cells(page) -> list[str]:
    """As they follow one another on the page."""
    name = "(cell) => cell.closest('g-board').nameOf(Number(cell.dataset.cell))"
    return page.get_by_role("gridcell").evaluate_all(f"all => all.map({name})")


@pytest.mark.parametrize(
    ("game", "first", "last"),
    [
        ("othello", "h8", "a1"),
        ("connect4", "column 7, row 6", "column 1, row 1"),  # from behind: discs still fall down
        ("kalah", "South's store", "North's store"),
    ],
)
def test_a_board_that_was_turned_round_stays_so(page, game, first, last):
    page.goto(f"play?game={game}&first=human&second=human")
    expect(legal_cells(page)).not_to_have_count(0)
    usual = names_of_cells(page)
    page.get_by_role("button", name="Flip board").click()
    expect(page.locator("#speaker")).to_have_text("The board is turned round.")
    turned = names_of_cells(page)
    assert sorted(turned) == sorted(usual)
    assert (turned[0], turned[-1]) == (first, last)
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(1)
    page.reload()
    expect(moves(page)).to_have_count(1)
    assert names_of_cells(page) == turned
    assert "flip=1" in page.get_by_role("link", name="Analyse").last.get_attribute("href")
    page.keyboard.press("f")
    expect(page.locator("#speaker")).to_have_text("The board is as usual.")
    assert names_of_cells(page) == usual


@pytest.mark.parametrize("game", ["connect4", "kalah"])
def test_arrows_go_where_they_point_on_a_board_that_was_turned_round(page, game):
    page.goto(f"play?game={game}&first=human&second=human&flip=1")
    cells = page.get_by_role("gridcell")
    expect(cells).not_to_have_count(0)
    start = cells.nth(1)  # of the upper row, beside the first
    start.focus()
    at = start.bounding_box()
    for key, axis, sign in [("ArrowRight", "x", 1), ("ArrowDown", "y", 1), ("ArrowLeft", "x", -1)]:
        page.keyboard.press(key)
        now = page.locator("g-board :focus").bounding_box()
        assert sign * (now[axis] - at[axis]) > 0, key
        at = now


def test_a_board_with_one_side_is_not_turned_round(page):
    page.goto("play?game=double-card&first=human&second=human")
    expect(legal_cells(page)).not_to_have_count(0)
    expect(page.get_by_role("button", name="Flip board")).to_be_hidden()
    page.keyboard.press("f")
    expect(page.locator("#speaker")).to_have_text("This board has one side only.")


# ---------------------------------------------------------------- machines


def test_the_lowest_level_answers(page):
    page.goto("play?game=connect4&first=human&second=amateur")
    page.locator("[data-cell='38']").click()
    expect(moves(page)).to_have_count(2, timeout=COMPILING_MS)
    expect(page.get_by_test_id("first")).to_have_class(re.compile("to-move"))
    expect(page.locator(".thinking")).to_contain_text(re.compile(r"^Red played \d"))


def test_a_thinking_machine_is_stopped_and_moves(page):
    """Without the button the second answer would take five minutes: nobody waits so long here."""
    page.goto("play?game=connect4&first=human&second=alphabeta:time=100ms")
    page.locator("[data-cell='38']").click()
    expect(moves(page)).to_have_count(2, timeout=COMPILING_MS)
    page.goto("play?game=connect4&first=human&second=alphabeta:time=300s")
    page.locator("[data-cell='38']").click()
    expect(page.locator(".thinking")).to_contain_text("Red is thinking")
    page.get_by_role("button", name="Move now").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".thinking")).to_contain_text(re.compile(r"^Red played \d"))


def test_a_machine_is_stopped_before_its_socket_is_open(page):
    page.goto("play?game=connect4&first=human&second=alphabeta:time=300s")
    expect(page.get_by_role("gridcell")).to_have_count(42)
    page.evaluate(
        """() => {
            const button = () =>
                [...document.querySelectorAll("button")].find((b) => b.textContent === "Move now");
            new MutationObserver((_, watch) => button() && (watch.disconnect(), button().click()))
                .observe(document.body, { childList: true, subtree: true, attributes: true });
            document.querySelector("[data-cell='38']").click();
        }"""
    )
    expect(moves(page)).to_have_count(2)


def test_a_machine_that_waits_for_its_turn_can_be_told_to_move(page):
    engine = Engine(page)
    page.goto("play?game=connect4&first=human&second=alphabeta:depth=60")
    page.locator("[data-cell='38']").click()
    job = engine.is_asked()
    engine.say("waiting")
    expect(page.locator(".thinking")).to_contain_text("Red waits for a free processor")
    page.get_by_role("button", name="Move now").click()
    wait_until(page, lambda: engine.stops)
    assert engine.stops == [job]
    engine.say("begun")
    expect(page.locator(".thinking")).to_contain_text("Red is thinking")
    expect(page.get_by_role("button", name="Move now")).to_be_visible()
    engine.move("4")
    expect(moves(page)).to_have_count(2)


def test_a_machine_has_all_the_time_there_is_and_what_ends_it_is_told(page):
    engine = Engine(page)
    page.goto("play?game=connect4&first=human&second=alphabeta:depth=60")
    page.locator("[data-cell='38']").click()
    engine.is_asked()
    assert engine.starts[-1]["time_s"] == 600
    engine.move("4", depth=1, cut=True)
    expect(page.locator(".toast")).to_contain_text("Red had to move after 600 seconds")
    page.locator(".toast").get_by_role("button", name="Close").click()
    page.locator("[data-cell='38']").click()
    engine.is_asked(2)
    engine.move("4")
    expect(moves(page)).to_have_count(4)
    expect(page.locator(".toast")).to_have_count(0)


def test_while_code_is_compiled_the_seconds_are_counted(lone_page):
    page = lone_page
    page.clock.install()
    engine = Engine(page)
    page.goto("play?game=othello&first=human&second=amateur")
    legal_cells(page).first.click()
    engine.is_asked()
    engine.say("compiling", text="compiling alphabeta for Othello, first time only")
    told = page.locator(".thinking")
    expect(told).to_have_text(
        re.compile(r"^Compiling alphabeta for Othello, first time only … \d+\ss")
    )
    page.clock.fast_forward("01:15")
    expect(told).to_have_text(re.compile(r" … (7[5-9]|[89]\d|\d{3})\ss"))
    engine.say("compiling", text="compiling discs for Othello, first time only")
    expect(told).to_have_text(re.compile(r"^Compiling discs .* … (7[5-9]|[89]\d|\d{3})\ss"))
    engine.say("ready")
    expect(told).to_contain_text("White is thinking")


def test_a_machine_that_cannot_be_is_told_of_at_once(page):
    page.goto("play?game=tictactoe&first=human&second=alphabeta:depth=wide")
    with page.expect_event("console"):  # the store refuses such a player, too
        page.locator("[data-cell='4']").click()
    page.watch.problems.clear()
    expect(page.locator(".thinking")).to_contain_text("depth")
    expect(page.locator(".toast")).to_contain_text("not stored")
    page.get_by_role("button", name="Other players").click()
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()


def test_two_machines_are_watched_with_pause_and_speed(lone_page):
    page = lone_page
    page.clock.install()
    hours = "localStorage.setItem('plyground.pace', '36000000')"  # none is over before the pause
    page.add_init_script(hours)
    page.goto("play?game=tictactoe&first=random&second=random")
    page.get_by_role("button", name="Pause").click()
    page.clock.fast_forward("11:00:00")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert moves(page).count() == 0
    page.get_by_role("button", name="One move").click()
    expect(moves(page)).to_have_count(1)
    page.clock.fast_forward("11:00:00")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    assert moves(page).count() == 1
    page.get_by_label("Speed").select_option("as fast as they can")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".result")).to_be_visible(timeout=COMPILING_MS)
    expect(page.get_by_role("button", name="Go on")).to_be_hidden()


def test_two_machines_play_to_the_end_and_the_store_has_it(page, server):
    page.add_init_script("localStorage.setItem('plyground.pace', '0')")
    page.goto("play?game=tictactoe&first=random&second=random")
    expect(page.locator(".result")).to_be_visible(timeout=COMPILING_MS)
    wait_until_stored(page, server, moves(page).count())
    with Store(str(server.store)) as store:
        [kept] = [each for each in store.games() if each.uid == name_of_game(page)]
    assert kept.record.points is not None
    assert kept.record.players == ("random", "random")


def test_a_machine_that_ponders_has_its_answer_ready(page):
    sent, told = [], []

    def listen(socket):
        socket.on("framesent", lambda text: sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: told.append(json.loads(text)))

    page.on("websocket", listen)
    page.goto("play?game=tictactoe&first=human&second=alphabeta:depth=6,ponder=yes")
    page.locator("[data-cell='0']").click()
    expect(moves(page)).to_have_count(2, timeout=COMPILING_MS)
    asked, pondered = [each for each in sent if each["type"] == "start"]
    expected = pondered["line"]["moves"][-1]
    [answer] = [each for each in told if each["type"] == "move" and each["job"] == asked["job"]]
    assert expected == answer["line"][1]
    assert asked["player"] == pondered["player"] == "alphabeta:depth=6"
    page.locator(f"g-board [aria-label^='{expected},']").click()
    expect(moves(page)).to_have_count(4)
    expect(page.locator(".thinking")).to_contain_text("foreseen")
    questions = [each["line"]["moves"] for each in sent if each["type"] == "start"]
    assert [len(each) for each in questions[:2]] == [1, 3]
    assert questions.count(pondered["line"]["moves"]) == 1


# ---------------------------------------------------------------- undo, hints, the end


def test_undo_takes_back_two_and_what_was_undone_stays_a_branch(page):
    page.goto("play?game=tictactoe&first=human&second=first")
    page.locator("[data-cell='4']").click()
    expect(moves(page)).to_have_text(["1. b2", "2. a1"], timeout=COMPILING_MS)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_count(2)
    page.keyboard.press("Backspace")
    expect(moves(page)).to_have_count(0)
    page.locator("[data-cell='8']").click()
    expect(moves(page)).to_have_text(["1. c3", "2. a1"])
    page.reload()
    expect(moves(page)).to_have_text(["1. c3", "2. a1"])
    page.get_by_role("link", name="Analyse").last.click()
    page.wait_for_url("**/analyse*")
    expect(page.locator(".tree-move")).to_have_count(4)
    expect(page.locator(".tree-move[aria-current]")).to_contain_text("a1")
    expect(page.locator("[data-cell='8']")).to_have_accessible_name(re.compile("^c3, X"))


def test_two_quick_steps_back_are_two_steps_and_can_be_played_again(page, server):
    page.goto("play?game=othello&first=human&second=human&moves=f5_d6_c3")
    expect(moves(page)).to_have_count(3)
    held = hold(page, "**/api/position")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    for number in (1, 2):
        wait_until(page, lambda: len(held) == number)  # noqa: B023 - called before it changes
        held[-1].continue_()
    expect(moves(page)).to_have_text(["1. f5"])
    page.unroute("**/api/position")
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_text(["1. f5", "2. d6", "3. c3"])
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    kept = wait_until_stored(page, server, 3)
    assert [each["move"] for each in kept["moves"]] == ["f5", "d6", "c3"]


def test_a_step_back_waits_for_the_move_that_is_being_made(page):
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    expect(moves(page)).to_have_count(1)
    held = hold(page, "**/api/position")
    page.locator("[data-cell='43']").click()
    page.keyboard.press("Backspace")
    for number in (1, 2):
        wait_until(page, lambda: len(held) == number)  # noqa: B023 - called before it changes
        held[-1].continue_()
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    expect(moves(page)).to_have_text(["1. f5"])  # it is the new move that was taken back


def test_a_step_that_the_server_does_not_hear_of_changes_nothing(page):
    page.goto("play?game=othello&first=human&second=human&moves=f5_d6_c3")
    expect(moves(page)).to_have_count(3)
    page.keyboard.press("Backspace")
    expect(moves(page)).to_have_count(2)
    lose(page, "**/api/position")
    for button, count in (("Undo", 2), ("Redo", 2)):
        with page.expect_event("console"):
            page.get_by_role("button", name=button).click()
        expect(page.locator(".toast.error")).to_contain_text("the server cannot be reached")
        page.locator(".toast").get_by_role("button", name="Close").click()
        assert moves(page).count() == count
    page.unroute("**/api/position")
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_text(["1. f5", "2. d6", "3. c3"])
    page.watch.problems.clear()


def test_a_hint_comes_in_three_steps_and_the_record_counts_them(page, server):
    page.goto("play?game=connect4&first=human&second=human&moves=4_4")
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    expect(page.locator(".thinking")).to_contain_text("marked part", timeout=COMPILING_MS)
    hint.click()
    expect(page.locator(".thinking")).to_contain_text(re.compile(r"^Hint: \d\. Ask"))
    hint.click()
    expect(page.locator(".thinking")).to_contain_text("expected")
    expect(page.get_by_text("3 hints")).to_be_visible()
    page.locator("[data-cell='3']").click()
    expect(moves(page)).to_have_count(3)
    assert wait_until_stored(page, server, 3)["tags"] == {"hints": "3"}


def test_a_won_game_says_so_and_offers_what_comes_next(page):
    page.goto("play?game=tictactoe&first=human&second=human&moves=a1_a2_b1_b2")
    page.locator("[data-cell='2']").click()
    expect(page.locator(".result")).to_have_text("X wins.")
    expect(page.locator(".cell.won")).to_have_count(3)
    expect(page.locator("[data-cell='1']")).to_have_accessible_name(re.compile("winning line"))
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("button", name="New game")).to_be_visible()
    result.get_by_role("link", name="Analyse").click()
    page.wait_for_url("**/analyse*")
    expect(page.locator(".tree-move")).to_have_count(5)
    page.go_back()
    page.get_by_role("button", name="Rematch, sides swapped").click()
    expect(moves(page)).to_have_count(0)
    expect(page.locator(".result")).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        ("connect4", "4 3 4 3 4 3", []),
        ("connect4", "4 3 4 3 4 3 4", [17, 24, 31, 38]),
        ("connect4", "1 2 2 3 3 4 3 4 4 6 4", [17, 23, 29, 35]),  # a diagonal
        ("mnk", "a1 a2 b1 b2 c1", [0, 1, 2]),
        ("mnk", "c1 a1 b2 a2 a3", [2, 4, 6]),
        ("double-card", "0 2 A 1;0 8 C 1;0 5 D 1;0 8 B 1", [88, 89, 90, 91]),  # hollow dots
        ("double-card", "0 8 D 1;0 8 C 1;0 4 E 1;0 4 D 3;0 1 F 1", [90, 91, 92, 93]),  # red
        ("othello", "f5 d6", []),
    ],
)
def test_the_cells_that_won_are_told(server, game, moves, line):
    played = moves.split(";") if ";" in moves else moves.split()
    answer = asking.post(f"{server.address}api/position", json={"game": game, "moves": played})
    assert answer.json()["board"]["line"] == line
    assert answer.json()["over"] == bool(line)


def test_a_rematch_swaps_the_sides(page):
    page.goto("play?game=tictactoe&first=human&second=random&moves=a1_a2_b1_b2")
    page.locator("[data-cell='2']").click()
    page.get_by_role("button", name="Rematch, sides swapped").click()
    expect(page.get_by_test_id("first")).to_contain_text("random")
    expect(page.get_by_test_id("second")).to_contain_text("person")
    expect(moves(page)).to_have_count(1)  # the machine has begun


def test_a_counted_game_tells_the_count(page):
    page.goto("play?game=othello&set=size=4&first=human&second=human")
    while not page.locator(".result").is_visible():
        before = moves(page).count()
        legal_cells(page).or_(page.get_by_role("button", name="Pass")).first.click()
        expect(moves(page)).to_have_count(before + 1)
    expect(page.locator(".result")).to_have_text(re.compile(r"wins \d+ to \d+\.|A draw\."))


def test_who_resigns_loses_and_the_store_knows(page, server):
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("White resigned: Black wins.")
    assert wait_until_stored(page, server, 1)["ended"] == "resigned"


# ---------------------------------------------------------------- nothing is lost


def test_a_reload_brings_position_players_and_clocks_back(lone_page, server):
    page = lone_page
    page.clock.install()
    page.goto("play?game=othello&first=human&second=human")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(1)
    page.clock.fast_forward("01:05")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(2)
    expect(page.get_by_test_id("second").get_by_role("timer")).to_have_text(re.compile(r"1:\d\d"))
    page.clock.fast_forward("02:00")
    wait_until_stored(page, server, 2)
    page.goto(f"play?id={name_of_game(page)}")  # what counts is what the store knows
    expect(moves(page)).to_have_count(2)
    expect(page.get_by_test_id("second").get_by_role("timer")).to_have_text(re.compile(r"1:\d\d"))
    expect(page.get_by_test_id("first").get_by_role("timer")).to_have_text(re.compile(r"2:\d\d"))
    expect(page.locator("h1")).to_have_text("Othello")
    for side in ("first", "second"):  # of an address that does not say, the second is a machine
        expect(page.get_by_test_id(side)).to_contain_text("person")


def test_players_and_hints_of_a_game_come_back_from_the_store(page, server):
    page.goto("play?game=tictactoe&first=alphabeta:depth=2&second=human")
    expect(moves(page)).to_have_count(1, timeout=COMPILING_MS)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("1 hint")).to_be_visible()
    wait_until(page, lambda: stored(page, server).get("tags", {}).get("hints") == "1")
    page.goto(f"play?id={name_of_game(page)}")
    expect(page.get_by_test_id("first")).to_contain_text("alphabeta:depth=2")
    expect(page.get_by_test_id("second")).to_contain_text("person")
    expect(page.get_by_text("1 hint")).to_be_visible()


def test_a_move_that_could_not_be_stored_is_stored_later(page, server):
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    lose(page, "**/api/plays/*")
    with page.expect_event("console"):
        page.locator("[data-cell='43']").click()
    expect(moves(page)).to_have_count(2)
    with page.expect_event("console"):
        page.get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("Black resigned: White wins.")
    uid = name_of_game(page)
    page.get_by_role("link", name="Plyground").click()  # and away, with nothing stored
    page.wait_for_url(server.address)
    page.unroute("**/api/plays/*")
    page.reload()
    page.goto("play?game=tictactoe&first=human&second=human")
    expect(legal_cells(page)).to_have_count(9)
    page.watch.problems.clear()
    unsent = page.evaluate("JSON.parse(localStorage.getItem('plyground.unsent'))")
    assert unsent == {}
    kept = asking.get(f"{server.address}api/plays/{uid}").json()
    assert (kept["ended"], kept["points"], len(kept["moves"])) == ("resigned", 0, 2)


def test_a_move_that_is_on_its_way_when_the_page_is_loaded_again_is_not_lost(page, server):
    page.goto("play?game=othello&first=human&second=human")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(1)
    wait_until_stored(page, server, 1)
    held: list[Any] = []  # the first alone, for ever: to hold nothing more would let it go on
    page.route("**/api/plays/*", lambda each: each.continue_() if held else held.append(each))
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(2)
    wait_until(page, lambda: held)
    assert len(stored(page, server)["moves"]) == 1
    page.reload()
    expect(moves(page)).to_have_count(2)
    assert len(stored(page, server)["moves"]) == 2


def test_a_game_goes_on_after_the_server_was_killed(browser, tmp_path: Path):
    with web_server(tmp_path) as first:
        port = first.port
        context = browser.new_context(base_url=first.address)
        page = context.new_page()
        page.goto("play?game=othello&first=human&second=human")
        legal_cells(page).first.click()
        expect(moves(page)).to_have_count(1)
        wait_until_stored(page, first, 1)
        lose(page, "**/api/plays/*")
        legal_cells(page).first.click()  # the last that the server hears, and it does not keep it
        expect(moves(page)).to_have_count(2)
        first.kill()
    page.unroute("**/api/plays/*")
    discs = page.locator("g-board .disc")
    expect(discs).to_have_count(6)
    legal_cells(page).first.click()
    expect(page.locator(".toast.error")).to_contain_text("the server cannot be reached")
    expect(page.get_by_role("alert")).to_contain_text("Disconnected")
    expect(discs).to_have_count(6)  # the disc that nobody heard of is taken back
    with web_server(tmp_path, port) as second:
        expect(page.get_by_role("alert")).to_be_hidden()
        wait_until_stored(page, second, 2)
        legal_cells(page).first.click()
        expect(moves(page)).to_have_count(3)
        assert [each["move"] for each in wait_until_stored(page, second, 3)["moves"]] == [
            text.split(". ", 1)[1] for text in moves(page).all_inner_texts()
        ]
        context.close()


def test_a_game_that_was_left_is_offered_on_the_first_page(page, server):
    page.goto("play?game=othello&first=human&second=human&moves=f5")
    legal_cells(page).first.click()
    expect(moves(page)).to_have_count(2)
    wait_until_stored(page, server, 2)
    page.goto("")
    page.get_by_role("link", name="Continue").click()
    expect(moves(page)).to_have_count(2)


# ---------------------------------------------------------------- cards


def test_a_card_is_turned_and_placed(page):
    page.goto("play?game=double-card&first=human&second=human")
    expect(page.get_by_role("radio")).to_have_count(8)
    expect(legal_cells(page)).to_have_count(7)
    page.keyboard.press("r")
    expect(page.get_by_role("radio", name="card 2:")).to_be_checked()
    expect(legal_cells(page)).to_have_count(8)
    page.get_by_role("button", name="Turn").click()
    expect(page.get_by_role("radio", name="card 3:")).to_be_checked()
    page.get_by_role("radio", name="card 3:").press("ArrowLeft")
    expect(page.get_by_role("radio", name="card 2:")).to_be_focused()
    legal_cells(page).first.hover()
    expect(page.locator(".ghost")).to_have_count(2)
    legal_cells(page).first.click()
    expect(moves(page)).to_have_text([re.compile("0 2 A 1")])


def test_a_card_is_picked_up_put_back_and_moved(page):
    page.goto(f"play?game=double-card&first=human&second=human&moves={ALL_CARDS_LAID}")
    expect(page.locator(".prompt")).to_contain_text("pick one up")
    expect(page.get_by_role("radio")).to_have_count(0)
    page.locator("[data-cell='40']").click()  # half of the card on A 6 and A 7
    expect(page.locator(".lifted")).to_have_count(2)
    page.get_by_role("button", name="Put back").click()
    expect(page.locator(".lifted")).to_have_count(0)
    page.locator("[data-cell='40']").click()
    page.get_by_role("radio", name="card 2:").click()
    page.locator("[data-cell='90']").click()
    expect(moves(page)).to_have_count(25)
    expect(moves(page).last).to_contain_text("A 6 A 7 2 C 1")


def test_a_card_is_turned_where_it_lies(page):
    page.goto(f"play?game=double-card&first=human&second=human&moves={ALL_CARDS_LAID}")
    page.locator("[data-cell='40']").click()
    page.get_by_role("radio", name="card 4:").click()
    page.locator("[data-cell='48']").click()
    expect(moves(page).last).to_contain_text("A 6 A 7 4 A 6")


# ---------------------------------------------------------------- a new game


def test_a_new_game_is_set_up_in_the_dialog(page):
    page.goto("play?game=othello&first=human&second=human")
    page.get_by_role("button", name="New game …").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Game").select_option("connect4")
    red = dialog.get_by_role("group", name="Red")
    red.get_by_role("combobox", name="Player").select_option("alphabeta")
    red.get_by_label("Depth").fill("2")
    red.get_by_label("Seconds a move").fill("0.5")
    red.get_by_label("Evaluator").select_option("segments")
    red.get_by_label("Thinks while you do").check()
    text = "alphabeta:depth=2,time=0.5s,eval=segments,ponder=yes"
    expect(red.get_by_role("status")).to_have_text(text)
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("h1")).to_have_text("Connect Four")
    expect(page.get_by_test_id("second")).to_contain_text(text)
    page.keyboard.press("n")
    expect(dialog.get_by_role("group", name="Red").get_by_label("Depth")).to_have_value("2")
    expect(dialog.get_by_role("group", name="Red").get_by_label("Thinks")).to_be_checked()


def test_a_wrong_number_is_told_and_nothing_else_is_lost(page):
    page.goto("play?game=othello&first=human&second=human")
    page.get_by_role("button", name="New game …").click()
    dialog = page.get_by_role("dialog", name="New game")
    white = dialog.get_by_role("group", name="White")
    white.get_by_role("combobox", name="Player").select_option("alphabeta")
    white.get_by_label("Depth").fill("900")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Depth")
    expect(white.get_by_label("Depth")).to_be_focused()
    expect(white.get_by_label("Depth")).to_have_value("900")


def test_the_rules_of_a_game_are_chosen_in_the_dialog(page):
    page.goto("play?game=kalah&first=human&second=human")
    page.get_by_role("button", name="New game …").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Rules").click()
    dialog.get_by_label("Seeds").fill("3")
    dialog.get_by_label("Captures").select_option("no")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator("[data-cell='1']")).to_have_accessible_name(re.compile("3 seeds"))
    assert "seeds%3D3" in page.url
    page.reload()
    expect(page.locator("[data-cell='1']")).to_have_accessible_name(re.compile("3 seeds"))


# ---------------------------------------------------------------- a game of one's own


def test_a_game_of_ones_own_is_played_like_any_other(browser, tmp_path: Path):
    with web_server(tmp_path, games=(HEXAPAWN,)) as server:
        context = browser.new_context(base_url=server.address)
        page = context.new_page()
        page.goto("")
        page.get_by_role("link", name="Play Hexapawn").click()
        expect(page.locator("h1")).to_have_text("Hexapawn")
        expect(legal_cells(page)).to_have_count(3)
        legal_cells(page).first.click()
        expect(legal_cells(page)).to_have_count(1)
        legal_cells(page).click()
        expect(moves(page)).to_have_count(2, timeout=COMPILING_MS)
        assert wait_until_stored(page, server, 2)["game"] == "hexapawn"
        page.get_by_role("link", name="Analyse").last.click()
        expect(page.locator("h1")).to_contain_text("Hexapawn")
        expect(page.locator(".tree-move")).to_have_count(2)
        context.close()


def test_a_game_of_ones_own_needs_a_name_of_its_own(tmp_path: Path):
    text = Path(HEXAPAWN).read_text(encoding="utf-8").replace('name="hexapawn"', 'name="othello"')
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unsupported, match="another game named othello"):
        use(path)
