"""Courses of learning in a browser: begun, watched, stopped, resumed, played against, forgotten."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import asking
import pytest
from expecting import expect
from patience import until
from run_tools import job, learn_noughts, wait_for
from user_games import write_game
from web_server import Server, fresh_page, shared_profile, web_server

SMALL = {"game": "mnk", "games": 750, "jobs": 1, "match": False}
COURSES = "api/courses"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("courses")


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Server]:
    own = folder / "own"
    own.mkdir()
    with web_server(folder, games=(str(write_game(own / "heap.py")),)) as started:
        yield started


@pytest.fixture(scope="module")
def profile(browser: Any, host: Server) -> Iterator[Any]:
    with shared_profile(browser, host) as shared:
        yield shared


@pytest.fixture
def page(profile: Any) -> Iterator[Any]:
    with fresh_page(profile) as fresh:
        yield fresh


@pytest.fixture(scope="module")
def learned(host: Server) -> str:
    """A course that is done."""
    return learn_noughts(host.address)


@pytest.fixture
def copied(learned: str, folder: Path, request: Any) -> Iterator[Path]:
    """Another course with the same files, to be damaged."""
    place = folder / "learning" / f"mnk.copy{len(request.node.name)}"
    shutil.copytree(folder / "learning" / learned, place)
    yield place
    shutil.rmtree(place, ignore_errors=True)


def begin(host: Server, **changes: Any) -> dict[str, Any]:
    answer = asking.post(f"{host.address}{COURSES}", json=SMALL | changes)
    assert answer.status_code == 200, answer.text
    begun: dict[str, Any] = answer.json()
    return begun


def ask(host: Server, path: str = "", method: str = "GET") -> Any:
    return asking.request(method, f"{host.address}{COURSES}{path}")


def refused(answer: Any) -> str:
    """A refusal in one line."""
    assert 400 <= answer.status_code < 500, answer.text
    error: str = answer.json()["error"]
    assert error
    assert "\n" not in error
    return error


def forgive(page: Any) -> None:
    """The browser's own line on what was refused."""
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


# ------------------------------------------------------------------ begun, watched, played against


def test_a_course_from_the_form_is_seen_to_its_end(page, host):
    page.goto("train")
    form = page.get_by_role("form", name="New course")
    button = page.get_by_role("button", name="New course")
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    form.get_by_role("combobox", name="Game", exact=True).select_option("mnk")
    form.get_by_label("Name").fill("from-a-page")
    expect(form.get_by_label("Games of self-play")).to_be_hidden()
    form.get_by_label("How long").select_option("a number of games")
    form.get_by_label("Games of self-play").fill("750")
    form.get_by_text("Advanced").click()
    form.get_by_label("Play the match").uncheck()
    expect(form.get_by_label("It has to beat")).to_be_hidden()
    form.get_by_label("Seed").fill("3")
    form.get_by_role("button", name="Begin").click()
    expect(page.locator("h1")).to_have_text("from-a-page")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    curve = page.get_by_role("slider", name="Learning curve")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^round 2, 750 games, error 0"))
    told = ask(host, "/mnk.from-a-page").json()
    assert [step["games"] for step in told["curve"]] == [250, 750]
    assert told["recipe"]["seed"] == 3
    curve.focus()
    page.keyboard.press("ArrowLeft")
    first = f"Round 1: 250 games, error {told['curve'][0]['error']:.3f}"
    expect(page.get_by_test_id("point")).to_have_text(first)
    expect(page.get_by_test_id("verdict")).to_have_text("No match was played, or not to its end.")
    page.get_by_role("link", name="Train").first.click()
    row = page.get_by_role("row").filter(has_text="from-a-page")
    expect(row).to_contain_text("done")
    expect(row).to_contain_text("750")


def test_it_is_played_against_now_and_as_it_was(page, host, learned):
    told = ask(host, f"/{learned}").json()
    assert told["checkpoints"] == [1, 2]
    page.goto(f"train/{learned}")
    address = page.get_by_role("link", name="Play against it").get_attribute("href")
    assert unquote(address).endswith("first=human&second=abmemory:nodes=20k,eval=noughts")
    page.get_by_role("link", name="1 round", exact=True).click()
    expect(page).to_have_url(re.compile(r"/play\?game=mnk&.*noughts-r1"))
    expect(page.get_by_text("abmemory:nodes=20k,eval=noughts-r1")).to_be_visible()
    page.get_by_role("gridcell").first.click()
    expect(page.locator(".move-list li")).to_have_count(2)


def test_games_of_the_last_round_are_replayed(page, host, learned):
    told = ask(host, f"/{learned}/games").json()
    assert (told["round"], told["played"], len(told["games"])) == (2, 500, 8)
    page.goto(f"train/{learned}")
    games = page.get_by_role("group", name="Sample games").get_by_role("button")
    expect(games).to_have_count(8)
    games.nth(3).click()
    expect(games.nth(3)).to_have_attribute("aria-pressed", "true")
    game, where = told["games"][3], page.get_by_test_id("preview-ply")
    expect(where).to_have_text(f"move {game['random']} of {len(game['moves'])}")
    page.get_by_role("button", name="Last").click()
    expect(where).to_have_text(f"move {len(game['moves'])} of {len(game['moves'])}")
    page.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile("/analyse.*moves=" + "_".join(game["moves"])))


