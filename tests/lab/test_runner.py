"""A run measures each cell once, survives anything, and tells the same however it came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import lab_toy
import pytest
from lab_tools import Held, run, untimed
from lab_toy import EXPERIMENT, ToyParameters
from sqlalchemy import text

from plyground.core.errors import MalformedText, Unsupported
from plyground.lab import runner, surroundings
from plyground.lab.as_data import report_as_data
from plyground.lab.run_results import RunResults, stored_results
from plyground.lab.runner import Plan, Run, info_of, open_run, plan_of
from plyground.lab.spec import Cell
from plyground.store.runs import Runs
from plyground.store.store import Store
from plyground.work.workers import Workers, local

PLAN = Plan(EXPERIMENT, ToyParameters())
STEPS = [5, 4, 3, 2, 1]


pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture(autouse=True)
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Held:
    folder = tmp_path / "held"
    monkeypatch.setenv(lab_toy.FOLDER, str(folder))
    return Held(folder)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "games.db")) as opened:
        yield opened


@pytest.fixture
def workers() -> Iterator[Workers]:
    with local(1) as crew:
        yield crew


def plan(**parameters: Any) -> Plan[ToyParameters]:
    return Plan(EXPERIMENT, ToyParameters(**parameters))


def run_some(plan: Plan[Any], store: Store, most: int) -> int:
    """Measure so many cells and stop, as Ctrl-C does; the run's number."""
    with local(1) as crew, open_run(plan, store) as begun:
        for done, _ in enumerate(begun.measure(crew), start=1):
            if done == most:
                crew.finish()
        return begun.info.number


def answers(store: Store, number: int) -> dict[str, Any]:
    return {key: cell.answer for key, cell in Runs(store).cells(number).items()}


def told(store: Store, number: int) -> Any:
    """The report of a run, but for times."""
    return untimed(report_as_data(stored_results(number, store).report(EXPERIMENT)))


# ------------------------------------------------------------------ measuring


def test_every_cell_is_measured_and_stored(store: Store, workers: Workers, held: Held) -> None:
    seen: list[Cell] = []
    info = run(PLAN, workers, store, on_cell=seen.append)
    assert [cell.key for cell in seen] == [cell.key for cell in PLAN.cells]
    assert (info.is_finished, info.measured, info.cells) == (True, 9, 9)
    assert answers(store, info.number) == {cell.key: cell.measure().answer for cell in PLAN.cells}
    assert info == info_of(Runs(store).run(info.number))
    assert info.parameters == ToyParameters().model_dump(mode="json")
    assert info.machine["workers"] == 1
    assert {"plyground", "python", "numpy", "numba", "code"} == set(info.versions)
    assert info.seconds > 0


def test_a_finished_run_is_not_measured_again(store: Store, workers: Workers, held: Held) -> None:
    first = run(PLAN, workers, store)
    assert run(PLAN, workers, store) == first
    assert held.begun == STEPS
    assert len(Runs(store).runs()) == 1


def test_again_is_another_run_with_the_same_answers(store: Store, workers: Workers) -> None:
    first, second = run(PLAN, workers, store), run(PLAN, workers, store, again=True)
    assert (first.number, second.number) == (1, 2)
    assert answers(store, 1) == answers(store, 2)
    assert told(store, 1) == told(store, 2)
    assert run(PLAN, workers, store) == second


def test_a_changed_parameter_begins_another_run(store: Store, workers: Workers) -> None:
    one, other = plan(steps=(2, 1), pairs=0), plan(steps=(2, 1), pairs=0, verbose=True)
    assert [cell.key for cell in one.cells] == [cell.key for cell in other.cells]
    assert run(one, workers, store).number != run(other, workers, store).number
    quick = Plan(EXPERIMENT, one.parameters, is_quick=True)
    assert run(quick, workers, store).number == 1, "how parameters were asked for is no matter"


def test_other_programs_begin_another_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_some(plan(), store, 3)
    monkeypatch.setattr(runner, "versions", lambda cells: {"plyground": "99"})
    assert run_some(plan(), store, 1) != first
    monkeypatch.undo()
    assert run_some(plan(), store, 1) == first


def test_a_users_own_game_that_has_changed_is_other_code(tmp_path: Path) -> None:
    game = tmp_path / "mine.py"
    game.write_text("one = 1\n", encoding="utf-8")
    cells = [Cell("lab_toy:step", {"game": str(game)})]
    before = surroundings.versions(cells)
    assert surroundings.versions(cells) == before
    game.write_text("one = 2\n", encoding="utf-8")
    after = surroundings.versions(cells)
    assert {name for name in after if after[name] != before[name]} == {"code"}


def test_equal_cells_are_measured_once(store: Store, workers: Workers, held: Held) -> None:
    info = run(plan(steps=(2, 2, 1)), workers, store)
    assert held.begun == [2, 1]
    assert (info.cells, info.measured) == (6, 6)
    rows = told(store, info.number)["sections"][0]["parts"][0]["rows"]
    assert rows == [[1, 1], [2, 4]]


def test_nothing_to_measure_is_refused_before_the_store_is_touched(
    store: Store, workers: Workers
) -> None:
    with pytest.raises(Unsupported, match=r"^toy: these parameters leave nothing to measure$"):
        run(plan(steps=(), depths=(), pairs=0), workers, store)
    assert Runs(store).runs() == []


# ------------------------------------------------------------------ interruptions


