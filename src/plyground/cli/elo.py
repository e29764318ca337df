"""`plyground elo`: what a result means, from counts alone."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli.common import out, print_json, print_table
from plyground.core.errors import MalformedText, Unsupported, shorten, unknown
from plyground.matches.as_data import estimate_as_data
from plyground.matches.ratings import (
    Estimate,
    Games,
    Pairs,
    Sprt,
    Tally,
    likelihood_of_superiority,
    normalised_elo,
)
from plyground.matches.ratings import elo as elo_of
from plyground.public.contests import with_error

MOST = 10**12
SPRT_FORM = "expected elo0=0,elo1=10, and if wanted alpha=0.05,beta=0.05,model=normalised"


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
    """Compute Elo with error bars, superiority and the state of a test from results."""
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


def parse_sprt(text: str) -> Sprt:
    """The test that `elo0=0,elo1=10` describes."""
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise MalformedText(f"--sprt {shorten(text)!r}: {SPRT_FORM}")
        if name not in ("elo0", "elo1", "alpha", "beta", "model"):
            raise unknown("part of --sprt", name, ("elo0", "elo1", "alpha", "beta", "model"))
        if name in values:
            raise MalformedText(f"--sprt {shorten(text)!r}: {name} is given twice; {SPRT_FORM}")
        if name != "model" and not re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,9})?", value):
            raise MalformedText(f"--sprt {name}={shorten(value)}: expected a number; {SPRT_FORM}")
        values[name] = (
            value.replace("normalized", "normalised") if name == "model" else float(value)
        )
    if "elo0" not in values or "elo1" not in values:
        raise MalformedText(f"--sprt {shorten(text)!r}: {SPRT_FORM}")
    return Sprt(**values)


def signed(estimate: Estimate, digits: int = 1) -> str:
    """`+40.7 ± 30.4` in letters that the terminal has."""
    text = with_error(estimate, digits)
    return text if out.encoding.lower().startswith("utf") else text.replace("±", "+/-")
