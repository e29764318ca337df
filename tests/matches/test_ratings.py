"""Numbers that other match runners print, closed formulas, and simulated matches."""

from __future__ import annotations

import doctest
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.matches import ratings
from plyground.matches.ratings import (
    ELO_PER_NAT,
    Estimate,
    Games,
    Pairs,
    Sprt,
    Tally,
    Verdict,
    _likeliest_with_t_value,
    elo,
    elo_from_score,
    likelihood_of_superiority,
    normalised_elo,
    score_from_elo,
)

# By fastchess: its own tests of Elo and of the sequential test.
GAMES = Games(wins=136, draws=111, losses=96)
PAIRS = Pairs(ll=34, ld=54, wl=31, dd=32, wd=64, ww=75)
MORE_PAIRS = Pairs(ll=332, ld=433, wl=457, dd=41, wd=333, ww=334)

often = settings(max_examples=60)
few = st.integers(0, 30)
some_games = st.builds(Games, few, few, few)
some_pairs = st.builds(Pairs, few, few, few, few, few, few)
tallies = st.one_of(some_games, some_pairs)
models = st.sampled_from(["logistic", "normalised"])
estimates = pytest.mark.parametrize("estimate", [elo, normalised_elo])


def many(tally: Tally, times: int) -> Tally:
    return type(tally)(*[times * count for count in vars(tally).values()])


def times_independent(games: Games) -> Pairs:
    """The pairs expected from so many games squared, if one game did not know of the other."""
    w, d, l = games.wins, games.draws, games.losses  # noqa: E741
    return Pairs(l * l, 2 * l * d, 2 * w * l, d * d, 2 * w * d, w * w)


def mirrored(estimate: Estimate) -> tuple[float, float, float]:
    return -estimate.value, -estimate.high, -estimate.low


# ---------------------------------------------------------------------- counting


def test_games_are_counted_by_points() -> None:
    assert Games.of([1, 0, 0.5, 1, 1]) == Games(wins=3, draws=1, losses=1)


def test_pairs_are_counted_in_either_order_and_wl_is_not_dd() -> None:
    results = [(0, 0), (0, 0.5), (0.5, 0), (0, 1), (1, 0), (0.5, 0.5), (1, 0.5), (1, 1), (1, 1)]
    assert Pairs.of(results) == Pairs(ll=1, ld=2, wl=2, dd=1, wd=1, ww=2)


def test_the_pentanomial_merges_wl_and_dd() -> None:
    assert PAIRS.counts == (34, 54, 63, 64, 75)
    assert PAIRS.number == 290


def test_pairs_as_games() -> None:
    assert Pairs(ll=1, ld=2, wl=3, dd=4, wd=5, ww=6).games == Games(wins=20, draws=15, losses=7)


@often
@given(some_pairs)
def test_pairs_and_their_games_have_the_same_score(pairs: Pairs) -> None:
    assert pairs.games.number == 2 * pairs.number
    assert pairs.games.score == pytest.approx(pairs.score)


@often
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2)), st.integers(0, 20))
def test_tallies_of_parts_add_up(results: list[tuple[float, float]], cut: int) -> None:
    assert Pairs.of(results[:cut]) + Pairs.of(results[cut:]) == Pairs.of(results)
    firsts = [first for first, _ in results]
    assert Games.of(firsts[:cut]) + Games.of(firsts[cut:]) == Games.of(firsts)


@often
@given(tallies)
def test_swapping_twice_changes_nothing(tally: Games | Pairs) -> None:
    assert tally.swapped().swapped() == tally
    assert tally.swapped().counts == tally.counts[::-1]


@pytest.mark.parametrize("points", [0.7, 2, -1, math.nan])
def test_points_that_no_game_gives_are_refused(points: float) -> None:
    with pytest.raises(Unsupported, match=r"expected 0, 0\.5 or 1"):
        Games.of([1, points])
    with pytest.raises(Unsupported, match=r"expected 0, 0\.5 or 1"):
        Pairs.of([(1, points)])


def test_negative_counts_are_refused() -> None:
    with pytest.raises(Unsupported, match="cannot be negative"):
        Games(wins=3, losses=-1)
    with pytest.raises(Unsupported, match="cannot be negative"):
        Pairs(ll=3, ww=-1)


# ---------------------------------------------------------------------- Elo


