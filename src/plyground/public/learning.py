"""Learning from Python: a course of self-play, its curve, and the match that judges it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.errors import Unsupported
from plyground.core.naming import is_path
from plyground.drawing.pictures import picture
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.learned import CALIBRATED, NETWORK, NTUPLES, plan_in
from plyground.evaluation.tuple_pictures import picture_of, strongest
from plyground.evaluation.weights_file import Weights, file_of
from plyground.formats.sources import open_source
from plyground.formats.spec import Read
from plyground.games.catalogue import define, find_game, is_code, portable_name
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec, Value
from plyground.learning import exam
from plyground.learning.course import Course, Step, courses_folder, forget
from plyground.learning.recipe import USUAL_DEPTH, Recipe, check, read_teacher, usual_opening
from plyground.learning.recorded import Recorded, harvest, harvest_archive
from plyground.players.text import is_name
from plyground.public.checking import seconds_of, whole
from plyground.public.contests import open_workers
from plyground.public.frames import Row, Rows, Table
from plyground.public.interrupting import Interrupted
from plyground.public.position import game_of
from plyground.public.progress import Progress
from plyground.public.records import Games
from plyground.public.stored import Store, open_store
from plyground.store.queries import Filter

if TYPE_CHECKING:
    import altair

USUAL_NAME = "learned"
USUAL_SECONDS = 900.0
MOST_GAMES = 10**9
CALIBRATED_DEPTH = 2
PASSES = 8  # over recorded games
STORE = "store"
SHOWN_PATTERNS = 4  # for the side to move, and against it


class Learned(Rows):
    """What was learned; see `learn`. Its display is the curve, its `chart` draws it."""

    columns = ("round", "games", "positions", "seconds", "error")

    def __init__(self, weights: Weights, path: Path, steps: Sequence[Step]) -> None:
        self._weights, self._steps = weights, tuple(steps)
        self.path = path
        """The file of weights."""

    @property
    def name(self) -> str:
        """The name of the evaluator, as in `eval=NAME`."""
        return self._weights.name

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._weights.game

    @property
    def recipe(self) -> Mapping[str, Any]:
        """All that the weights depend on, and what was played."""
        return self._weights.recipe

    @property
    def match(self) -> Mapping[str, Any] | None:
        """What the match against the evaluator that played before says; None without one."""
        found: Mapping[str, Any] | None = self._weights.recipe.get("match")
        return found

    @property
    def is_better(self) -> bool:
        """Whether the match proved it stronger."""
        return bool(self.match and self.match["is_better"])

    def rows(self) -> Sequence[Row]:
        """A row for each round: games so far, and the error on its positions."""
        return [asdict(step) for step in self._steps]

    @property
    def table(self) -> Table:
        """A few rows of the curve."""
        rows, most = self.rows(), 12
        step = max(1, len(rows) // most)
        return Table([*rows[::step][:most], *rows[-1:]] if rows else [])

    def _shown(self) -> Table:
        return self.table

    @property
    def _caption(self) -> str:
        said = f"; {self.match['verdict']} over {self.match['against']}" if self.match else ""
        return f"{self.name} for {self._weights.game}: {self.recipe['summary']}{said}"

    def _repr_html_(self) -> str:
        """The curve, and boards with the patterns that count most."""
        if self._weights.kind != NTUPLES:
            return super()._repr_html_()
        plan, game = plan_in(self._weights), find_game(self._weights.game)
        start = game.initial(**self._weights.settings)
        shown = ""
        for title, patterns in zip(
            ("For the side to move", "Against it"),
            strongest(plan, self._weights.numbers, SHOWN_PATTERNS),
            strict=True,
        ):
            figures = (
                '<figure style="display:inline-block;margin:4px;text-align:center">'
                + picture(picture_of(each, plan, game, start))
                + f"<figcaption>{each.weight:+.0f}</figcaption></figure>"
                for each in patterns
            )
            shown += f"<p>{title}</p><div>{''.join(figures)}</div>"
        return super()._repr_html_() + shown

    @property
    def chart(self) -> altair.Chart:
        """The error over the games."""
        import altair

        frame = self.frame()
        return (
            altair.Chart(frame)
            .mark_line()
            .encode(
                x=altair.X("games:Q", title="games of self-play"),
                y=altair.Y("error:Q", title="error, in points"),
            )
        )


def learn(
    game: str | GameSpec | type,
    *,
    name: str = USUAL_NAME,
    seconds: float | str | None = None,
    games: int | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    seed: int = 0,
    evaluator: str | None = None,
    network: bool = False,
    stages: int | None = None,
    depth: int | None = None,
    opening: int | None = None,
    noise: int = 50,
    trust: float = 0.8,
    teacher: str | None = None,
    source: str | os.PathLike[str] | Store | Games | None = None,
    against: str | None = None,
    nodes: int = exam.NODES,
    match: bool = True,
    again: bool = False,
    **settings: Value,
) -> Learned:
    """Learn an evaluator for a game by self-play, and let a match judge it.

    The evaluator is a file of weights, and then one like any other: `eval=NAME`. It is made of
    n-tuples that are laid out from the game's board. Learning goes on for so many `games` or
    `seconds` (15 minutes unless you say); the same call resumes where it was interrupted, and what
    it learns depends on the recipe alone, not on the number of `jobs`.

    * `evaluator`: calibrate the weights of this evaluator instead. Every field that a value is a
      sum over is a weight; `recipe["weights"]` has each with its standard error. With `network` a
      small network assigns them from the position (training needs JAX: `pip install
      'plyground[learn]'`).
    * `stages`: parts of a game with weights of their own; by default some, as the board suggests.
    * `depth`: plies that self-play looks ahead; 1, or 2 where an evaluator is calibrated.
    * `opening`: random moves at the beginning of each game, at most.
    * `noise`: how many of a thousand moves are random.
    * `trust`: how much the rest of a game counts against a search, the lambda of TD(lambda).
    * `teacher`: `"solver"`, or `"solver=14"`: who is asked for exact scores from so few empty cells
      on; `"depth=3"` is the same as `depth=3`.
    * `source`: games to learn from instead of self-play: `"store"`, a file or folder in any
      format, a `Store` or `Games`. They are gone through eight times unless you say how long. With
      `trust=1` only their results count.
    * `against`: the evaluator that it has to beat, by default the one that searches use so far;
      with `nodes` for each move on both sides. `match=False` leaves that out.
    * `again`: forget what was learned under this name before.

    Raises InputError, or `Interrupted` with what was learned so far.

    >>> import plyground as pg
    >>> learned = pg.learn("tictactoe", name="noughts", games=500, match=False)
    >>> pg.Position("tictactoe").search("alphabeta", depth=2, evaluator="noughts").depth
    2
    """
    spec = game_of(game)
    called = game if isinstance(game, str) else define(spec)
    begun = BasePosition.begin(spec, settings)
    found = None if source is None else read_source(begun, source)
    recipe = make_recipe(
        begun,
        called,
        source=found,
        evaluator=evaluator,
        network=network,
        stages=whole(stages, "stages", 1, 64),
        depth=whole(depth, "depth", 1, 12),
        opening=whole(opening, "opening", 0, 100),
        noise=whole(noise, "noise", 0, 1000),
        trust=trust,
        teacher=teacher,
        seed=whole(seed, "seed", 0, 2**63 - 1),
    )
    folder = course_folder(begun, name)
    opponent = opponent_of(begun, name, against) if match else None
    if again:
        forget(folder)
    most, most_s = limits_of(whole(games, "games", 1, MOST_GAMES), seconds_of(seconds), found)
    with (
        open_workers(jobs, cluster) as workers,
        Progress(f"learning {begun.game.title}", most) as progress,
        Course(folder, recipe, name, found.recorded if found else None) as course,
    ):

        def on_step(step: Step, course: Course) -> None:
            progress.report(f"{step.games:,} games, error {step.error:.3f}", step.games)

        try:
            course.learn(workers, most, most_s, on_step)
        except KeyboardInterrupt:
            so_far = keep(course, name)
            raise Interrupted(f"{course.standing.games:,} games were learned", so_far) from None
        learned = keep(course, name)
        if opponent is None:
            return learned
        contest = exam.exam(begun, called, name, opponent, nodes, seed)
        result = exam.sit(contest, workers, folder / exam.journal_name(learned.path))
        return keep(course, name, {"against": opponent, "nodes": nodes, **result})


# ---------------------------------------------------------------------- parts


def make_recipe(
    begun: BasePosition,
    called: str,
    *,
    stages: int | None,
    depth: int | None,
    opening: int | None,
    noise: int,
    trust: float,
    teacher: str | None,
    seed: int,
    source: Source | None = None,
    evaluator: str | None = None,
    network: bool = False,
) -> Recipe:
    """The recipe that options describe. Raises InputError."""
    if network and evaluator is None:
        raise Unsupported("a network assigns the weights of an evaluator; name it too")
    if evaluator is not None:
        evaluator = checked_base(begun, evaluator)
    taught = {"depth": depth or (USUAL_DEPTH if evaluator is None else CALIBRATED_DEPTH)}
    if teacher:
        taught |= read_teacher(teacher, begun.game, begun.start)
    if opening is None:
        opening = usual_opening(begun.game, begun.start)
    return check(
        Recipe(
            name_for_others(begun.game, called),
            dict(begun.settings),
            kind=NTUPLES if evaluator is None else NETWORK if network else CALIBRATED,
            evaluator=evaluator or "",
            stages=stages,
            opening=opening,
            noise=noise,
            trust=trust,
            seed=seed,
            depth=taught["depth"],
            solve=taught.get("solve", 0),
            source=source.label if source else "",
        )
    )


def name_for_others(game: GameSpec, called: str) -> str:
    """What a game is called in a recipe: the name by which any process finds it."""
    name = portable_name(game)
    return called if not is_path(name) and is_code(called) else name


def checked_base(begun: BasePosition, name: str) -> str:
    """An evaluator whose weights can be learned. Raises Unsupported."""
    spec = find_evaluator(name, begun.start)
    if spec.is_choice or spec.version:
        raise Unsupported(f"{spec.name} has no weights of its own; name what it is made of")
    return spec.name


@dataclass(frozen=True)
class Source:
    """Recorded games to learn from."""

    label: str
    recorded: Recorded
    left_out: int
    """Games of no use: of others, with other settings, or without a result."""


def read_source(begun: BasePosition, given: str | os.PathLike[str] | Store | Games) -> Source:
    """The games of the store, or of a file or folder in any format. Raises InputError."""
    if isinstance(given, Games):
        name, found = "games", harvest(begun, (each.record for each in given))
    elif isinstance(given, Store) or str(given) == STORE:
        with contextlib.nullcontext(given) if isinstance(given, Store) else open_store() as store:
            whole_games = store.inside.whole(Filter(game=begun.game.name))
            name, found = STORE, harvest(begun, (each.record for each in whole_games))
    else:
        name, source = Path(given).name, open_source(os.fspath(given))
        if source.archive is not None:
            found = harvest_archive(begun, source.archive)
        else:
            records = (item.record for item in source.items if isinstance(item, Read))
            found = harvest(begun, records)
    return Source(f"{name} {found.recorded.digest}", found.recorded, found.left_out)


def limits_of(
    games: int | None, seconds: float | None, source: Source | None
) -> tuple[int | None, float | None]:
    """How many games, and how long: a quarter of an hour, or recorded games some times over."""
    if games is None and seconds is None:
        return (PASSES * source.recorded.total, None) if source else (None, USUAL_SECONDS)
    return games, seconds


def course_folder(begun: BasePosition, name: str) -> Path:
    """The folder of a course: of a game, its settings and a name. Raises InputError."""
    if not is_name(name) or not name.islower() or re.search(r"-r\d+$", name):
        raise Unsupported(
            f"name {name!r:.40}: expected small letters, digits and hyphens, and no -r1 at the end"
        )
    chosen = {k: v for k, v in begun.settings.items() if v != begun.game.defaults[k]}
    parts = [begun.game.name, *(f"{k}={v}" for k, v in chosen.items()), name]
    return courses_folder() / ".".join(parts).replace(os.sep, "-")


def opponent_of(begun: BasePosition, name: str, against: str | None) -> str:
    """The evaluator to beat, as a text. Raises InputError."""
    if against is None:
        return exam.usual_opponent(begun, name)
    if against.partition("(")[0] == name:
        raise Unsupported(f"{name} cannot be judged against itself; learn under another --name")
    return exam.checked_opponent(begun, against)


def keep(course: Course, name: str, result: Mapping[str, Any] | None = None) -> Learned:
    """Write what a course has learned to its file of weights."""
    weights = course.file(name, result)
    path = file_of(course.folder.name)
    weights.write(path)
    return Learned(weights, path, course.steps)
