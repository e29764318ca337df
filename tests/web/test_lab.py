"""The lab in a browser: runs begun from a form, watched, stopped, repeated, compared, exported."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asking
import lab_toy
import pytest
from command_line import run
from expecting import expect
from lab_tools import PLAIN, TESTS, Held, LabCommand
from lab_tools import run as run_plan
from lab_toy import EXPERIMENT
from patience import until
from run_tools import job, kill_job, lasting_port
from web_server import Server, fresh_page, shared_profile, web_server

from plyground.kernel import plain_python
from plyground.lab.parameters import read_parameters
from plyground.lab.runner import Plan
from plyground.store.store import Store
from plyground.work.workers import local

A_WHILE_MS = 10_000  # in which a page asks all that it asks by itself
PROGRAM = (str(TESTS / "lab_program.py"),)


def toy_server(folder: Path, port: int = 0) -> Any:
    """A server whose catalogue is the toy, which is measured without a compiler."""
    changes = {**PLAIN, lab_toy.FOLDER: str(folder / "held")}
    return web_server(folder, port, program=PROGRAM, **changes)


def measure(store: Path, again: bool = False, **chosen: str) -> None:
    plan = Plan(EXPERIMENT, read_parameters(EXPERIMENT, True, chosen), True)
    with plain_python(), Store(str(store)) as opened, local(1) as workers:
        assert run_plan(plan, workers, opened, again).is_finished


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    (folder / "held").mkdir()
    return folder


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Server]:
    """A server with two runs that differ in their steps and one that repeats the first."""
    store = folder / "games.db"
    measure(store)
    measure(store, steps="3,2,1")
    measure(store, again=True)
    with toy_server(folder) as started:
        yield started


@pytest.fixture
def held(folder: Path) -> Held:
    return Held(folder / "held")


@pytest.fixture(scope="module")
def profile(browser: Any, host: Server) -> Iterator[Any]:
    with shared_profile(browser, host) as shared:
        yield shared


def rows(page: Any) -> Any:
    return page.get_by_role("table", name="Runs").locator("tbody tr")


def headings(page: Any) -> list[str]:
    texts = page.get_by_role("table", name="Runs").locator("thead th button").all_inner_texts()
    return [text.strip(" ↑↓") for text in texts]


def row_of(page: Any, number: int) -> Any:
    return page.get_by_role("table", name="Runs").locator(f"tr[data-name='run {number}']")


def field(page: Any, name: str) -> Any:
    return page.get_by_role("form", name="New run").get_by_label(name, exact=True)


def open_lab(page: Any, path: str = "lab/toy") -> None:
    """The page of an experiment, with the form for a run unfolded."""
    page.goto(path)
    unfold(page)


def unfold(page: Any) -> None:
    form = page.locator("details.run-it")
    expect(form).to_be_visible()
    if form.get_attribute("open") is None:
        form.locator("summary").click()


def report_in(page: Any) -> Any:
    """What is inside the report's frame."""
    return page.get_by_role("region", name="Report", exact=True).frame_locator("iframe")


def number_of_runs(host: Server) -> int:
    return len(asking.get(f"{host.address}api/lab/experiments/toy/runs").json())


# ------------------------------------------------------------------ what there is


def test_the_catalogue_tells_question_source_and_last_run(page):
    page.goto("lab")
    card = page.get_by_role("heading", name="Squares of [small] numbers").locator("xpath=..")
    expect(card).to_contain_text("Is the square of a number its square?")
    expect(card).to_contain_text("Euclid (-300). Elements.")
    expect(card).to_contain_text(re.compile(r"done run \d+ · quick · "))
    page.get_by_role("link", name="Squares of [small]").click()
    expect(page.locator("h1")).to_have_text("Squares of [small] numbers")
    unfold(page)
    expect(field(page, "Pairs")).to_have_value("1")
    page.get_by_role("button", name="Full").click()
    expect(field(page, "Pairs")).to_have_value("2")
    expect(page.get_by_test_id("cells")).to_contain_text("9 cells to measure")