@pytest.mark.parametrize(
    ("tally", "logistic", "normalised"),
    [
        (GAMES, "40.70 +/- 30.43", "49.77 +/- 36.77"),
        (PAIRS, "55.58 +/- 27.65", "57.94 +/- 28.28"),
        (MORE_PAIRS, "-8.64 +/- 10.33", "-9.17 +/- 10.96"),
    ],
)
def test_elo_as_fastchess_prints_it(tally: Tally, logistic: str, normalised: str) -> None:
    assert str(elo(tally)) == logistic
    assert str(normalised_elo(tally)) == normalised


@pytest.mark.parametrize(
    ("games", "normalised"),
    [(Games(76, 123, 89), "-20.76 +/- 40.13"), (Games(34, 0, 356), "-508.44 +/- 34.48")],
)
def test_normalised_elo_as_fastchess_prints_it(games: Games, normalised: str) -> None:
    assert str(normalised_elo(games)) == normalised


@often
@given(few, few, few)
def test_an_even_score_is_exactly_zero(decided: int, drawn: int, halves: int) -> None:
    for tally in (
        Games(decided, drawn, decided),
        Pairs(ld=decided, dd=drawn, wd=decided, wl=halves),
    ):
        assert str(elo(tally)).startswith("0.00")
        assert str(normalised_elo(tally)).startswith("0.00")