def test_the_strongest_patterns_are_drawn(page, host, learned):
    told = ask(host, f"/{learned}/patterns").json()
    page.goto(f"train/{learned}")
    pictures = page.get_by_role("region", name="What it has learned").get_by_role("img")
    shown = [each for side in told["patterns"] for each in (*side["for"], *side["against"])]
    expect(pictures).to_have_count(len(shown))
    assert [each.get_attribute("alt") for each in pictures.all()] == [e["words"] for e in shown]
    assert all(
        each.evaluate("image => image.decode().then(() => image.naturalWidth)")
        for each in pictures.all()
    )
    one = ask(host, f"/{learned}/patterns?stage=0")
    assert one.status_code == 200
    assert "expected 0 to" in refused(ask(host, f"/{learned}/patterns?stage=63"))


def test_what_a_match_said_is_told_in_words(page, host):
    begun = begin(host, name="judged", match=True, nodes=10, against="material")
    wait_for(host.address, begun["job"]["id"], "done")
    match = ask(host, f"/{begun['id']}").json()["match"]
    page.goto(f"train/{begun['id']}")
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("etter than material.")
    games = f"won {match['wins']:,}, drew {match['draws']:,} and lost {match['losses']:,}"
    expect(verdict).to_contain_text(f"{games} of {match['games']:,} games with 10 nodes a move")
    assert ask(host).json()[0]["match"]["verdict"] == match["verdict"]


# ------------------------------------------------------------------ stopped, resumed, forgotten


def test_it_is_stopped_and_goes_on_where_it_was(page, host):
    """As long as a test may take, so that it is stopped before its end."""
    begun = begin(host, name="long", game="connect4", games=10**8)
    page.goto(f"train/{begun['id']}")
    progress = page.get_by_role("region", name="Progress")
    until(lambda: job(host.address, begun["job"]["id"])["done"] > 0)
    expect(page.get_by_role("button", name="Forget")).to_be_disabled()
    assert "stop it first" in refused(ask(host, f"/{begun['id']}", "DELETE"))
    again = SMALL | {"name": "long", "game": "connect4", "games": 10**8}
    answer = asking.post(f"{host.address}{COURSES}", json=again)
    assert (answer.json()["field"], answer.status_code) == ("name", 400)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(progress).to_contain_text("stopped")
    before = ask(host, f"/{begun['id']}").json()["games"]
    assert before > 0
    expect(page.get_by_text(re.compile(rf"^{before:,} games · "))).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(progress).to_contain_text("running")
    until(lambda: job(host.address, begun["job"]["id"])["done"] > before)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(progress).to_contain_text("stopped")
    steps = ask(host, f"/{begun['id']}").json()["curve"]
    assert steps[-1]["games"] > before
    assert sorted({step["round"] for step in steps}) == [step["round"] for step in steps]


def test_to_learn_longer_the_form_is_filled_and_the_same_course_goes_on(page, host, learned):
    page.goto(f"train/{learned}")
    page.get_by_role("button", name="Learn longer").click()
    form = page.get_by_role("form", name="New course")
    expect(form.get_by_label("Name")).to_have_value("noughts")
    expect(form.get_by_role("combobox", name="Game", exact=True)).to_have_value("mnk")
    form.get_by_label("How long").select_option("a number of games")
    form.get_by_label("Games of self-play").fill("1000")
    with page.expect_event("console"):
        form.get_by_role("button", name="Begin").click()
    expect(page.locator(".of-games .field-wrong")).to_contain_text("has learned for 750 games")
    forgive(page)
    form.get_by_text("Advanced").click()
    form.get_by_label("Play the match").uncheck()
    form.get_by_label("Games of self-play").fill("2000")
    form.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    until(lambda: ask(host, f"/{learned}").json()["games"] == 1750)


def test_it_is_forgotten_when_the_question_is_answered(page, host, folder):
    begun = begin(host, name="short")
    wait_for(host.address, begun["job"]["id"], "done")
    page.goto(f"train/{begun['id']}")
    page.get_by_role("button", name="Forget").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("eval=short can still be played")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Forget")).to_be_focused()
    assert (folder / "learning" / begun["id"]).exists()
    page.get_by_role("button", name="Forget").click()
    dialog.get_by_role("button", name="Forget").click()
    expect(page.locator("h1")).to_have_text("Train")
    assert not (folder / "learning" / begun["id"]).exists()
    assert not list(folder.glob("evaluators/checkpoints/*short*"))
    assert (folder / "evaluators" / f"{begun['id']}.weights").exists()
    assert "unknown course" in refused(ask(host, f"/{begun['id']}"))
    page.goto(f"train/{begun['id']}")
    expect(page.get_by_text("unknown course")).to_be_visible()
    expect(page).to_have_url(re.compile("/train$"))
    forgive(page)


