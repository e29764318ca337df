"""Tournaments and matches in a browser: begun, watched, paused, killed, resumed, looked at."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asking
import pytest
from command_line import run
from expecting import expect
from match_tools import Command, lines_of
from patience import PATIENCE_S, until
from run_tools import HeldHeap, PacedHeap, job, kill_job, lasting_port, wait_for
from web_server import PATIENCE_MS, Server, fresh_page, shared_profile, web_server

from plyground.matches.tournament_file import ReadTournament, TournamentFile, written
from plyground.work.jobs import Job, find_job

MATCH = {"format": "match", "players": ["better-random", "random"], "games": 400}
FOUR = ["random", "first", "better-random", "random-start:moves=2,then=first"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contests")


@pytest.fixture(scope="module")
def heap(folder: Path) -> HeldHeap:
    return HeldHeap(folder / "own")


@pytest.fixture(scope="module")
def paced(folder: Path) -> PacedHeap:
    return PacedHeap(folder / "own")


@pytest.fixture(scope="module")
def host(folder: Path, heap: HeldHeap, paced: PacedHeap) -> Iterator[Server]:
    """A server that knows games which can be held: one before it begins, one at any move."""
    with web_server(folder, games=(str(heap.path), str(paced.path))) as started:
        yield started


@pytest.fixture(scope="module")
def profile(browser: Any, host: Server) -> Iterator[Any]:
    with shared_profile(browser, host) as shared:
        yield shared


@pytest.fixture
def page(profile: Any, heap: HeldHeap) -> Iterator[Any]:
    heap.allow()
    with fresh_page(profile) as fresh:
        yield fresh


def begin(host: Server, **changes: Any) -> dict[str, Any]:
    usual = {"game": "heap", "players": FOUR, "games": 2, "openings": 1, "name": "Four heaps"}
    wanted = usual | changes
    wanted["players"] = [{"player": player} for player in wanted["players"]]
    answer = asking.post(f"{host.address}api/tournaments", json=wanted)
    assert answer.status_code == 200, answer.text
    begun: dict[str, Any] = answer.json()
    return begun


def games_of(host: Server, name: str, **between: str) -> list[dict[str, Any]]:
    address = f"{host.address}api/tournaments/{name}/games"
    found: list[dict[str, Any]] = asking.get(address, params=between).json()["games"]
    return found


def games_in_title(page: Any) -> int:
    found = re.match(r"\((\d+)/12\) ", page.title())
    return int(found[1]) if found else -1


# ------------------------------------------------------------------ a tournament


def open_form(page: Any) -> Any:
    """It is open at first where there are no tournaments yet."""
    button = page.get_by_role("button", name="New tournament")
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    return page.get_by_role("form", name="New tournament")


def fill_form(page: Any, players: list[str]) -> None:
    page.goto("tournaments")
    form = open_form(page)
    form.get_by_role("combobox", name="Game", exact=True).select_option("heap")
    form.get_by_label("Name").fill("From a page")
    form.get_by_label("Games for each two").fill("2")
    form.get_by_label("Random first moves").fill("1")
    while form.locator("fieldset").count() < len(players):
        form.get_by_role("button", name="Add a player").click()
    for number, player in enumerate(players, start=1):
        group = form.get_by_role("group", name=f"Player {number}")
        group.get_by_role("combobox", name="Player", exact=True).select_option("as-text")
        group.get_by_label("Player as text").fill(player)


def test_a_round_robin_from_the_form_is_seen_growing_and_adds_up(page, host, heap):
    heap.allow(1)
    fill_form(page, FOUR)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("h1")).to_have_text("From a page")
    expect(page).to_have_title("(2/12) From a page · Plyground")
    expect(page.get_by_role("table", name="Standings")).to_contain_text("/2")
    expect(page.get_by_test_id("progress")).to_contain_text("2/12 games")
    heap.allow(3)
    expect(page).to_have_title("(6/12) From a page · Plyground")
    rows = page.get_by_role("region", name="Games").locator("tbody tr")
    expect(rows).to_have_count(6)
    heap.allow()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    expect(page).to_have_title("From a page · Plyground")
    expect(rows).to_have_count(12)
    # What the tables say is what the games say.
    points: Counter[str] = Counter()
    against: Counter[tuple[str, str]] = Counter()
    worth = {"1": 1.0, "0": 0.0, "½": 0.5}
    for row in rows.all():
        first, second, result = row.locator("td").all_inner_texts()[:3]
        one = worth[result[0]]
        for here, there, got in ((first, second, one), (second, first, 1 - one)):
            points[here] += got
            against[here, there] += got
    table = page.get_by_role("table", name="Standings").locator("tbody tr")
    assert table.count() == 4
    names = []
    for row in table.all():
        name = row.locator("th").inner_text()
        names.append(name)
        cells = row.locator("td").all_inner_texts()
        assert float(cells[2].partition("/")[0]) == points[name]
        assert cells[2].endswith("/6")
    cells = page.get_by_role("table", name="Cross-table").get_by_role("button")
    assert cells.count() == 12
    order = [(a, b) for a in names for b in names if a != b]
    told = [float(text) for text in cells.locator("b").all_inner_texts()]
    assert told == [against[pair] for pair in order]
    a_cell_lists_its_games(page, host, cells.first, order[0])


# The moves of a game that is watched, and its board, both of one moment.
LIVE = """() => [
    [...document.querySelectorAll(".move-list li")].map((each) => each.innerText.split(" ")[1]),
    document.querySelector("g-board pre").textContent,
]"""


def test_a_game_of_a_tournament_is_watched_while_it_is_played(page, host, paced):
    paced.leave(9)
    begun = begin(host, game="paced", players=["random", "first"], openings=0, name="Watched")
    page.goto(f"tournaments/{begun['id']}")
    board = page.get_by_role("region", name="Being played").get_by_role("link")
    expect(board).to_have_count(1)
    paced.leave(7)  # what is taken now was held, so that it is stored at once
    expect(board).to_have_accessible_name(re.compile(r"^random . first, [1-3] moves?$"))
    board.click()
    expect(page).to_have_url(re.compile(r"/games/\d+$"))
    number = page.url.rpartition("/")[2]
    status, moves = page.get_by_test_id("live"), page.locator(".move-list li")
    expect(status).to_have_text(re.compile(r"^Not over: [1-3] moves? so far\."))
    seen = moves.count()
    for left in (5, 3):
        paced.leave(left)
        expect(moves).not_to_have_count(seen)
        assert moves.count() > seen
        taken, shown = page.evaluate(LIVE)
        assert shown == f"{10 - sum(map(int, taken))} {len(taken) % 2}"  # left, and who is to move
        seen = len(taken)
    paced.leave(0)
    expect(status).to_have_text(re.compile(r"^(1.0|0.1) after \d+ moves\.$"))
    stored = asking.get(f"{host.address}api/store/games/{number}").json()["moves"]
    assert page.evaluate(LIVE)[0] == stored
    page.get_by_role("link", name="Analyse", exact=True).last.click()
    expect(page).to_have_url(re.compile(r"/analyse\?game=paced.*&moves="))
    assert page.url.split("moves=")[1].split("&")[0].split("_") == stored
    wait_for(host.address, begun["job"]["id"], "done")


def id_in(page: Any) -> str:
    """The name of the contest whose page it is."""
    name: str = re.search(r"/tournaments/([^/?]+)", page.url)[1]
    return name


def a_cell_lists_its_games(page: Any, host: Server, cell: Any, players: tuple[str, str]) -> None:
    cell.click()
    rows = page.get_by_role("region", name="Games").locator("tbody tr")
    expect(rows).to_have_count(2)
    assert {frozenset(row.locator("td").all_inner_texts()[:2]) for row in rows.all()} == {
        frozenset(players)
    }
    page.reload()
    expect(rows).to_have_count(2)
    [game, *_] = games_of(host, id_in(page), player=players[0], against=players[1])
    assert rows.first.get_attribute("data-key") == game["key"]
    rows.first.get_by_role("link").click()
    expect(page.locator("h1")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/analyse\?game=heap.*&moves="))
    moves = game["moves"]
    assert page.url.split("moves=")[1].split("&")[0].split("_") == moves
    position = page.locator("g-board pre").first
    expect(position).to_have_text(f"0 {len(moves) % 2}")  # what is left, and who is to move
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text(f"{moves[-1]} {(len(moves) - 1) % 2}")
    page.go_back()
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Show all games").click()
    expect(rows).to_have_count(12)


def test_the_palette_leads_here(page):
    page.goto("settings")
    expect(page.locator("h1")).to_have_count(1)
    page.keyboard.press("Control+k")
    page.keyboard.type("tour")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Tournaments")
    assert page.url.endswith("/tournaments")


def test_the_form_is_filled_with_what_was_played_last(page):
    fill_form(page, FOUR[:3])
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Remove player 2").click()
    page.reload()
    open_form(page)
    expect(page.get_by_label("Seed")).to_have_value("7")
    expect(page.get_by_label("Games for each two")).to_have_value("2")
    expect(page.get_by_role("combobox", name="Game", exact=True)).to_have_value("heap")
    assert page.locator(".player-text").all_inner_texts() == [FOUR[0], FOUR[2]]
    page.get_by_label("Preset").select_option("Is it stronger?")
    expect(page.get_by_role("combobox", name="Format")).to_have_value("match")
    expect(page.get_by_label("A gain: Elo")).to_have_value("30")
    expect(page.locator("fieldset")).to_have_count(2)


def test_what_is_wrong_is_told_beside_its_field_and_nothing_is_lost(page):
    fill_form(page, ["random", "nobody"])
    page.get_by_label("Games for each two").fill("1")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".of-games .field-wrong")).not_to_be_empty()
    page.get_by_label("Games for each two").fill("2")
    with page.expect_event("console"):  # the browser's own line on the refusal
        page.get_by_role("button", name="Start").click()
    wrong = page.get_by_role("group", name="Player 2").locator(".field-wrong")
    expect(wrong).to_contain_text("unknown player 'nobody'")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("From a page")
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "heapp"}, "game"),
        ({"game": "./heap.py"}, "game"),
        ({"settings": {"width": 3}}, "settings"),
        ({"players": ["random", "gtp:command=ls"]}, "players.1"),
        ({"players": ["random", "first", "random"]}, "players.2"),
        ({"players": ["random", "human"]}, "players.1"),
        ({"format": "match"}, "players"),
        ({"openings": 20}, "openings"),
        ({"games": 20_000}, "games"),
        ({"jobs": 256}, "jobs"),
        ({"sprt": {"elo0": 0, "elo1": 5}}, "sprt"),
        ({"format": "match", "players": FOUR[:2], "sprt": {"elo0": 5, "elo1": 5}}, "sprt"),
    ],
    ids=str,
)
def test_a_refusal_names_its_field_and_leaves_no_file(host, folder, changes, field):
    before = sorted(folder.glob("tournaments/*"))
    usual = {"game": "heap", "players": FOUR, "games": 2, "openings": 1} | changes
    usual["players"] = [{"player": player} for player in usual["players"]]
    answer = asking.post(f"{host.address}api/tournaments", json=usual)
    told = answer.json()
    assert (answer.status_code, told.get("field")) == (400, field), told
    assert "\n" not in told["error"]
    assert sorted(folder.glob("tournaments/*")) == before


# ------------------------------------------------------------------ paused, killed, resumed


def test_pause_ends_after_the_games_under_way_and_resume_goes_on(page, host, heap, folder):
    heap.allow(1)
    begun = begin(host, name="Paused")
    page.goto(f"tournaments/{begun['id']}")
    progress = page.get_by_role("region", name="Progress")
    log = folder / "jobs" / begun["job"]["id"] / "log"
    for word, state, before in (("Pause", "paused", 2), ("Stop after", "stopped", 6)):
        heap.allow(before // 2)
        if state == "stopped":
            page.get_by_role("button", name="Resume").click()
        expect(page).to_have_title(f"({before}/12) Paused · Plyground")
        page.get_by_role("button", name=word).click()
        expect(progress).to_contain_text("Finishing the games under way")
        until_said(log, "finishing", 1 if state == "paused" else 2)
        heap.allow()
        expect(progress).to_contain_text(state)
        told = job(host.address, begun["job"]["id"])
        assert told["done"] == before + 2, "those under way were finished, and no more begun"
        assert len(games_of(host, begun["id"])) == told["done"]
    page.get_by_role("button", name="Resume").click()
    expect(progress).to_contain_text("done")
    expect(page.get_by_role("region", name="Games").locator("tbody tr")).to_have_count(12)


def test_a_killed_server_harms_no_tournament_and_a_killed_job_is_resumed(browser, tmp_path):
    heap = HeldHeap(tmp_path / "own")
    heap.allow(1)
    game = str(heap.path)
    port = lasting_port()
    with web_server(tmp_path, port=port, games=(game,)) as server:
        begun = begin(server, name="Killed")
        page = browser.new_page(base_url=server.address)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"tournaments/{begun['id']}")
        expect(page).to_have_title("(2/12) Killed · Plyground")
        server.kill()
        expect(page.get_by_text("Disconnected, retrying")).to_be_visible()
    heap.allow(2)
    number = begun["job"]["id"]
    with web_server(tmp_path, port=port, games=(game,)) as server:
        expect(page.get_by_text("Disconnected, retrying")).to_be_hidden()
        assert job(server.address, number)["state"] == "running", "it needs no server"
        expect(page).to_have_title("(4/12) Killed · Plyground")
        kill_job(server.address, number)
        expect(page.get_by_role("region", name="Progress")).to_contain_text("interrupted")
        there = {game["key"] for game in games_of(server, begun["id"])}
        assert len(there) == 4
        heap.allow()
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
        keys = [game["key"] for game in games_of(server, begun["id"])]
        assert len(keys) == len({*keys}) == 12
        assert there <= {*keys}
        page.close()


@pytest.mark.full
def test_a_server_that_ends_asks_its_jobs_to_pause_and_says_so(tmp_path):
    heap = HeldHeap(tmp_path / "own")
    heap.allow(1)
    with web_server(tmp_path, games=(str(heap.path),)) as server:
        begun = begin(server, name="Left")
        until(lambda: job(server.address, begun["job"]["id"])["done"] == 2)
        server.process.terminate()
        server.process.wait(PATIENCE_S)
        assert server.process.stdout
        assert "nothing is lost: Left will finish" in server.process.stdout.read()
    log = tmp_path / "jobs" / begun["job"]["id"] / "log"
    until_said(log, "finishing")
    heap.allow()
    left = until(lambda: found if (found := read_in(tmp_path)).state == "paused" else None)
    assert (left.done, left.can_go_on) == (4, True)


def until_said(log: Path, word: str, times: int = 1) -> None:
    """Until a job's process has heard what is wanted of it."""
    until(lambda: log.read_text().count(word) >= times)