def test_an_experiment_that_is_not_there_leads_to_the_catalogue(page):
    with page.expect_event("console"):
        page.goto("lab/alchemy")
    expect(page.locator(".toast.error")).to_contain_text("unknown experiment 'alchemy'")
    expect(page.locator("h1")).to_have_text("Lab")
    page.watch.problems = [each for each in page.watch.problems if "400" not in each]


def test_why_there_is_no_report_is_told_in_its_place(page):
    page.goto("lab/toy?run=99")
    report = page.get_by_role("region", name="Report", exact=True)
    expect(report.get_by_text("no run has number 99")).to_be_visible()
    expect(report.locator("iframe")).to_have_count(0)
    page.watch.problems.clear()  # the browser says as well that it was refused


# ------------------------------------------------------------------ a run


def test_a_run_from_the_form_is_seen_at_once_and_ends_in_a_report_with_its_chart(page, host, held):
    held.hold(8)
    held.hold(7)
    before = number_of_runs(host)
    open_lab(page)
    field(page, "Steps").fill("8, 7")
    expect(page.get_by_test_id("cells")).to_contain_text("4 cells to measure")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(rows(page)).to_have_count(before + 1)
    expect(rows(page).first).to_contain_text("running")
    held.wait(8)  # so it was seen before anything was measured
    held.let_go(8)
    held.wait(7)
    expect(page.get_by_test_id("progress")).to_have_text(re.compile(r"^1/4 cells · .* left$"))
    expect(page).to_have_title("(1/4) Squares of [small] numbers · Plyground")
    expect(rows(page).first).to_contain_text("1 of 4, partial")
    held.let_go(7)
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    expect(page).to_have_title("Squares of [small] numbers · Plyground")
    number = rows(page).first.get_attribute("data-name").split()[1]
    report = page.get_by_role("region", name="Report", exact=True)
    expect(report.get_by_role("heading", name=f"Report of toy@{number}")).to_be_visible()
    inside = report_in(page)
    claims = inside.get_by_role("region", name="What became of the claims")
    expect(claims).to_contain_text(re.compile(r"reproduced\s*Squares \[are\]"))
    expect(inside.get_by_role("img", name="Squares", exact=True)).to_be_visible()
    numbers = inside.get_by_role("region", name="Squares").get_by_role("table").locator("tbody tr")
    told = [row.locator("th, td").all_inner_texts() for row in numbers.all()]
    assert [row[:2] for row in told] == [["7", "49"], ["8", "64"]]
    frame = report.locator("iframe").element_handle()
    page.wait_for_function(
        "frame => frame.offsetHeight >= frame.contentDocument.body.offsetHeight", arg=frame
    )
    with page.expect_download() as saved:
        report.get_by_role("link", name="Save as a page").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert "<svg" in text
    assert "Squares [are] squares" in text


@pytest.fixture
def timeless_page(browser: Any, host: Server) -> Iterator[Any]:
    """A page whose clock is ours."""
    with shared_profile(browser, host) as own, fresh_page(own) as fresh:
        fresh.clock.install()
        yield fresh


def test_a_wrong_field_is_told_beside_it_and_nothing_is_sent(timeless_page):
    page = timeless_page
    open_lab(page)
    page.clock.run_for(A_WHILE_MS)
    expect(page.get_by_test_id("cells")).to_contain_text("cells")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    field(page, "Share").fill("0.25")
    field(page, "Pairs").fill("6")
    field(page, "Steps").fill("1, x")
    page.get_by_role("form").locator("button[type=submit]").click()
    for name, words in (("Pairs", "a whole number from 0 to 5"), ("Steps", "whole numbers from 0")):
        wrong = field(page, name)
        expect(wrong).to_have_attribute("aria-invalid", "true")
        expect(wrong.locator("xpath=following-sibling::span[1]")).to_contain_text(words)
    page.clock.run_for(A_WHILE_MS)
    assert any(each.startswith("GET") for each in asked), "the runs are asked for now and then"
    assert [each for each in asked if each.startswith("POST")] == []
    page.reload()
    # The clock of the test is a script, which a report does not run.
    page.watch.problems = [each for each in page.watch.problems if "sandboxed" not in each]
    unfold(page)
    expect(field(page, "Share")).to_have_value("0.25")
    expect(field(page, "Pairs")).to_have_value("6")