@often
@given(st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(difference: float) -> None:
    assert elo_from_score(score_from_elo(difference)) == pytest.approx(difference, abs=1e-6)


def test_four_hundred_elo_are_odds_of_ten_to_one() -> None:
    assert score_from_elo(400) == pytest.approx(10 / 11)
    assert score_from_elo(-400) == pytest.approx(1 / 11)
    assert score_from_elo(-1e6) == 0
    assert score_from_elo(1e6) == 1


@estimates
@often
@given(tally=tallies)
def test_the_other_player_sees_the_mirror_image(
    estimate: Callable[[Tally], Estimate], tally: Games | Pairs
) -> None:
    seen = estimate(tally.swapped())
    assert (seen.value, seen.low, seen.high) == pytest.approx(
        mirrored(estimate(tally)), rel=1e-6, abs=1e-6
    )


@estimates
@often
@given(tally=tallies)
def test_every_tally_has_an_interval_around_its_value(
    estimate: Callable[[Tally], Estimate], tally: Tally
) -> None:
    result = estimate(tally)
    assert result.low <= result.value <= result.high
    assert result.error > 0


@often
@given(tallies.filter(lambda tally: sum(count > 0 for count in tally.counts) > 1))
def test_four_times_the_games_halve_the_error(tally: Tally) -> None:
    assert many(tally, 4).standard_error == pytest.approx(tally.standard_error / 2)
    assert normalised_elo(many(tally, 4)).error == pytest.approx(normalised_elo(tally).error / 2)


def test_twice_the_games_shrink_the_error_by_the_root_of_two() -> None:
    assert elo(many(PAIRS, 2)).value == pytest.approx(elo(PAIRS).value)
    assert elo(many(PAIRS, 2)).error == pytest.approx(elo(PAIRS).error / math.sqrt(2), rel=0.01)


@often
@given(st.builds(Games, *[st.integers(1, 30)] * 3))
def test_pairs_of_independent_games_say_what_the_games_say(games: Games) -> None:
    pairs, alone = times_independent(games), many(games, 2 * games.number)
    assert pairs.games == alone
    for estimate in (elo, normalised_elo):
        assert estimate(pairs).value == pytest.approx(estimate(alone).value, abs=1e-6)
        assert estimate(pairs).error == pytest.approx(estimate(alone).error)
    assert likelihood_of_superiority(pairs) == pytest.approx(likelihood_of_superiority(alone))


def test_openings_that_favour_a_side_make_pairs_surer_than_games() -> None:
    pairs = Pairs(ll=8, wl=80, ww=12)
    assert elo(pairs).value == pytest.approx(elo(pairs.games).value)
    assert elo(pairs).error < elo(pairs.games).error / 1.5


def test_normalised_elo_is_elo_between_near_equals_who_never_draw() -> None:
    games = Games(wins=50_100, losses=49_900)
    assert normalised_elo(games).value == pytest.approx(elo(games).value, rel=1e-4)
    assert normalised_elo(games).error == pytest.approx(elo(games).error, rel=1e-4)


def test_the_interval_holds_the_truth_in_95_of_100_matches() -> None:
    chances, matches = (0.4, 0.35, 0.25), 2000
    truth = elo_from_score(0.4 + 0.35 / 2)
    drawn = np.random.default_rng(5).multinomial(400, chances, matches)
    intervals = [elo(Games(*map(int, counts))) for counts in drawn]
    held = sum(interval.low <= truth <= interval.high for interval in intervals)
    assert held / matches == pytest.approx(0.95, abs=0.015)


# ---------------------------------------------------------------------- hardly any results


@pytest.mark.parametrize("nothing", [Games(), Pairs()])
def test_without_results_nothing_is_known(nothing: Tally) -> None:
    assert nothing.score == 0.5
    for estimate in (elo, normalised_elo):
        assert estimate(nothing) == Estimate(0, -math.inf, math.inf)
    assert likelihood_of_superiority(nothing) == 0.5
    assert Sprt(0, 5).llr(nothing) == 0
    assert Sprt(0, 5).verdict(nothing) == "continue"


@pytest.mark.parametrize("perfect", [Games(wins=20), Pairs(ww=10)])
def test_a_perfect_score_is_infinite_with_a_finite_low_end(perfect: Tally) -> None:
    assert str(elo(perfect)) == "inf +/- inf"
    assert 200 < elo(perfect).low < 800
    assert 200 < normalised_elo(perfect).low < math.inf
    assert 0.99 < likelihood_of_superiority(perfect) <= 1


def test_a_perfect_score_says_more_in_a_longer_match() -> None:
    lows = [elo(Games(wins=number)).low for number in (1, 2, 5, 10, 100, 1000)]
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[2]


@pytest.mark.parametrize("drawn", [Games(draws=100), Pairs(dd=50), Pairs(wl=50)])
def test_all_draws_are_even_but_not_surely_so(drawn: Tally) -> None:
    assert elo(drawn).value == 0
    assert 1 < elo(drawn).error < 30
    assert likelihood_of_superiority(drawn) == 0.5
    assert Sprt(0, 100).llr(drawn) < 0


@pytest.mark.parametrize("kind", ["ll", "ld", "wl", "dd", "wd", "ww"])
def test_one_pair_settles_nothing(kind: str) -> None:
    pair = Pairs(**{kind: 1})
    assert elo(pair).low < 0 < elo(pair).high
    assert 0.05 < likelihood_of_superiority(pair) < 0.95
    for model in ("logistic", "normalised"):
        assert Sprt(0, 10, model=model).verdict(pair) == Verdict.CONTINUE


# ---------------------------------------------------------------------- superiority


@pytest.mark.parametrize(
    ("tally", "printed"),
    [(GAMES, "99.60 %"), (PAIRS, "100.00 %"), (Games(76, 123, 89), "15.53 %")],
)
def test_superiority_as_fastchess_prints_it(tally: Tally, printed: str) -> None:
    assert f"{likelihood_of_superiority(tally):.2%}".replace("%", " %") == printed


def test_superiority_is_that_of_the_normal_distribution() -> None:
    # The lead is (136 - 96) / 2 / 343; a variance is the mean square minus the squared mean.
    lead, square = 20 / 343, (136 + 96) / 4 / 343
    z = lead / math.sqrt((square - lead**2) / 343)
    assert likelihood_of_superiority(GAMES) == pytest.approx((1 + math.erf(z / math.sqrt(2))) / 2)


@often
@given(tallies)
def test_the_superiorities_of_both_players_add_up_to_one(tally: Games | Pairs) -> None:
    other = likelihood_of_superiority(tally.swapped())
    assert likelihood_of_superiority(tally) + other == pytest.approx(1)
    assert (likelihood_of_superiority(tally) > 0.5) == (tally.score > 0.5)


# ---------------------------------------------------------------------- the sequential test


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "tally", "llr"),
    [
        ("logistic", 0.5, 2.5, Games(wins=21404, draws=40708, losses=21184), "-1.57"),
        ("logistic", 0, 2, Pairs(871, 26175, 55003, 980, 26678, 821), "-4.98"),
        ("normalised", 0, 2, Games(wins=36433, draws=68692, losses=36027), "0.92"),
        ("normalised", 0, 2, Pairs(365, 16618, 36029, 200, 16974, 390), "2.25"),
        ("normalised", -1.75, 0.25, Pairs(127, 4883, 10311, 401, 5150, 104), "3.01"),
    ],
)
def test_llr_as_fastchess_prints_it(
    model: str, elo0: float, elo1: float, tally: Tally, llr: str
) -> None:
    assert f"{Sprt(elo0, elo1, model=model).llr(tally):.2f}" == llr