def read_in(folder: Path) -> Job:
    """The first job of a data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYGROUND_DATA", str(folder))
        return find_job("1")


# ------------------------------------------------------------------ matches, and the command line


def test_a_match_shows_its_test_between_its_bounds(page, host, heap):
    """While it is played, and when it is decided: never by three pairs, and soon after."""
    heap.allow(3)
    sprt = {"elo0": 0, "elo1": 200, "alpha": 0.05, "beta": 0.05}
    begun = begin(host, **MATCH, sprt=sprt, name="")
    page.goto(f"tournaments/{begun['id']}")
    expect(page).to_have_title(re.compile(r"^\(6/400\) "))
    told = the_test(page, host, begun["id"])
    assert told["lower"] < told["llr"] < told["upper"]
    expect(page.get_by_test_id("verdict")).to_have_text("Undecided.")
    heap.allow()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    expect(page.get_by_test_id("verdict")).not_to_have_text("Undecided.")
    told = the_test(page, host, begun["id"])
    is_gain = told["llr"] >= told["upper"]
    assert is_gain or told["llr"] <= told["lower"], "it ended because it was decided"
    words = "A gain above 0 Elo." if is_gain else "No gain of 200 Elo."
    expect(page.get_by_test_id("verdict")).to_have_text(words)


def the_test(page: Any, host: Server, name: str) -> dict[str, float]:
    """What the gauge of a match shows is what was played; returns where the test stands."""
    told = asking.get(f"{host.address}api/tournaments/{name}").json()
    match, test = told["match"], told["match"]["sprt"]
    gauge = page.get_by_role("meter", name="Test")
    expect(gauge).to_have_attribute("aria-valuetext", re.compile(f"^LLR {test['llr']:.2f}, "))
    low, high, now = (
        float(gauge.get_attribute(f"aria-value{end}")) for end in ("min", "max", "now")
    )
    assert (low, high) == (test["lower"], test["upper"])
    assert (low, high) == (pytest.approx(-2.944, abs=0.001), pytest.approx(2.944, abs=0.001))
    assert now == min(high, max(low, test["llr"]))
    counts = page.get_by_role("table", name="Pairs").locator("tbody td").all_inner_texts()
    assert 2 * sum(map(int, counts)) == told["played"]
    says_zero = page.get_by_text("interval contains zero").count() == 1
    assert says_zero == match["contains_zero"]
    return test


@pytest.mark.parametrize("kind", ["tournament", "match"])
def test_what_a_page_begins_is_seen_and_stopped_on_the_command_line(
    page, host, heap, folder, monkeypatch, kind
):
    heap.allow(1)
    begun = begin(host, **({} if kind == "tournament" else MATCH | {"games": 12}), name="")
    page.goto(f"tournaments/{begun['id']}")
    expect(page).to_have_title(re.compile(r"^\(2/12\) "))
    number = begun["job"]["id"]
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    listed = {each["id"]: each for each in json.loads(run("jobs", "--json").out)}
    assert (listed[number]["kind"], listed[number]["state"]) == (kind, "running")
    assert run("jobs", "stop", number).status == 0
    progress = page.get_by_role("region", name="Progress")
    expect(progress).to_contain_text("Finishing the games under way")
    until_said(folder / "jobs" / number / "log", "finishing")
    heap.allow()
    expect(progress).to_contain_text("stopped")
    told = job(host.address, number)
    assert (told["done"], told["can_go_on"]) == (4, True), "the pair under way was finished"
    page.get_by_role("button", name="Resume").click()
    expect(progress).to_contain_text("done")


def test_what_the_command_line_begins_is_seen_and_stopped_here(
    page, host, heap, folder, monkeypatch
):
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    spec = folder / "elsewhere" / "cup.toml"
    spec.parent.mkdir()
    players = '["random", "first", "better-random"]'
    spec.write_text(f'name = "Typed"\ngame = "../own/heap.py"\nplayers = {players}\ngames = 4\n')
    heap.allow(1)
    own = ("--with", heap.path)
    with Command("tournament", spec, "--store", folder / "games.db", *own) as command:
        page.goto("tournaments")
        page.get_by_role("link", name="Typed").click()
        expect(page).to_have_title("(2/12) Typed · Plyground")
        page.get_by_role("button", name="Stop after current games").click()
        command.wait_for("finishing the games under way")
        heap.allow()
        assert command.end().status == 130
    expect(page.get_by_role("region", name="Progress")).to_contain_text("stopped")
    assert len(lines_of(spec.with_suffix(".jsonl"))) == 2
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    assert len(lines_of(spec.with_suffix(".jsonl"))) == 6


@pytest.mark.full
def test_only_so_many_jobs_run_at_a_time(host, heap):
    heap.allow(0)
    begun = [begin(host, name=f"Crowd {number}") for number in range(4)]
    wanted = {"game": "heap", "players": [{"player": "random"}, {"player": "first"}]}
    answer = asking.post(f"{host.address}api/tournaments", json=wanted | {"openings": 1})
    assert answer.status_code == 400
    assert re.match(r"4 jobs run already \(.*Crowd", answer.json()["error"])
    for each in begun:
        asking.post(f"{host.address}api/jobs/{each['job']['id']}/stop", json={"mode": "now"})
    heap.allow()
    for each in begun:
        wait_for(host.address, each["job"]["id"], "stopped", "done")


@pytest.mark.parametrize(
    "fields",
    [
        {
            "name": 'A "cup" \\ \u2603 \U0001f600 \x7f\t',
            "settings": {"m": 4, "big": True, "x": 0.5},
        },
        {"players": ["random", {"name": "Nobody", "player": "first"}], "time": "1.5s"},
        {"format": "swiss", "rounds": 3, "games": 8, "seed": 2**60, "openings": "random:0"},
    ],
    ids=["odd letters", "names", "swiss"],
)
def test_the_file_of_a_tournament_says_what_was_asked(tmp_path, fields):
    usual = {"game": "mnk", "players": ["random", "first"]}
    file = TournamentFile.model_validate(usual | fields)
    text = written(file)
    assert TournamentFile.model_validate(tomllib.loads(text)) == file
    if "settings" not in fields:
        path = tmp_path / "cup.toml"
        path.write_text(text, encoding="utf-8")
        assert ReadTournament(path).file == file
