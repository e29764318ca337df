"""Tournaments and matches that are under way or over, wherever they were begun.

A tournament is a file and the journal beside it; those in the data folder are known by being there,
those elsewhere, and matches, by their jobs. How one stands is read from its journal, of which only
what was added since is read again. Knows no face.
"""

from __future__ import annotations

import functools
import hashlib
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from plyground.core.errors import (
    InputError,
    MalformedText,
    PlygroundError,
    Unsupported,
    shorten,
    unknown,
)
from plyground.core.json_text import presentable_text
from plyground.core.places import data_folder
from plyground.matches.journal import JournalReader, Written
from plyground.matches.pair import PlayedPair
from plyground.matches.ratings import Pairs, Sprt, Verdict
from plyground.matches.tournament_file import ReadTournament
from plyground.work.jobs import RECORD, Job, jobs

JOURNAL = ".jsonl"
LONGEST = 40


def contests_folder() -> Path:
    return data_folder() / "tournaments"


def contest_id(journal: Path) -> str:
    """How a contest is named in addresses: readable, and one for each journal."""
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
    """Of a tournament."""
    terms: Mapping[str, Any] = field(default_factory=dict)
    """Of a match."""
    job: Job | None = None
    """The newest that played it."""

    @property
    def moment(self) -> str:
        return self.job.resumed if self.job else ""


def contests() -> list[Contest]:
    """All that are known, the newest first."""
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
    """The contest of an address. Raises Unsupported."""
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
    told = job.about.get("journal")
    return Path(told) if isinstance(told, str) and "\0" not in told else None


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
        return ReadTournament(path).title
    except InputError:
        return path.stem


# ---------------------------------------------------------------------- how one stands


class MatchTerms(BaseModel):
    """What the job of a match says of it."""

    game: str
    settings: dict[str, bool | int | float | str]
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    openings: str
    pairs: Annotated[int, Field(ge=1, le=10**9)]
    seed: int
    time_s: float | None
    sprt: Sprt | None = None


def terms_of(contest: Contest) -> Mapping[str, Any]:
    """The terms of a match, whole. Raises MalformedText."""
    try:
        MatchTerms.model_validate_json(presentable_text(dict(contest.terms)), strict=True)
    except ValidationError as error:
        wrong = ".".join(map(str, error.errors()[0]["loc"]))
        place = contest.job.place / RECORD if contest.job else contest.title
        raise MalformedText(f"{place}: damaged terms of a match: see {shorten(wrong)}") from None
    return contest.terms


@dataclass(frozen=True)
class MatchStanding:
    """The pairs of a match that count, in their order, up to where its test stopped it."""

    counted: Sequence[PlayedPair]
    tally: Pairs
    sprt: Sprt | None
    finished: int
    """Pairs that are over, counted or not."""
    pairs: int
    """Pairs at most."""

    @property
    def verdict(self) -> Verdict | None:
        return self.sprt.verdict(self.tally) if self.sprt else None

    @property
    def is_complete(self) -> bool:
        is_decided = self.verdict not in (None, Verdict.CONTINUE)
        return is_decided or len(self.counted) == self.pairs


def match_standing(terms: Mapping[str, Any], played: Mapping[str, PlayedPair]) -> MatchStanding:
    """How a match stands; its pairs are told from others in a journal by its terms."""
    sprt = Sprt(**terms["sprt"]) if terms.get("sprt") else None
    own = {each.pair.number: each for each in played.values() if _is_of(each, terms)}
    counted: list[PlayedPair] = []
    tally = Pairs()
    while (following := own.get(len(counted))) is not None and len(counted) < terms["pairs"]:
        if sprt and sprt.verdict(tally) is not Verdict.CONTINUE:
            break
        counted.append(following)
        tally += Pairs.of([following.points])
    return MatchStanding(counted, tally, sprt, len(own), int(terms["pairs"]))


def _is_of(played: PlayedPair, terms: Mapping[str, Any]) -> bool:
    pair = played.pair
    told = list(pair.players), pair.seed, dict(pair.settings), pair.time_s
    return told == (terms["players"], terms["seed"], terms["settings"], terms["time_s"])


_guard = threading.Lock()
_readers: dict[str, JournalReader] = {}
_specs: dict[tuple[Path, int], ReadTournament] = {}
MOST_OPEN = 20


def written(contest: Contest) -> Written:
    """All that was played of a contest so far. Raises InputError."""
    with _guard:
        reader = _readers.pop(contest.id, None) or JournalReader(contest.journal)
        _readers[contest.id] = reader
        while len(_readers) > MOST_OPEN:
            _readers.pop(next(iter(_readers)))
    return reader.read()


def spec_of(contest: Contest) -> ReadTournament:
    """The file of a tournament, read again when it changes. Raises InputError."""
    assert contest.spec is not None
    try:
        key = contest.spec, contest.spec.stat().st_mtime_ns
    except OSError as error:
        raise Unsupported(f"cannot read {contest.spec}: {error.strerror}") from None
    with _guard:
        known = _specs.get(key)
    if known is None:
        try:
            known = ReadTournament(contest.spec)
        except InputError:
            raise
        except PlygroundError as error:  # a game of one's own that fails
            raise Unsupported(str(error)) from None
        with _guard:
            _specs[key] = known
            while len(_specs) > MOST_OPEN:
                _specs.pop(next(iter(_specs)))
    return known