@pytest.mark.parametrize(
    ("wanted", "field", "text"),
    [
        ({"values": {"pairs": "x"}}, "pairs", "pairs=x: expected a whole number from 0 to 5"),
        ({"values": {"stepps": "1"}}, None, "did you mean steps?"),
        ({"workers": 256}, "workers", "processors"),
    ],
)
def test_the_server_refuses_with_the_field(host, wanted, field, text):
    address = f"{host.address}api/lab/experiments/toy/runs"
    answer = asking.post(address, json=wanted)
    assert (answer.status_code, answer.json().get("field")) == (400, field)
    assert text in answer.json()["error"]


def test_a_stopped_run_is_marked_as_partial_and_goes_on(page, host, held):
    held.hold(20)
    open_lab(page)
    field(page, "Steps").fill("21, 20, 22")
    page.get_by_role("button", name="Start", exact=True).click()
    held.wait(20)
    page.get_by_role("button", name="Stop after current cells").click()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("Finishing the cells")
    until(lambda: "finishing" in log_of(host, page))
    held.let_go(20)
    expect(page.get_by_role("region", name="Progress")).to_contain_text("stopped")
    expect(rows(page).first).to_contain_text("2 of 5, partial")
    expect(rows(page).first).to_contain_text("stopped")
    the_partial_result_is_marked(page)
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")
    expect(rows(page).first).not_to_contain_text("partial")
    report = page.get_by_role("region", name="Report", exact=True)
    expect(report.get_by_role("heading", level=2)).to_have_text(re.compile("^Report of toy@"))
    expect(report_in(page).locator("h1")).to_be_visible()
    expect(report_in(page).locator(".notice")).not_to_contain_text("not finished")
    begun = [each for each in held.begun if each in (20, 21, 22)]
    assert begun == [21, 20, 22], "no cell was measured twice"


def the_partial_result_is_marked(page: Any) -> None:
    """What was measured is shown, and nothing is concluded from it."""
    report = page.get_by_role("region", name="Report", exact=True)
    heading = report.get_by_role("heading", level=2)
    expect(heading).to_have_text(re.compile(r"^Partial result of toy@\d+$"))
    inside = report_in(page)
    expect(inside.locator(".notice").first).to_have_text(
        "This run is not finished: 2 of 5 cells are measured."
    )
    table = inside.get_by_role("region", name="step").get_by_role("table")
    measured = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert sorted(row[:2] for row in measured) == [["20", "400"], ["21", "441"]]
    expect(report.get_by_text("Save as a page")).to_have_count(0)
    expect(inside.locator(".claims")).to_have_count(0)


def log_of(host: Server, page: Any) -> str:
    number = page.locator(".job [data-of]").get_attribute("data-of")
    return (host.store.parent / "jobs" / number / "log").read_text()