# ------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "mnkk"}, "game"),
        ({"game": "./heap.py"}, "game"),
        ({"settings": {"weight": 3}}, "settings"),
        ({"name": "Big"}, "name"),
        ({"name": "../up"}, "name"),
        ({"name": "a.b"}, "name"),
        ({"name": "noughts", "seed": 5}, "name"),
        ({"name": "noughts", "games": 800}, "games"),
        ({"name": "noughts", "games": None, "seconds": 0.001}, "seconds"),
        ({"depth": 13}, "depth"),
        ({"evaluator": "nobody"}, "evaluator"),
        ({"trust": 2}, "trust"),
        ({"game": "heap", "solve": 5}, "solve"),
        ({"match": True, "against": "nobody"}, "against"),
        ({"match": True, "against": "noughts", "name": "noughts", "games": 10**6}, "against"),
        ({"jobs": 256}, "jobs"),
        ({"games": 0}, "games"),
    ],
    ids=str,
)
def test_a_refusal_names_its_field_and_begins_nothing(host, learned, folder, changes, field):
    before = sorted(folder.glob("jobs/*"))
    answer = asking.post(f"{host.address}{COURSES}", json=SMALL | {"name": "other"} | changes)
    refused(answer)
    assert answer.json()["field"] == field, answer.text
    assert sorted(folder.glob("jobs/*")) == before


def test_a_game_without_a_board_fails_with_a_reason_that_the_page_tells(page, host):
    begun = begin(host, name="own", game="heap")
    assert begun["job"]["words"][1].endswith("heap.py")
    page.goto(f"train/{begun['id']}")
    progress = page.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("failed")
    expect(progress).to_contain_text("heap has no cells to learn from")
    assert "no weights yet" in refused(ask(host, f"/{begun['id']}/patterns"))
    assert ask(host, f"/{begun['id']}/games").json()["games"] == []


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"[]", b'{"a": 1}', b'{"game": NaN}\n'])
@pytest.mark.parametrize("name", ["recipe.json", "curve.jsonl", "*.lessons"])
def test_a_damaged_course_is_told_and_never_breaks_the_list(host, copied, name, content):
    for path in copied.glob(name):
        path.write_bytes(content)
    told = ask(host, f"/{copied.name}")
    assert told.status_code == 200, told.text
    assert copied.name in [each["id"] for each in ask(host).json()]
    games = ask(host, f"/{copied.name}/games")
    if name == "recipe.json":
        assert told.json()["problem"]
    if name != "curve.jsonl":
        refused(games)
    assert games.status_code in (200, 400)


WRONG_STEPS = [
    {"round": "one", "games": 1, "positions": 1, "seconds": 1.0, "error": 0.5},
    {"round": 1, "games": 1, "positions": 1, "seconds": 1.0, "error": float("nan")},
    {"round": 1, "games": None, "positions": 1, "seconds": [], "error": {}},
]


@pytest.mark.parametrize("step", WRONG_STEPS, ids=str)
def test_a_curve_of_other_things_is_a_problem_and_no_curve(host, copied, step):
    (copied / "curve.jsonl").write_text(json.dumps(step) + "\n")
    told = ask(host, f"/{copied.name}").json()
    assert (told["curve"], told["problem"]) == ([], f"the curve of {copied.name} is damaged")


def test_damaged_weights_are_told_on_the_page(page, host, copied, folder):
    path = folder / "evaluators" / f"{copied.name}.weights"
    path.write_bytes(b'{"plyground-weights": 1}\nnothing')
    page.goto(f"train/{copied.name}")
    expect(page.get_by_role("alert").filter(has_text="damaged")).to_be_visible()
    wrong = page.get_by_role("region", name="What it has learned").locator(".wrong")
    expect(wrong).not_to_be_empty()
    refused(ask(host, f"/{copied.name}/patterns"))
    path.unlink()
    forgive(page)


@pytest.mark.parametrize("name", ["%2e%2e", "mnk", "a" * 255, "mnk.noughts%00", "💥"])
@pytest.mark.parametrize("path", ["", "/games", "/patterns"])
def test_other_names_are_no_courses(host, learned, name, path):
    assert 400 <= ask(host, f"/{name}{path}").status_code < 500
    assert 400 <= ask(host, f"/{name}", "DELETE").status_code < 500


def test_a_course_that_vanishes_is_told_on_its_page(page, host, copied):
    page.goto(f"train/{copied.name}")
    expect(page.get_by_text(re.compile(r"\d positions"))).to_be_visible()  # it has been loaded
    shutil.rmtree(copied)
    expect(page.get_by_role("alert").filter(has_text="unknown course")).to_be_visible()
    forgive(page)


def test_the_page_fits_a_phone_and_is_used_by_keys(page, learned):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"train/{learned}")
    expect(
        page.get_by_role("region", name="What it has learned").get_by_role("img").first
    ).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Forget").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Forget")).to_be_focused()
