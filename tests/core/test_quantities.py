"""Amounts as people write them: what is read, what is refused, and in which words."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plyground.core.errors import MalformedText
from plyground.core.quantities import (
    MOST_BYTES,
    MOST_SECONDS,
    read_bytes,
    read_count,
    read_seconds,
    read_share,
)

MILLION = 10**6
READERS: dict[str, Callable[[str], float]] = {
    "seconds": lambda text: read_seconds(text, "--time"),
    "bytes": lambda text: read_bytes(text, "--time"),
    "count": lambda text: read_count(text, "--time", 0, 10**18),
    "share": lambda text: read_share(text, "--time"),
}
each_reader = pytest.mark.parametrize("read", READERS.values(), ids=READERS)

# Anything, and what looks like an amount.
TEXTS = st.text(max_size=30) | st.text("0123456789.,%kKmMgGbBshin +-e_٣²①", max_size=12)


# ------------------------------------------------------------------ what is read


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2),
        ("2s", 2),
        ("0.5", 0.5),
        ("500ms", 0.5),
        ("1.5 s", 1.5),
        (" 1M ", 60),
        ("2min", 120),
        ("1h", 3600),
        ("720h", MOST_SECONDS),
    ],
)
def test_times(text: str, seconds: float) -> None:
    assert read_seconds(text, "time") == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("100", 100),
        ("100b", 100),
        ("1kb", 1024),
        ("1.5K", 1536),
        ("64MB", 64 * 2**20),
        ("64 m", 64 * 2**20),
        ("1GB", 2**30),
        ("64g", MOST_BYTES),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert read_bytes(text, "memory") == size


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("200k", 200_000), ("2M", 2 * MILLION), ("1.5m", 1_500_000), ("1G", 10**9)],
)
def test_counts(text: str, number: int) -> None:
    assert read_count(text, "nodes", 0, 10**12) == number


@pytest.mark.parametrize(
    ("text", "share"),
    [("20%", 0.2), ("0.2", 0.2), ("0", 0), ("0%", 0), ("1", 1), ("100%", 1), (" 2.5 % ", 0.025)],
)
def test_shares(text: str, share: float) -> None:
    assert read_share(text, "noise") == pytest.approx(share)


@given(st.integers(0, 10**15))
def test_a_whole_number_is_read_exactly(number: int) -> None:
    assert read_count(str(number), "nodes", 0, 10**15) == number


@given(st.integers(0, 10**7), st.sampled_from(["k", "M", "G"]))
@example(1001, "k")
@example(2_300, "M")
def test_thousandths_of_a_unit_are_whole_numbers(thousandths: int, unit: str) -> None:
    """`1.001k` is 1001, though 1.001 * 1000 is not in floating point."""
    text = f"{Decimal(thousandths) / 1000}{unit}"
    number = thousandths * {"k": 1, "M": 1000, "G": MILLION}[unit]
    assert read_count(text, "nodes", 0, 10**18) == number


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "text", ["", "s", "-1s", "0", "0ms", "1 second", "1e3", "721h", "1,5s", "٣s", "2s 3s", "nan"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(MalformedText, match=r"time .*: expected a time above 0 such as 2s"):
        read_seconds(text, "time")


@pytest.mark.parametrize("text", ["", "MB", "-1", "65GB", "1TB", "inf", "1 2", "64%"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(MalformedText, match=r"memory .*: expected a size such as 64MB"):
        read_bytes(text, "memory")


@pytest.mark.parametrize("text", ["", "2", "11", "3.5", "-4", "4 4", "0x4", "four", "4%", "9" * 30])
def test_what_is_no_number_from_3_to_10(text: str) -> None:
    with pytest.raises(MalformedText, match=r"depth .*: expected a whole number from 3 to 10"):
        read_count(text, "depth", 3, 10)


@pytest.mark.parametrize("text", ["", "%", "101%", "1.01", "-1%", "20%%", "20k", "a fifth"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(MalformedText, match=r"noise .*: expected a share from 0% to 100%"):
        read_share(text, "noise")


def test_a_complaint_repeats_what_it_was_given_for_and_what_was_given() -> None:
    with pytest.raises(MalformedText, match=r"^--nodes 'many': expected a whole number"):
        read_count("many", "--nodes", 1, MILLION)
    with pytest.raises(MalformedText, match=r"from 1 to 1,000,000$"):
        read_count("many", "--nodes", 1, MILLION)


@each_reader
@given(text=TEXTS)
@example(text="9" * 5000)
@example(text="9" * 18 + "." + "9" * 9 + "gb")
@example(text="1.m\n")
def test_any_text_is_an_amount_or_a_complaint_of_one_short_line(
    read: Callable[[str], float], text: str
) -> None:
    try:
        amount = read(text)
    except MalformedText as complaint:
        assert str(complaint).startswith("--time ")
        assert len(str(complaint).splitlines()) == 1
        assert len(str(complaint)) < 300
    else:
        assert 0 <= amount <= 10**18