def test_nothing_is_lost_if_server_and_job_are_killed(browser, tmp_path):
    (tmp_path / "held").mkdir()
    held = Held(tmp_path / "held")
    held.hold(31)
    values = {"steps": "30,31,32", "depths": "", "pairs": "0"}
    port = lasting_port()
    with toy_server(tmp_path, port) as server:
        address = f"{server.address}api/lab/experiments/toy/runs"
        begun = asking.post(address, json={"quick": True, "values": values}).json()
        page = browser.new_page(base_url=server.address)
        page.goto("lab/toy")
        expect(page).to_have_title(re.compile(r"^\(1/3\) "))
        server.kill()
        expect(page.get_by_text("Disconnected, retrying")).to_be_visible()
    with toy_server(tmp_path, port) as server:
        expect(page.get_by_text("Disconnected, retrying")).to_be_hidden()
        assert job(server.address, begun["id"])["state"] == "running", "it needs no server"
        kill_job(server.address, begun["id"])
        progress = page.get_by_role("region", name="Progress")
        expect(progress).to_contain_text("interrupted")
        held.let_go(31)
        page.get_by_role("button", name="Resume", exact=True).click()
        expect(progress).to_contain_text("done")
        told = asking.get(address).json()
        assert len(told) == 1, f"one run, which went on: {told}"
        [run] = told
        assert (run["measured"], run["state"]) == (3, "done")
        assert held.begun == [30, 31, 31, 32]
        page.close()


# ------------------------------------------------------------------ runs in a table


# The titles of columns, and where their values are in what the server tells.
COLUMNS = {
    **{"Run": "number", "State": "state", "Cells": "measured", "Size": "quick"},
    **{"Answers": "answers", "Work": "seconds", "Started": "started"},
    **{"Seed": "seed", "Code": "code", "Version": "version"},
}


def test_only_columns_that_differ_are_shown_and_choices_survive(page):
    page.goto("lab/toy")
    expect(rows(page)).not_to_have_count(0)
    assert {"Run", "State", "Cells", "Seed", "Code"} <= set(headings(page))
    page.get_by_role("button", name="Cells").click()
    page.get_by_role("button", name="Cells").click()
    expect(page.get_by_role("columnheader", name="Cells")).to_have_attribute(
        "aria-sort", "descending"
    )
    page.get_by_label("Only columns that differ").check()
    address = f"{page.url.partition('/lab')[0]}/api/lab/experiments/toy/runs"
    runs = asking.get(address).json()
    told = {title: {run[name] for run in runs} for title, name in COLUMNS.items()}
    told["Work"] = {round(seconds, 3) for seconds in told["Work"]}
    parameters = runs[0]["parameters"].keys() - {"seed"}  # which has a column already
    told |= {name: {run["parameters"][name] for run in runs} for name in parameters}
    shown = set(headings(page))
    assert shown == {title for title, values in told.items() if len(values) > 1}
    assert "steps" in shown
    assert "game" in told.keys() - shown
    page.reload()
    expect(page.get_by_label("Only columns that differ")).to_be_checked()
    expect(rows(page)).not_to_have_count(0)
    assert set(headings(page)) == shown
    expect(page.get_by_role("columnheader", name="Cells")).to_have_attribute(
        "aria-sort", "descending"
    )