def test_llr_of_fishtest_and_its_short_formula() -> None:
    # fishtest computes 2.945495 with likeliest distributions, as we do, and 2.946 by the formula.
    pairs = Pairs(ll=379, ld=10170, wl=21828, wd=10640, ww=343)
    games = 2 * pairs.number
    t, t1 = normalised_elo(pairs).value / (2 * ELO_PER_NAT), 2 / (2 * ELO_PER_NAT)
    short = games / 2 * math.log((1 + t**2) / (1 + (t - t1) ** 2))
    assert short == pytest.approx(2.946, abs=0.0005)
    assert Sprt(0, 2, model="normalised").llr(pairs) == pytest.approx(2.945495, abs=1e-6)


def likeliest_by_search(games: Games, nearest: Callable[[float], float]) -> float:
    """The highest log likelihood over all shares of draws, if `nearest` gives wins - losses."""
    losses, draws, wins = (count or 1e-3 for count in games.counts)

    def height(drawn: float) -> float:
        margin = nearest(drawn)
        won, lost = (1 - drawn + margin) / 2, (1 - drawn - margin) / 2
        if min(won, lost) <= 0:
            return -math.inf
        return wins * math.log(won) + draws * math.log(drawn) + losses * math.log(lost)

    low, high = 0.0, 1.0
    for _ in range(12):  # the height has one maximum: narrow down around the best of a grid
        grid = [low + (high - low) * step / 40 for step in range(1, 40)]
        best = max(grid, key=height)
        low, high = best - (high - low) / 40, best + (high - low) / 40
    return height(best)


hypotheses = st.tuples(st.floats(-150, 150), st.floats(1, 100)).map(lambda t: (t[0], sum(t)))


@often
@given(some_games.filter(lambda games: games.number > 0), hypotheses)
def test_logistic_llr_of_games_by_search(games: Games, leads: tuple[float, float]) -> None:
    at = [likeliest_by_search(games, lambda d, s=s: 2 * s - 1) for s in map(score_from_elo, leads)]
    assert Sprt(*leads).llr(games) == pytest.approx(at[1] - at[0], abs=1e-6)


@often
@given(some_games.filter(lambda games: games.number > 0), hypotheses)
def test_normalised_llr_of_games_by_search(games: Games, leads: tuple[float, float]) -> None:
    # margin / 2 = t * deviation, where the squared deviation is (1 - drawn - margin^2) / 4
    at = [
        likeliest_by_search(games, lambda drawn, t=t: t * math.sqrt((1 - drawn) / (1 + t * t)))
        for t in (lead / (2 * ELO_PER_NAT) for lead in leads)
    ]
    llr = Sprt(*leads, model="normalised").llr(games)
    assert llr == pytest.approx(at[1] - at[0], abs=1e-6)


@often
@given(st.lists(st.integers(1, 1000), min_size=5, max_size=5), st.floats(-1, 1))
def test_the_likeliest_pairs_obey_the_t_value_and_lagrange(counts: list[int], t: float) -> None:
    seen, values = np.array(counts) / sum(counts), np.linspace(0, 1, 5)
    p = np.array(_likeliest_with_t_value(seen.tolist(), t))

    def excess(p: np.ndarray) -> float:
        mean = p @ values
        return float(mean - 0.5 - t * math.sqrt(p @ values**2 - mean**2))

    assert p.sum() == pytest.approx(1)
    assert excess(p) == pytest.approx(0, abs=1e-9)
    # The slope of the likelihood is a mixture of the slopes of the two conditions.
    slope = [(excess(p + e) - excess(p - e)) / 2e-6 for e in 1e-6 * np.eye(5)]
    conditions = np.column_stack([np.ones(5), slope])
    mixture = np.linalg.lstsq(conditions, seen / p)[0]
    assert conditions @ mixture == pytest.approx(seen / p, abs=1e-5)


@often
@given(models, tallies, hypotheses)
def test_llr_changes_sign_with_the_players(
    model: str, tally: Games | Pairs, leads: tuple[float, float]
) -> None:
    elo0, elo1 = leads
    mirror = Sprt(-elo1, -elo0, model=model).llr(tally.swapped())
    assert Sprt(elo0, elo1, model=model).llr(tally) == pytest.approx(-mirror, rel=1e-6, abs=1e-6)


