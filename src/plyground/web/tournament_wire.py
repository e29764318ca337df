"""A tournament or match that a page asks for: its shape, bounds, and what commands make of it.

What is wrong is told with the field that it is about. Knows no route and starts nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from plyground.core.errors import InputError, Unsupported
from plyground.core.files import write_new
from plyground.games.catalogue import demand_known, find_game, is_code, told_elsewhere
from plyground.games.spec import GameSpec, Value
from plyground.matches.contests import JOURNAL, contests_folder
from plyground.matches.openings import OpeningFile, parse_openings
from plyground.matches.plan import Plan
from plyground.matches.ratings import Sprt
from plyground.matches.tournament_file import (
    NamedPlayer,
    ReadTournament,
    TournamentFile,
    written,
)
from plyground.web.wire import Name, PlayerName, Setting, Wire, demand_harmless

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
        try:
            return Sprt(self.elo0, self.elo1, self.alpha, self.beta)
        except InputError as error:
            raise error.at("sprt") from None

    @property
    def text(self) -> str:
        pairs = ((name, _plain(value)) for name, value in self.model_dump().items())
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
    game, settings = _game(wanted)
    texts = _players(wanted, game, settings)
    if wanted.format == "match":
        return _match(wanted, game, settings, texts)
    if wanted.sprt is not None:
        raise Unsupported("a test is for a match of two").at("sprt")
    return _tournament(wanted, game, settings, texts)


def _game(wanted: ContestIn) -> tuple[GameSpec, dict[str, Value]]:
    try:
        demand_known(wanted.game)
        game = find_game(wanted.game)
    except InputError as error:
        raise error.at("game") from None
    try:
        settings = game.settings({name: str(each) for name, each in wanted.settings.items()})
        game.initial(**settings)
    except InputError as error:
        raise error.at("settings") from None
    return game, settings


def _players(wanted: ContestIn, game: GameSpec, settings: dict[str, Value]) -> list[str]:
    if wanted.format == "match" and len(wanted.players) != 2:
        raise Unsupported("a match has two players").at("players")
    plan = Plan(game.name, settings)
    texts: list[str] = []
    names: list[str] = []
    for number, each in enumerate(wanted.players):
        place = f"players.{number}"
        try:
            demand_harmless(each.player)
            text = plan.check_player(each.player)
        except InputError as error:
            raise error.at(place) from None
        name = each.name.strip() or text
        if wanted.format != "match" and (text in texts or name in names):
            raise Unsupported(f"{name} is there twice").at(place)
        texts.append(text)
        names.append(name)
    return texts


def _openings(wanted: ContestIn, plan: Plan) -> str:
    text = f"random:{wanted.openings}"
    openings = parse_openings(text)
    assert not isinstance(openings, OpeningFile)
    try:
        openings.take(plan.begin, 1, wanted.seed)
    except InputError as error:
        raise error.at("openings") from None
    return text


def _match(
    wanted: ContestIn, game: GameSpec, settings: dict[str, Value], texts: list[str]
) -> Command:
    openings = _openings(wanted, Plan(game.name, settings))
    test = wanted.sprt.read() if wanted.sprt else None
    pairs = (wanted.games + 1) // 2
    journal = _free(wanted.name or f"{texts[0]} {texts[1]}", JOURNAL)
    title = f"{texts[0]} - {texts[1]}"
    words = ["match", *texts, "--game", told_elsewhere(game), "--games", str(2 * pairs)]
    words += ["--openings", openings, "--seed", str(wanted.seed)]
    words += [part for name, each in settings.items() for part in ("--set", f"{name}={each}")]
    if wanted.time_s is not None:
        words += ["--time", f"{_plain(wanted.time_s)}s"]
    if wanted.sprt is not None:
        words += ["--sprt", wanted.sprt.text]
    words += ["--jobs", str(wanted.jobs), "--out", str(journal)]
    about = {
        "game": game.name,
        "settings": dict(settings),
        "position": None,
        "players": texts,
        "openings": openings,
        "pairs": pairs,
        "seed": wanted.seed,
        "time_s": wanted.time_s,
        "sprt": asdict(test) if test else None,
        "journal": str(journal),
        "event": f"match {journal.stem}: {title}",
    }
    return Command("match", title, words, about, 2 * pairs, journal)


def _tournament(
    wanted: ContestIn, game: GameSpec, settings: dict[str, Value], texts: list[str]
) -> Command:
    plan = Plan(game.name, settings)
    named = zip(texts, (each.name.strip() for each in wanted.players), strict=True)
    file = TournamentFile(
        name=wanted.name.strip() or f"{FORMATS[wanted.format]} at {game.title}",
        game=told_elsewhere(game),
        settings=settings,
        players=[NamedPlayer(name=name, player=text) if name else text for text, name in named],
        format=_format(wanted),
        rounds=wanted.rounds if wanted.format == "swiss" else None,
        games=wanted.games,
        openings=_openings(wanted, plan),
        seed=wanted.seed,
        time=None if wanted.time_s is None else f"{_plain(wanted.time_s)}s",
    )
    path = _free(file.name, ".toml")
    try:
        read = ReadTournament(path, file)
    except InputError as error:
        raise error.at("rounds" if wanted.format == "swiss" else "players") from None
    total = 2 * read.tournament.total
    if total > MOST_GAMES:
        raise Unsupported(f"that would be {total:,} games; at most {MOST_GAMES:,}").at("games")
    try:
        write_new(path, written(file).encode())
    except OSError as error:
        raise Unsupported(f"cannot write {path}: {error.strerror}") from None
    journal, event = path.with_suffix(JOURNAL), f"tournament {read.title}"
    words = ["tournament", str(path), "--jobs", str(wanted.jobs)]
    words += ["--with", file.game] if is_code(file.game) else []
    about = {"spec": str(path), "journal": str(journal), "event": event}
    return Command("tournament", read.title, words, about, total, journal)


def _format(wanted: ContestIn) -> Literal["round-robin", "gauntlet", "swiss"]:
    assert wanted.format != "match"
    return wanted.format


def _free(title: str, suffix: str) -> Path:
    """A name that nothing has, neither the file nor the journal beside it."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = re.sub("[^a-z0-9]+", "-", plain)[:50].strip("-") or "tournament"
    folder = contests_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unsupported(f"cannot write to {folder}: {error.strerror}") from None
    number, name = 1, stem
    while any((folder / f"{name}{end}").exists() for end in (".toml", JOURNAL)):
        number += 1
        name = f"{stem}-{number}"
    return folder / f"{name}{suffix}"


def _plain(number: float) -> str:
    """Without an exponent, which commands do not read."""
    return f"{number:.9f}".rstrip("0").rstrip(".")
