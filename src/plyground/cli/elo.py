"""`plyground elo`: what a result means, from counts alone."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import print_json, print_table
from plyground.cli.match import parse_sprt, signed
from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.matches.as_data import estimate_as_data
from plyground.matches.ratings import Games, Pairs, Tally, likelihood_of_superiority, normalised_elo
from plyground.matches.ratings import elo as elo_of

MOST = 10**12


def elo(
    games: Annotated[str | None, typer.Option(metavar="W,D,L", help="Wins, draws, losses.")] = None,
    pairs: Annotated[
        str | None,
        typer.Option(metavar="LL,LD,WL,DD,WD,WW", help="Pairs of games with sides swapped."),
    ] = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="elo0=0,elo1=10", help="A sequential test.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Tell Elo with error bars, superiority and the state of a test, from counted results."""
    if (games is None) == (pairs is None):
        raise Unsupported("give either --games W,D,L or --pairs LL,LD,WL,DD,WD,WW")
    tally: Tally
    if games is not None:
        tally = Games(*_counts(games, "--games", 3))
    else:
        tally = Pairs(*_counts(pairs or "", "--pairs", 6))
    test = parse_sprt(sprt) if sprt is not None else None
    if json:
        data: dict[str, Any] = {
            "score": round(tally.score, 6),
            "elo": estimate_as_data(elo_of(tally)),
            "normalised_elo": estimate_as_data(normalised_elo(tally)),
            "superiority": round(likelihood_of_superiority(tally), 6),
        }
        if test:
            data |= {"llr": round(test.llr(tally), 4), "verdict": str(test.verdict(tally))}
        print_json(data)
        return
    facts = [
        ("Elo", signed(elo_of(tally), 2)),
        ("normalised", signed(normalised_elo(tally), 2)),
        ("superiority", f"{likelihood_of_superiority(tally):.1%}"),
    ]
    if test:
        bounds = f"({test.lower:.2f}, {test.upper:.2f})"
        facts.append(("LLR", f"{test.llr(tally):.2f} in {bounds}: {test.verdict(tally)}"))
    print_table((), facts)


def _counts(text: str, option: str, number: int) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != number or not all(part.isdecimal() and int(part) <= MOST for part in parts):
        raise MalformedText(f"{option} {shorten(text)!r}: expected {number} counts with commas")
    return [int(part) for part in parts]