@often
@given(tallies, hypotheses)
def test_llr_favours_the_hypothesis_on_whose_side_the_score_is(
    tally: Tally, leads: tuple[float, float]
) -> None:
    llr = Sprt(*leads).llr(tally)
    if tally.number and tally.score > score_from_elo(leads[1]):
        assert llr > 0
    if tally.number and tally.score < score_from_elo(leads[0]):
        assert llr < 0


@often
@given(models, st.builds(Pairs, *[st.integers(1, 30)] * 6), hypotheses)
def test_llr_grows_with_the_length_of_the_match(
    model: str, pairs: Pairs, leads: tuple[float, float]
) -> None:
    test = Sprt(*leads, model=model)
    assert test.llr(many(pairs, 3)) == pytest.approx(3 * test.llr(pairs), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize("leads", [(-1000, 1000), (-1000, -999), (0, 5), (999, 1000)])
@pytest.mark.parametrize("number", [1, 1000, 10**9])
def test_llr_of_results_all_alike_is_a_number(
    model: str, leads: tuple[float, float], number: int
) -> None:
    kinds = [Games(number), Games(0, number), Games(0, 0, number)]
    kinds += [Pairs(**{kind: number}) for kind in ("ll", "ld", "wl", "dd", "wd", "ww")]
    assert all(math.isfinite(Sprt(*leads, model=model).llr(kind)) for kind in kinds)


def test_bounds_are_walds() -> None:
    assert Sprt(0, 5).upper == pytest.approx(math.log(19))
    assert Sprt(0, 5).lower == pytest.approx(-math.log(19))
    assert Sprt(0, 5, alpha=0.01, beta=0.2).upper == pytest.approx(math.log(80))
    assert Sprt(0, 5, alpha=0.01, beta=0.2).lower == pytest.approx(math.log(20 / 99))


def test_verdicts() -> None:
    test = Sprt(0, 5)
    assert test.verdict(Games(wins=5200, losses=4800)) == Verdict.H1 == "H1"
    assert test.verdict(Games(wins=4800, losses=5200)) == Verdict.H0 == "H0"
    assert test.verdict(Games(wins=52, losses=48)) == Verdict.CONTINUE == "continue"


def test_each_bound_has_its_own_error_rate() -> None:
    won, lost = Games(wins=104, losses=80), Games(wins=80, losses=104)
    careful, bold = {"alpha": 0.001, "beta": 0.2}, {"alpha": 0.2, "beta": 0.001}
    assert Sprt(-40, 40, **careful).verdict(won) == Verdict.CONTINUE
    assert Sprt(-40, 40, **careful).verdict(lost) == Verdict.H0
    assert Sprt(-40, 40, **bold).verdict(won) == Verdict.H1
    assert Sprt(-40, 40, **bold).verdict(lost) == Verdict.CONTINUE


def simulated(test: Sprt, score: float, draws: float, rng: random.Random) -> Verdict:
    """Play until the test decides, asking it after every eight games."""
    chances = [score - draws / 2, draws, 1 - score - draws / 2]
    games = Games()
    while (verdict := test.verdict(games)) is Verdict.CONTINUE:
        games += Games.of(rng.choices([1, 0.5, 0], chances, k=8))
    return verdict


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_a_sequential_test_keeps_its_promises(draws: float) -> None:
    test, runs, rng = Sprt(0, 60, alpha=0.05, beta=0.1), 250, random.Random(11)
    at0 = [simulated(test, 0.5, draws, rng) for _ in range(runs)]
    at1 = [simulated(test, score_from_elo(60), draws, rng) for _ in range(runs)]
    assert 0.01 < at0.count(Verdict.H1) / runs < 0.05 + 0.035
    assert 0.03 < at1.count(Verdict.H0) / runs < 0.10 + 0.045


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elo0": 5, "elo1": 0}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": 0}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": 1001}, "from -1000 to 1000"),
        ({"elo0": math.nan, "elo1": 5}, "elo0 below elo1"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "both above 0"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5}, "less than 1 together"),
        ({"elo0": 0, "elo1": 5, "model": "normalized"}, "did you mean normalised"),
    ],
)
def test_tests_that_make_no_sense_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(Unsupported, match=message):
        Sprt(**settings)


def test_examples_in_the_text_are_true() -> None:
    results = doctest.testmod(ratings)
    assert results.attempted >= 8
    assert results.failed == 0
