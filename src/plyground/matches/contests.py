"""Tournaments and matches that are under way or over, wherever they were begun.

A tournament is a file and the journal beside it; those in the data folder are known by being there,
those elsewhere, and matches, by their jobs. The standing comes from the journal, of which only what
was added since the last time is read.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from plyground.core.errors import (
    InputError,
    MalformedText,
    PlygroundError,
    Unsupported,
    shorten,
    system_errors_as,
    unknown,
)
from plyground.core.json_text import presentable_text
from plyground.core.places import data_folder
from plyground.matches.journal import JournalReader, Memory
from plyground.matches.match import MatchStanding
from plyground.matches.pair import PlayedPair
from plyground.matches.plan import Plan
from plyground.matches.ratings import Sprt
from plyground.matches.tournament_file import ReadTournament
from plyground.work.jobs import RECORD, Job, jobs

JOURNAL = ".jsonl"
LONGEST = 40
MOST_OPEN = 20  # journals and files of tournaments that stay in memory


def contests_folder() -> Path:
    return data_folder() / "tournaments"


def contest_id(journal: Path) -> str:
    """The name of a contest in addresses: readable, and unique for its journal."""
    place = str(journal.resolve()).encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(place).hexdigest()[:8]
    plain = re.sub(r"[^a-z0-9]+", "-", journal.stem.lower())[:LONGEST].strip("-")
    return f"{plain}-{digest}" if plain else digest


@dataclass(frozen=True)
class Contest:
    """A tournament or a match."""

    id: str
    kind: str
    title: str
    journal: Path
    event: str
    spec: Path | None = None
    """The file of a tournament."""
    terms: Mapping[str, Any] = field(default_factory=dict)
    """The terms of a match."""
    job: Job | None = None
    """The newest job that played it."""

    @property
    def moment(self) -> str:
        return self.job.resumed if self.job else ""


def contests() -> list[Contest]:
    """All known contests, the newest first."""
    found: dict[str, Contest] = {}
    for job in jobs():
        contest = of_job(job)
        if contest is not None and contest.id not in found:
            found[contest.id] = contest
    for path in _files():
        name = contest_id(path.with_suffix(JOURNAL))
        if name not in found:
            title = _title(path, path.stat().st_mtime_ns)
            found[name] = _tournament(path, path.with_suffix(JOURNAL), title, None)
    return sorted(found.values(), key=lambda each: each.moment, reverse=True)


def find_contest(name: str) -> Contest:
    """The contest with this id. Raises Unsupported."""
    found = {each.id: each for each in contests()}
    if name not in found:
        raise unknown("tournament", name, found) if found else Unsupported("no tournaments yet")
    return found[name]


def of_job(job: Job) -> Contest | None:
    """The contest that a job plays, if it plays one."""
    journal = journal_of(job)
    if journal is None or job.kind not in ("tournament", "match"):
        return None
    if job.kind == "tournament":
        spec = journal.with_suffix(".toml")
        if isinstance(job.about.get("spec"), str):
            spec = Path(job.about["spec"])
        return _tournament(spec, journal, job.title, job)
    event = str(job.about.get("event"))
    return Contest(contest_id(journal), "match", job.title, journal, event, None, job.about, job)


def journal_of(job: Job) -> Path | None:
    """The file of a job's games, if it has one."""
    path = job.about.get("journal")
    return Path(path) if isinstance(path, str) and "\0" not in path else None


def _tournament(spec: Path, journal: Path, title: str, job: Job | None) -> Contest:
    event = f"tournament {title}"
    return Contest(contest_id(journal), "tournament", title, journal, event, spec, {}, job)


def _files() -> Sequence[Path]:
    try:
        return sorted(contests_folder().glob("*.toml"))
    except OSError:
        return []


@functools.lru_cache(1000)
def _title(path: Path, changed: int) -> str:
    try:
        return _spec(path, changed).title
    except InputError:
        return path.stem


# ---------------------------------------------------------------------- how one stands


class MatchTerms(BaseModel):
    """The terms of a match, as its job records them."""

    game: str
    settings: dict[str, bool | int | float | str]
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    openings: str
    pairs: Annotated[int, Field(ge=1, le=10**9)]
    seed: int
    time_s: float | None
    sprt: Sprt | None = None


def match_terms(
    plan: Plan, players: Sequence[str], test: Sprt | None, journal: Path
) -> dict[str, Any]:
    """The terms of a match that is to be played, for its job to record."""
    return {
        "game": plan.spec.name,
        "settings": dict(plan.settings),
        "position": plan.position,
        "players": list(players),
        "openings": str(plan.openings),
        "pairs": plan.pairs,
        "seed": plan.seed,
        "time_s": plan.time_s,
        "sprt": asdict(test) if test else None,
        "journal": str(journal.absolute()),
        "event": f"match {journal.stem}: {' - '.join(players)}",
    }


def terms_of(contest: Contest) -> Mapping[str, Any]:
    """The terms of a match, checked. Raises MalformedText."""
    try:
        MatchTerms.model_validate_json(presentable_text(dict(contest.terms)), strict=True)
    except ValidationError as error:
        wrong = ".".join(map(str, error.errors()[0]["loc"]))
        place = contest.job.place / RECORD if contest.job else contest.title
        raise MalformedText(f"{place}: damaged terms of a match: see {shorten(wrong)}") from None
    return contest.terms


def match_standing(terms: Mapping[str, Any], played: Mapping[str, PlayedPair]) -> MatchStanding:
    """The standing of a match; its terms tell its pairs from others in a journal."""
    standing = MatchStanding(terms["pairs"], Sprt(**terms["sprt"]) if terms.get("sprt") else None)
    standing.count({each.pair.number: each for each in played.values() if _is_of(each, terms)})
    return standing


def _is_of(played: PlayedPair, terms: Mapping[str, Any]) -> bool:
    pair = played.pair
    own = list(pair.players), pair.seed, dict(pair.settings), pair.time_s
    return own == (terms["players"], terms["seed"], terms["settings"], terms["time_s"])


def written(contest: Contest) -> Memory:
    """All that was played of a contest so far. Raises InputError."""
    return _reader(contest.journal).read()


def spec_of(contest: Contest) -> ReadTournament:
    """The file of a tournament, read again when it changes. Raises InputError."""
    assert contest.spec is not None
    with system_errors_as(f"cannot read {contest.spec}"):
        changed = contest.spec.stat().st_mtime_ns
    return _spec(contest.spec, changed)


@functools.lru_cache(MOST_OPEN)
def _reader(journal: Path) -> JournalReader:
    return JournalReader(journal)


@functools.lru_cache(MOST_OPEN)
def _spec(path: Path, changed: int) -> ReadTournament:
    try:
        return ReadTournament(path)
    except InputError:
        raise
    except PlygroundError as error:  # the code of a user's game failed
        raise Unsupported(str(error)) from None
