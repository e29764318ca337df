"""A tournament or match that a page asks for: its shape, bounds, and the command that plays it.

What is wrong is reported with the field of the form that it is about. Nothing is started here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.core.errors import Unsupported, system_errors_as
from plyground.core.files import write_new
from plyground.games.catalogue import demand_known, find_game, is_code, portable_name
from plyground.matches.contests import JOURNAL, contests_folder, match_terms
from plyground.matches.openings import RandomOpenings
from plyground.matches.plan import Plan
from plyground.matches.ratings import Sprt
from plyground.matches.tournament_file import (
    NamedPlayer,
    ReadTournament,
    TournamentFile,
    written,
)
from plyground.web.wire import (
    Name,
    PlayerName,
    Setting,
    Wire,
    at_field,
    demand_harmless,
    plain_number,
)

MOST_PLAYERS = 24
MOST_GAMES = 20_000
PLAIN = r"^[^\x00-\x1f\x7f]*$"
FORMATS = {"round-robin": "Round robin", "gauntlet": "Gauntlet", "swiss": "Swiss"}


class PlayerIn(Wire):
    """A player, and what to call it if not by its text."""

    player: PlayerName
    name: Annotated[str, Field(max_length=60, pattern=PLAIN)] = ""


class SprtIn(Wire):
    """A test between two hypotheses."""

    elo0: Annotated[float, Field(ge=-1000, le=1000)] = 0.0
    elo1: Annotated[float, Field(ge=-1000, le=1000)] = 10.0
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, Field(gt=0, lt=0.5)] = 0.05

    def read(self) -> Sprt:
        """Raises InputError."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def text(self) -> str:
        pairs = ((name, plain_number(value)) for name, value in self.model_dump().items())
        return ",".join(f"{name}={value}" for name, value in pairs)


class ContestIn(Wire):
    """A tournament, or a match of two."""

    name: Annotated[str, Field(max_length=80, pattern=PLAIN)] = ""
    game: Name
    settings: Annotated[dict[Name, Setting], Field(max_length=20, default_factory=dict)]
    players: Annotated[list[PlayerIn], Field(min_length=2, max_length=MOST_PLAYERS)]
    format: Literal["round-robin", "gauntlet", "swiss", "match"] = "round-robin"
    rounds: Annotated[int, Field(ge=1, le=100)] | None = None
    games: Annotated[int, Field(ge=2, le=MOST_GAMES)] = 20
    """For each two players."""
    openings: Annotated[int, Field(ge=0, le=20)] = 4
    """So many random moves."""
    time_s: Annotated[float, Field(gt=0, le=600)] | None = None
    """For each move."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    jobs: Annotated[int, Field(ge=1, le=256)] = 1
    sprt: SprtIn | None = None


@dataclass(frozen=True)
class Command:
    """What is typed for a contest, and what its job is about."""

    kind: Literal["tournament", "match"]
    title: str
    words: list[str]
    about: dict[str, Any]
    total: int
    """Games at most."""
    journal: Path


def command_for(wanted: ContestIn) -> Command:
    """Check everything, write the file of a tournament, and say what to type. Raises InputError."""
    plan = _plan(wanted)
    texts = _players(wanted, plan)
    if wanted.format != "match" and wanted.sprt is not None:
        raise Unsupported("a test is for a match of two").at("sprt")
    with at_field("openings"):
        plan.openings.take(plan.begin, 1, plan.seed)
    return (_match if wanted.format == "match" else _tournament)(wanted, plan, texts)


def _plan(wanted: ContestIn) -> Plan:
    with at_field("game"):
        demand_known(wanted.game)
        game = find_game(wanted.game)
    with at_field("settings"):
        settings = game.settings({name: str(each) for name, each in wanted.settings.items()})
        game.initial(**settings)
    openings = RandomOpenings(wanted.openings)
    pairs = (wanted.games + 1) // 2
    return Plan(game.name, settings, None, openings, pairs, wanted.seed, wanted.time_s)


def _players(wanted: ContestIn, plan: Plan) -> list[str]:
    if wanted.format == "match" and len(wanted.players) != 2:
        raise Unsupported("a match has two players").at("players")
    texts: list[str] = []
    names: list[str] = []
    for number, each in enumerate(wanted.players):
        with at_field(f"players.{number}"):
            demand_harmless(each.player)
            text = plan.check_player(each.player)
            name = each.name.strip() or text
            if wanted.format != "match" and (text in texts or name in names):
                raise Unsupported(f"{name} is there twice")
        texts.append(text)
        names.append(name)
    return texts


def _match(wanted: ContestIn, plan: Plan, texts: list[str]) -> Command:
    with at_field("sprt"):
        test = wanted.sprt.read() if wanted.sprt else None
    journal = _free(wanted.name or f"{texts[0]} {texts[1]}", JOURNAL)
    games = 2 * plan.pairs
    words = ["match", *texts, "--game", portable_name(plan.spec), "--games", str(games)]
    words += ["--openings", str(plan.openings), "--seed", str(plan.seed)]
    words += [part for name, each in plan.settings.items() for part in ("--set", f"{name}={each}")]
    if plan.time_s is not None:
        words += ["--time", f"{plain_number(plan.time_s)}s"]
    if wanted.sprt is not None:
        words += ["--sprt", wanted.sprt.text]
    words += ["--jobs", str(wanted.jobs), "--out", str(journal)]
    about = match_terms(plan, texts, test, journal)
    return Command("match", " - ".join(texts), words, about, games, journal)


def _tournament(wanted: ContestIn, plan: Plan, texts: list[str]) -> Command:
    assert wanted.format != "match"
    named = zip(texts, (each.name.strip() for each in wanted.players), strict=True)
    file = TournamentFile(
        name=wanted.name.strip() or f"{FORMATS[wanted.format]} at {plan.spec.title}",
        game=portable_name(plan.spec),
        settings=dict(plan.settings),
        players=[NamedPlayer(name=name, player=text) if name else text for text, name in named],
        format=wanted.format,
        rounds=wanted.rounds if wanted.format == "swiss" else None,
        games=wanted.games,
        openings=str(plan.openings),
        seed=plan.seed,
        time=None if plan.time_s is None else f"{plain_number(plan.time_s)}s",
    )
    path = _free(file.name, ".toml")
    with at_field("rounds" if wanted.format == "swiss" else "players"):
        read = ReadTournament(path, file)
    total = 2 * read.tournament.total
    if total > MOST_GAMES:
        raise Unsupported(f"that would be {total:,} games; at most {MOST_GAMES:,}").at("games")
    with system_errors_as(f"cannot write {path}"):
        write_new(path, written(file).encode())
    journal, event = path.with_suffix(JOURNAL), f"tournament {read.title}"
    words = ["tournament", str(path), "--jobs", str(wanted.jobs)]
    words += ["--with", file.game] if is_code(file.game) else []
    about = {"spec": str(path), "journal": str(journal), "event": event}
    return Command("tournament", read.title, words, about, total, journal)


def _free(title: str, suffix: str) -> Path:
    """A name that nothing has, neither the file nor the journal beside it."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = re.sub("[^a-z0-9]+", "-", plain)[:50].strip("-") or "tournament"
    folder = contests_folder()
    with system_errors_as(f"cannot write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    number, name = 1, stem
    while any((folder / f"{name}{end}").exists() for end in (".toml", JOURNAL)):
        number += 1
        name = f"{stem}-{number}"
    return folder / f"{name}{suffix}"
