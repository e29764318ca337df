"""Estimates in words."""

from __future__ import annotations

from plyground.lab.statistics import Estimate


def percent(found: Estimate) -> str:
    """A share: `12 % (9 to 15 %)`."""
    return f"{100 * found.value:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f} %)"


def whole(found: Estimate) -> str:
    """A large number: `1234 (1200 to 1268)`."""
    return f"{found.value:.0f} ({found.low:.0f} to {found.high:.0f})"