@pytest.mark.parametrize("after", [1, 4, 8])
def test_an_interrupted_run_goes_on_where_it_was(
    store: Store, workers: Workers, held: Held, tmp_path: Path, after: int
) -> None:
    number = run_some(PLAN, store, after)
    stopped = info_of(Runs(store).run(number))
    assert (stopped.is_finished, stopped.measured) == (False, after)
    seen: list[Cell] = []
    info = run(PLAN, workers, store, on_cell=seen.append)
    assert (info.number, info.is_finished, len(seen)) == (number, True, 9 - after)
    assert held.begun == STEPS
    with Store(str(tmp_path / "straight.db")) as straight:
        whole = run(PLAN, workers, straight)
        assert answers(straight, whole.number) == answers(store, number)
        assert told(straight, whole.number) == told(store, number)


def test_a_run_is_finished_although_the_last_word_was_lost(store: Store, workers: Workers) -> None:
    number = run(PLAN, workers, store).number
    with store.writing() as connection:  # killed after the last cell, before it was noted
        connection.exec_driver_sql("UPDATE runs SET finished = NULL")
    info = run(PLAN, workers, store)
    assert (info.number, info.is_finished) == (number, True)


def test_a_task_that_fails_keeps_what_was_measured_before(
    store: Store, workers: Workers, held: Held
) -> None:
    unlucky = plan(steps=(5, 4, 13, 2))
    for _ in range(2):
        with pytest.raises(ValueError, match="13 brings bad luck"):
            run(unlucky, workers, store)
    [stored] = Runs(store).runs()
    assert (stored.measured, stored.finished) == (2, None)
    assert held.begun == [5, 4, 13, 13]


def test_a_run_that_came_to_nothing_leaves_nothing(store: Store, workers: Workers) -> None:
    with pytest.raises(ValueError, match="13 brings bad luck"):
        run(plan(steps=(13, 2)), workers, store)
    workers.finish()
    info = run(PLAN, workers, store)
    assert (info.measured, info.is_finished) == (0, False)
    assert Runs(store).runs() == []


def test_only_one_at_a_time_measures_a_plan(store: Store, tmp_path: Path) -> None:
    with Store(str(tmp_path / "games.db")) as other, open_run(PLAN, store):
        for again in (False, True):
            with pytest.raises(Unsupported, match=r"toy is being measured .* by another process"):
                open_run(PLAN, other, again).__enter__()
        with open_run(plan(pairs=1), other) as elsewhere:
            assert isinstance(elsewhere, Run)
    assert Runs(store).runs() == []


# ------------------------------------------------------------------ games


def test_games_are_stored_with_the_run_they_belong_to(store: Store, workers: Workers) -> None:
    info = run(PLAN, workers, store)
    games = list(store.whole())
    assert len(games) == 4
    assert {game.record.event for game in games} == {f"lab toy {info.number}"}
    assert all(game.record.date for game in games)
    uid = Runs(store).run(info.number).uid
    keys = [cell.key for cell in PLAN.cells[-2:]]
    assert {game.uid for game in games} == {f"{uid}-{key}-{n}" for key in keys for n in (0, 1)}
    moves = [list(each["moves"]) for key in keys for each in answers(store, 1)[key]["games"]]
    assert [[move.move for move in game.record.moves] for game in games] == moves


def test_a_kill_between_games_and_cell_stores_no_game_twice(
    store: Store, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    only_games = plan(steps=(1,), depths=())
    run_some(only_games, store, 1)
    monkeypatch.setattr(Runs, "add", killed)
    with pytest.raises(KeyboardInterrupt):
        run(only_games, workers, store)
    monkeypatch.undo()
    assert store.count() == 2
    assert run(only_games, workers, store).is_finished
    assert store.count() == 4


# ------------------------------------------------------------------ reports


def test_an_unfinished_run_has_no_report(store: Store) -> None:
    number = run_some(PLAN, store, 2)
    with pytest.raises(Unsupported, match=f"^toy@{number}: 2 of 9 cells are measured$"):
        stored_results(number, store).report(EXPERIMENT)


def test_an_experiment_that_has_changed_does_not_report_old_runs(
    store: Store, workers: Workers
) -> None:
    info = run(PLAN, workers, store)
    assert plan_of(EXPERIMENT, info).digest == PLAN.digest
    changed = replace(EXPERIMENT, cells=lambda parameters: lab_toy.cells(parameters)[1:])
    narrower = replace(info, parameters=dict(info.parameters) | {"pairs": 99})
    for experiment, run_ in ((changed, info), (EXPERIMENT, narrower)):
        with pytest.raises(Unsupported, match="toy@1 measured something else than toy does now"):
            RunResults(run_, store).report(experiment)


def test_a_report_is_made_from_what_is_stored(store: Store, workers: Workers) -> None:
    number = run(PLAN, workers, store).number
    with store.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE cells SET answer = replace(answer, '\"square\": 25', '\"square\": 26')"
        )
    found = stored_results(number, store).report(EXPERIMENT)
    assert found.claims[0].verdict == "contradicted"


def test_answers_that_are_damaged_are_told_and_not_raised(store: Store, workers: Workers) -> None:
    info = run(plan(), workers, store)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE cells SET answer = '{}'"))
    with pytest.raises(MalformedText, match=rf"^{info.name}: no report can be made of what was"):
        RunResults(info, store).report(EXPERIMENT)