def test_columns_are_chosen_and_what_is_seen_is_exported(page):
    page.goto("lab/toy")
    expect(rows(page)).not_to_have_count(0)
    page.get_by_text("Columns", exact=True).click()
    page.get_by_label("Work", exact=True).uncheck()
    page.get_by_label("steps", exact=True).check()
    names = headings(page)
    assert "Work" not in names
    assert "steps" in names
    count = rows(page).count()
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    with open(saved.value.path(), encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert saved.value.suggested_filename == "toy-runs.csv"
    assert len(lines) == count + 1
    assert lines[0] == names
    assert {"2,1", "3,2,1"} <= {line[names.index("steps")] for line in lines}
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    assert len(json.loads(Path(saved.value.path()).read_text())) == count


def test_a_seed_and_a_code_can_be_copied(page):
    page.goto("lab/toy")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row_of(page, 1).get_by_role("button", name=re.compile("^Copy [0-9a-f]{9,}")).click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    assert len(page.evaluate("navigator.clipboard.readText()")) > 8


def test_a_repetition_with_the_same_seed_is_identical(page):
    page.goto("lab/toy")
    expect(row_of(page, 3)).to_contain_text("identical to 1")
    newest = rows(page).first
    expect(newest).not_to_contain_text("identical to 2")
    page.get_by_role("button", name="Repeat run 2").click()
    expect(newest).to_contain_text("identical to 2")
    # Its job ends a little later than its run, and no other test should see it running.
    expect(page.get_by_role("region", name="Progress")).to_contain_text("done")


def test_two_runs_are_compared_and_the_address_opens_it_again(page):
    page.goto("lab/toy")
    compare = page.get_by_role("button", name="Compare", exact=True)
    expect(compare).to_be_disabled()
    page.get_by_label("Compare run 1").check()
    page.get_by_label("Compare run 2").check()
    compare.click()
    for again in (False, True):
        if again:
            page.reload()
        expect(page.locator("h1")).to_have_text("toy@1 and toy@2")
        expect(page.get_by_test_id("answers")).to_contain_text("All answers are identical in 4")
        curves = page.get_by_role("region", name="Both curves").get_by_role("img")
        assert curves.first.get_attribute("alt") == "step: seconds"
        page.get_by_text("Numbers of step: seconds").click()
        numbers = page.locator(".numbers").first.locator("tbody tr")
        expect(numbers).to_have_count(4)  # two steps that both have measured, in both runs
        both = page.get_by_role("region", name="Charts of both reports").get_by_role("img")
        expect(both).to_have_count(2)
        differences = page.get_by_role("table", name="Differences")
        expect(differences.locator("tbody tr").first).to_have_text("Parametersteps[2, 1][3, 2, 1]")
    assert page.url.endswith("/lab/compare?runs=1,2")
    curves.first.scroll_into_view_if_needed()
    page.wait_for_function("image => image.naturalWidth > 100", arg=curves.first.element_handle())


@pytest.mark.parametrize("query", ["one=1&other=99", "one=99&other=1"])
def test_runs_that_are_not_there_cannot_be_compared(host, query):
    answer = asking.get(f"{host.address}api/lab/compare?{query}")
    assert answer.status_code == 400
    assert "no run has number 99" in answer.json()["error"]


def test_a_run_of_the_command_line_is_seen_and_stopped_here(page, host, held, folder):
    held.hold(41)
    chosen = ("--set", "steps=40,41,42", "--set", "depths=", "--set", "pairs=0")
    where = {"PLYGROUND_DATA": str(folder), lab_toy.FOLDER: str(held.folder)}
    with LabCommand("run", "toy", "--quick", *chosen, "--store", host.store, **where) as command:
        page.goto("")
        line = page.get_by_role("region", name="Running")
        expect(line).to_contain_text(re.compile(r"Squares of \[small\] numbers.*1/3 cells"))
        line.get_by_role("link", name="Squares").click()
        page.get_by_role("button", name="Pause").click()
        command.wait_for("finishing the cells under way")
        page.get_by_role("button", name="Stop now").click()
        assert command.end().status == 130
    expect(page.get_by_role("region", name="Progress")).to_contain_text("stopped")
    held.let_go(41)
    expect(rows(page).first).to_contain_text("1 of 3, partial")


def test_a_run_of_the_page_is_seen_and_stopped_on_the_command_line(page, held, folder, monkeypatch):
    held.hold(51)
    open_lab(page)
    field(page, "Steps").fill("50, 51, 52")
    page.get_by_role("button", name="Start", exact=True).click()
    held.wait(51)
    progress = page.get_by_role("region", name="Progress")
    expect(progress.get_by_role("button", name="Pause")).to_be_visible()  # not yet of a run before
    number = page.locator(".job [data-of]").get_attribute("data-of")
    monkeypatch.setenv("PLYGROUND_DATA", str(folder))
    listed = {each["id"]: each["state"] for each in json.loads(run("jobs", "--json").out)}
    assert listed[number] == "running"
    assert run("jobs", "stop", number).status == 0
    expect(progress).to_contain_text("Finishing the cells")
    held.let_go(51)
    expect(progress).to_contain_text("stopped")
    expect(rows(page).first).to_contain_text("partial")
