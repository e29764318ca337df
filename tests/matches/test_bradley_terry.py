"""The fit against its own likelihood written out, closed formulas, and simulated tournaments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import Unsupported
from plyground.matches import ratings
from plyground.matches.bradley_terry import RatingList, _climb, _Point, rate, tally
from plyground.matches.ratings import Games, elo_from_score

Encounters = dict[tuple[str, str], Games]

often = settings(max_examples=30)
few = st.integers(0, 5)
names = st.sampled_from(["ann", "bob", "cat", "dan"])
tournaments = st.dictionaries(st.tuples(names, names), st.builds(Games, few, few, few), max_size=12)


def chances(lead: float, draws: float) -> tuple[float, float, float]:
    weights = math.exp(lead / 2), math.exp(draws), math.exp(-lead / 2)
    return tuple(weight / sum(weights) for weight in weights)


def elo_of(lead: float, draws: float) -> float:
    """The Elo of the score that a lead promises."""
    win, draw, _ = chances(lead, draws)
    return elo_from_score(win + draw / 2)


def simulate(
    strengths: Mapping[str, float], advantage: float, draws: float, games: int, seed: int
) -> Encounters:
    """So many games of everybody against everybody, on either side."""
    rng = np.random.default_rng(seed)
    return {
        (a, b): Games(
            *map(
                int, rng.multinomial(games, chances(strengths[a] - strengths[b] + advantage, draws))
            )
        )
        for a, b in itertools.permutations(strengths, 2)
    }


def summary(listed: RatingList) -> list[float]:
    return [
        *(rating.elo.value for rating in sorted(listed.ratings, key=lambda r: r.player)),
        *(rating.elo.error for rating in sorted(listed.ratings, key=lambda r: r.player)),
        listed.advantage.value,
        listed.advantage.error,
        listed.draw_rate.value,
    ]


# ---------------------------------------------------------------------- counting


def test_single_games_are_added_up_by_who_moved_first() -> None:
    results = [("a", "b", 1), ("b", "a", 0.5), ("a", "b", 0), ("a", "b", 1)]
    assert tally(results) == {
        ("a", "b"): Games(wins=2, losses=1),
        ("b", "a"): Games(draws=1),
    }


def test_points_that_no_game_gives_are_refused() -> None:
    with pytest.raises(Unsupported, match=r"expected 0, 0\.5 or 1"):
        tally([("a", "b", 3)])


def test_games_and_points_are_counted_on_both_sides() -> None:
    listed = rate({("a", "b"): Games(3, 2, 1), ("b", "a"): Games(1, 1, 0), ("c", "a"): Games(1)})
    assert [(listed[name].games, listed[name].points) for name in "abc"] == [
        (9, 4.5),
        (8, 3.5),
        (1, 1.0),
    ]


# ---------------------------------------------------------------------- the maximum


def log_posterior(values: np.ndarray, players: list[str], encounters: Encounters) -> float:
    """The docstring of the module as a formula: the games, then the prior."""
    *strengths, advantage, draws = values
    strength = dict(zip(players, strengths, strict=True))
    height = 0.0
    for (a, b), games in encounters.items():
        logs = np.log(chances(strength[a] - strength[b] + advantage, draws))
        height += float(logs @ [games.wins, games.draws, games.losses])
    for value in (*strengths, advantage):
        height -= value**2 / 8  # a normal distribution of deviation 2
    rate = math.exp(draws) / (2 + math.exp(draws))
    return height + 0.5 * math.log(rate) + 0.5 * math.log(1 - rate)


@often
@given(tournaments)
def test_the_slope_is_zero_at_the_fit_and_the_bend_is_the_inverse_covariance(
    encounters: Encounters,
) -> None:
    listed = rate(encounters, ["ann", "eve"])
    players = [rating.player for rating in listed.ratings]

    def height(shift: np.ndarray) -> float:
        return log_posterior(listed.values + shift, players, encounters)

    size = 1e-3
    steps = size * np.eye(len(listed.values))
    slope = [(height(a) - height(-a)) / (2 * size) for a in steps]
    bend = [
        [
            (height(a + b) - height(a - b) - height(b - a) + height(-a - b)) / (4 * size**2)
            for b in steps
        ]
        for a in steps
    ]
    assert slope == pytest.approx([0] * len(slope), abs=1e-4)
    assert -np.array(bend) @ listed.covariance == pytest.approx(np.eye(len(slope)), abs=1e-3)


@often
@given(tournaments)
def test_no_values_nearby_are_likelier(encounters: Encounters) -> None:
    listed = rate(encounters, ["ann"])
    players = [rating.player for rating in listed.ratings]
    best = log_posterior(listed.values, players, encounters)
    for shift in np.random.default_rng(3).normal(0, 0.3, (10, len(listed.values))):
        assert log_posterior(listed.values + shift, players, encounters) < best


def test_what_was_seen_is_what_is_expected_when_the_prior_is_small() -> None:
    encounters = simulate({"a": 0.5, "b": 0.0, "c": -0.7}, 0.3, -0.4, 100, seed=1)
    listed = rate(encounters, prior_games=1e-4)
    expected = {
        pair: games.number * np.array(listed.chances(*pair)) for pair, games in encounters.items()
    }
    for name in "abc":
        points = 0.0
        for (first, second), (win, draw, loss) in expected.items():
            points += (first == name) * (win + draw / 2) + (second == name) * (loss + draw / 2)
        assert points == pytest.approx(listed[name].points, abs=1e-3)
    draws = sum(games.draws for games in encounters.values())
    assert sum(draw for _, draw, _ in expected.values()) == pytest.approx(draws, abs=1e-3)
    lead = sum(games.wins - games.losses for games in encounters.values())
    assert sum(win - loss for win, _, loss in expected.values()) == pytest.approx(lead, abs=1e-3)


# ---------------------------------------------------------------------- against formulas


def test_two_players_without_draws_or_advantage_have_logistic_elo() -> None:
    games = Games(wins=60_000, losses=40_000)
    listed = rate({("a", "b"): games}, anchor="b", with_advantage=False)
    assert listed["a"].elo.value == pytest.approx(ratings.elo(games).value, abs=0.05)
    assert listed["a"].elo.error == pytest.approx(ratings.elo(games).error, rel=0.01)
    assert listed.superiority("a", "b") == pytest.approx(1)


@pytest.mark.parametrize("games", [Games(136, 111, 96), Games(10, 500, 1), Games(500, 300, 20)])
def test_two_players_with_draws_have_logistic_elo_too(games: Games) -> None:
    listed = rate({("a", "b"): games}, anchor="b", with_advantage=False, prior_games=1e-4)
    assert listed["a"].elo.value == pytest.approx(ratings.elo(games).value, abs=0.01)
    assert listed["a"].elo.error == pytest.approx(ratings.elo(games).error, rel=0.01)
    assert listed.draw_rate.value == pytest.approx(
        games.draws / (games.draws + 2 * math.sqrt(games.wins * games.losses)), abs=1e-4
    )


def test_superiority_of_two_players_is_that_of_their_match() -> None:
    games = Games(wins=136, draws=111, losses=96)
    listed = rate({("a", "b"): games}, with_advantage=False)
    superiority = ratings.likelihood_of_superiority(games)
    assert listed.superiority("a", "b") == pytest.approx(superiority, abs=0.001)


def test_who_draws_much_and_never_loses_still_has_its_elo() -> None:
    games = Games(wins=100, draws=500)
    listed = rate({("a", "b"): games, ("b", "a"): games.swapped()}, anchor="b")
    assert listed["a"].elo.value == pytest.approx(elo_from_score(7 / 12), rel=0.05)


def test_advantage_and_draw_rate_of_equals() -> None:
    games = Games(wins=5000, draws=2000, losses=3000)
    listed = rate({("a", "b"): games, ("b", "a"): games})
    assert listed["a"].elo.value == pytest.approx(0, abs=1e-6)
    assert listed.advantage.value == pytest.approx(elo_from_score(0.6), abs=0.05)
    assert listed.advantage.error == pytest.approx(ratings.elo(games + games).error, rel=0.01)
    assert listed.draw_rate.value == pytest.approx(0.2, abs=0.001)
    assert listed.draw_rate.error == pytest.approx(1.96 * math.sqrt(0.2 * 0.8 / 20000), rel=0.01)
    assert listed.chances("a", "b") == pytest.approx((0.5, 0.2, 0.3), abs=1e-3)


def test_the_prior_is_worth_what_it_says() -> None:
    # One player at 75 % against many who are surely average is pulled in by about 250 / N Elo.
    crowd = {f"p{i:02}": 0.0 for i in range(30)}
    encounters = simulate(crowd, 0, -20, 2000, seed=8)
    encounters |= {("hero", name): Games(wins=9, losses=3) for name in crowd}
    weak, strong = (
        rate(encounters, prior_games=games, with_advantage=False)["hero"].elo.value
        for games in (1e-4, 1.0)
    )
    assert (weak - strong) * 12 * len(crowd) == pytest.approx(250, rel=0.05)


# ---------------------------------------------------------------------- gauge


def test_zero_is_the_mean_strength_by_games_played() -> None:
    encounters = {("a", "b"): Games(5, 2, 3), ("c", "b"): Games(wins=1), ("c", "c"): Games(9)}
    listed = rate(encounters)
    strength = {
        rating.player: listed.values[listed.place(rating.player)] for rating in listed.ratings
    }
    mean = (10 * strength["a"] + 11 * strength["b"] + strength["c"]) / 22
    for name in "abc":
        expected = elo_of(strength[name] - mean, listed.values[-1])
        assert listed[name].elo.value == pytest.approx(expected)


def test_a_tournament_of_equal_parts_has_mean_elo_near_zero() -> None:
    listed = rate(simulate({"a": 0.5, "b": 0.0, "c": -0.7}, 0.3, -0.4, 20, seed=2))
    assert sum(rating.elo.value for rating in listed.ratings) == pytest.approx(0, abs=1)


def test_a_newcomer_does_not_make_the_others_uncertain() -> None:
    games = {("a", "b"): Games(60, 0, 40), ("b", "a"): Games(40, 0, 60)}
    before, after = rate(games), rate(games, ["idle"])
    assert after["a"].elo == before["a"].elo
    late = rate(games | {("b", "late"): Games(draws=1)})
    assert late["a"].elo.error == pytest.approx(before["a"].elo.error, rel=0.1)
    assert late["late"].elo.error > 10 * before["a"].elo.error


def test_an_anchor_is_zero_and_sure_and_keeps_distances() -> None:
    encounters = simulate({"a": 0.5, "b": 0.0, "c": -0.7}, 0.3, -0.4, 20, seed=2)
    free, anchored = rate(encounters), rate(encounters, anchor="c")
    assert anchored["c"].elo == ratings.Estimate(0, 0, 0)
    distance = free["a"].elo.value - free["c"].elo.value
    assert anchored["a"].elo.value == pytest.approx(distance, rel=0.02)
    assert anchored["a"].elo.error > free["a"].elo.error
    assert anchored.superiority("a", "b") == pytest.approx(free.superiority("a", "b"))


def test_the_error_of_a_distance_is_that_of_a_direct_match() -> None:
    # Between two players, the mean is half way: the anchor carries twice the error.
    games = Games(wins=30, draws=20, losses=25)
    free, anchored = rate({("a", "b"): games}), rate({("a", "b"): games}, anchor="b")
    assert anchored["a"].elo.error == pytest.approx(2 * free["a"].elo.error, rel=0.01)


@pytest.mark.parametrize("anchor", [None, "c"])
def test_intervals_follow_from_the_covariance_of_all_values(anchor: str | None) -> None:
    # Far from equal, with an advantage, and few games: the uncertain draw rate matters too.
    encounters = simulate({"a": 1.5, "b": 0.0, "c": -1.5}, 1.5, 0.5, 10, seed=3)
    listed = rate(encounters, anchor=anchor)
    origin = np.ones(3) / 3 if anchor is None else np.eye(3)[listed.place("c")]

    def shown(values: np.ndarray) -> np.ndarray:
        strengths, advantage, draws = values[:3], values[3], values[4]
        leads = [*strengths - origin @ strengths, advantage]
        odds = draws - math.log(2 * math.cosh(advantage / 2))
        return np.array([*(elo_of(lead, draws) for lead in leads), odds])

    slopes = [
        (shown(listed.values + e) - shown(listed.values - e)) / 2e-5 for e in 1e-5 * np.eye(5)
    ]
    spread = np.transpose(slopes) @ listed.covariance @ slopes
    *errors, of_odds = 1.959964 * np.sqrt(np.maximum(np.diag(spread), 0))
    seen = [*(rating.elo for rating in listed.ratings), listed.advantage]
    assert [estimate.value for estimate in seen] == pytest.approx(
        shown(listed.values)[:-1].tolist()
    )
    assert [estimate.error for estimate in seen] == pytest.approx(errors, rel=1e-4, abs=1e-4)
    ends = listed.draw_rate.low, listed.draw_rate.value, listed.draw_rate.high
    odds = [math.log(share / (1 - share)) for share in ends]
    assert np.diff(odds) == pytest.approx([of_odds, of_odds], rel=1e-4)


# ---------------------------------------------------------------------- symmetries


@often
@given(st.permutations(range(6)))
def test_the_order_of_the_input_is_irrelevant(order: list[int]) -> None:
    items = list(simulate({"a": 0.5, "b": 0.0, "c": -0.7}, 0.3, -0.4, 10, seed=4).items())
    shuffled = rate(dict(items[i] for i in order))
    assert shuffled.ratings == rate(dict(items)).ratings
    assert shuffled.advantage == rate(dict(items)).advantage


@often
@given(tournaments)
def test_exchanging_the_sides_of_all_games_flips_the_advantage(encounters: Encounters) -> None:
    exchanged = {(b, a): games.swapped() for (a, b), games in encounters.items()}
    before, after = rate(encounters), rate(exchanged)
    assert after.advantage.value == pytest.approx(-before.advantage.value, abs=1e-6)
    assert after.advantage.error == pytest.approx(before.advantage.error)
    assert after.draw_rate.value == pytest.approx(before.draw_rate.value)
    for rating in before.ratings:
        assert after[rating.player].elo.value == pytest.approx(rating.elo.value, abs=1e-6)


@often
@given(tournaments)
def test_reversing_all_results_turns_the_list_around(encounters: Encounters) -> None:
    reversed_ = {pair: games.swapped() for pair, games in encounters.items()}
    before, after = rate(encounters), rate(reversed_)
    for rating in before.ratings:
        assert after[rating.player].elo.value == pytest.approx(-rating.elo.value, abs=1e-6)
    for a, b in itertools.product([rating.player for rating in before.ratings], repeat=2):
        assert after.superiority(b, a) == pytest.approx(before.superiority(a, b))


@often
@given(tournaments)
def test_superiorities_of_both_players_add_up_to_one(encounters: Encounters) -> None:
    listed = rate(encounters, ["ann"])
    matrix = listed.superiorities()
    assert matrix + matrix.T == pytest.approx(np.ones_like(matrix))
    best, worst = listed.ratings[0].player, listed.ratings[-1].player
    assert listed.superiority(best, worst) == matrix[0, -1] >= 0.5


# ---------------------------------------------------------------------- recovery

TRUTH = {"a": 0.9, "b": 0.4, "c": 0.0, "d": -0.4, "e": -0.9}
ADVANTAGE, DRAWS = 0.35, -0.3


def test_known_parameters_are_recovered() -> None:
    listed = rate(simulate(TRUTH, ADVANTAGE, DRAWS, 20_000, seed=6))
    assert [rating.player for rating in listed.ratings] == list("abcde")
    for name, strength in TRUTH.items():
        assert listed[name].elo.value == pytest.approx(elo_of(strength, DRAWS), abs=3)
    assert listed.advantage.value == pytest.approx(elo_of(ADVANTAGE, DRAWS), abs=2)
    assert listed.draw_rate.value == pytest.approx(chances(ADVANTAGE, DRAWS)[1], abs=0.01)


def test_intervals_hold_the_truth_in_95_of_100_tournaments() -> None:
    tournaments, advantage = 300, elo_of(ADVANTAGE, DRAWS)
    held = {"ratings": 0, "advantage": 0, "draws": 0}
    for seed in range(tournaments):
        listed = rate(simulate(TRUTH, ADVANTAGE, DRAWS, 15, seed))
        for name, strength in TRUTH.items():
            interval = listed[name].elo
            held["ratings"] += interval.low <= elo_of(strength, DRAWS) <= interval.high
        held["advantage"] += listed.advantage.low <= advantage <= listed.advantage.high
        rate_of_equals = chances(ADVANTAGE, DRAWS)[1]
        held["draws"] += listed.draw_rate.low <= rate_of_equals <= listed.draw_rate.high
    assert held["ratings"] / (5 * tournaments) == pytest.approx(0.95, abs=0.025)
    assert held["advantage"] / tournaments == pytest.approx(0.95, abs=0.035)
    assert held["draws"] / tournaments == pytest.approx(0.95, abs=0.035)


def test_superiority_is_as_often_right_as_it_says() -> None:
    # Between equals, a claim of 90 % or more for one of them should be made in one case of ten.
    claims = [
        rate(simulate({"a": 0.0, "b": 0.0}, ADVANTAGE, DRAWS, 30, seed)).superiority("a", "b")
        for seed in range(400)
    ]
    assert sum(claim > 0.9 or claim < 0.1 for claim in claims) / 400 == pytest.approx(0.2, abs=0.06)


# ---------------------------------------------------------------------- little or strange data


def test_all_draws_leave_all_players_equal() -> None:
    drawn = Games(draws=20)
    listed = rate({("a", "b"): drawn, ("b", "c"): drawn, ("c", "a"): drawn})
    assert [rating.elo.value for rating in listed.ratings] == pytest.approx([0, 0, 0], abs=1e-6)
    assert 0.95 < listed.draw_rate.value < 1
    assert listed.draw_rate.low < listed.draw_rate.value < listed.draw_rate.high < 1


def test_a_perfect_score_is_finite_and_grows_with_the_games() -> None:
    def perfect(games: int) -> RatingList:
        return rate({("a", "b"): Games(wins=games), ("b", "a"): Games(losses=games)}, anchor="b")

    values = [perfect(games)["a"].elo.value for games in (1, 10, 100, 1000, 10**6)]
    assert values == sorted(values)
    assert 300 < values[1] < 1000
    assert math.isfinite(values[-1])
    assert perfect(10).superiority("a", "b") > 0.95


def test_the_first_mover_always_wins() -> None:
    listed = rate({("a", "b"): Games(wins=30), ("b", "a"): Games(wins=30)})
    assert listed["a"].elo.value == pytest.approx(0, abs=1e-6)
    assert 300 < listed.advantage.value < 2000
    assert listed.advantage.low > 0


def test_without_an_advantage_both_sides_are_equal() -> None:
    listed = rate({("a", "b"): Games(30, 10, 10)}, with_advantage=False)
    win, draw, loss = listed.chances("a", "b")
    assert listed.advantage == ratings.Estimate(0, 0, 0)
    assert listed.chances("b", "a") == pytest.approx((loss, draw, win))
    assert listed["a"].elo.value > rate({("a", "b"): Games(30, 10, 10)})["a"].elo.value > 0


def test_a_player_without_games_is_average_and_very_unsure() -> None:
    listed = rate({("a", "b"): Games(60, 0, 40), ("b", "a"): Games(40, 0, 60)}, ["idle"])
    idle = listed["idle"]
    assert (idle.games, idle.points) == (0, 0)
    assert idle.elo.value == pytest.approx(0, abs=1e-3)
    assert idle.elo.error > 300
    assert not listed.is_connected
    assert listed.groups == (("a", "b"), ("idle",))
    assert listed.superiority("a", "idle") == pytest.approx(0.5, abs=0.1)


def test_groups_that_never_met_are_reported_and_tied_by_the_prior() -> None:
    games = Games(wins=300, losses=100)
    encounters = {("a", "b"): games, ("d", "c"): games.swapped(), ("e", "d"): Games(1)}
    listed = rate(encounters, with_advantage=False)
    assert listed.groups == (("c", "d", "e"), ("a", "b"))
    assert listed.superiority("a", "b") > 0.999
    assert 0.2 < listed.superiority("a", "c") < 0.8
    assert not listed.is_connected
    assert rate(encounters | {("a", "c"): Games(draws=1)}).is_connected


def test_games_against_oneself_tell_the_advantage_only() -> None:
    listed = rate(
        {("a", "a"): Games(700, 100, 200), ("a", "b"): Games(), ("b", "c"): Games(draws=1)}
    )
    assert listed["a"].elo.value == pytest.approx(0, abs=5)
    assert listed["a"].elo.error > 200
    assert listed.advantage.low > 100
    assert listed.groups == (("b", "c"), ("a",))


def test_nobody_at_all() -> None:
    listed = rate({})
    assert listed.ratings == ()
    assert listed.is_connected
    assert listed.superiorities().size == 0


def test_one_player_alone() -> None:
    listed = rate({}, ["a"])
    assert listed["a"].elo.value == 0
    assert listed.superiority("a", "a") == 0.5


@pytest.mark.parametrize("wins", [10**6, 10**9])
def test_very_many_games_are_no_trouble(wins: int) -> None:
    games = Games(wins, wins // 2, wins // 4)
    encounters = {("a", "b"): games, ("b", "a"): games.swapped(), ("b", "c"): Games(wins)}
    listed = rate(encounters, anchor="b")
    assert listed["a"].elo.value == pytest.approx(elo_from_score(5 / 7), rel=0.001)
    assert -5000 < listed["c"].elo.value < -500


def test_a_hundred_players() -> None:
    strengths = {f"p{i:02}": 2 - i / 25 for i in range(100)}
    listed = rate(simulate(strengths, ADVANTAGE, DRAWS, 2, seed=9))
    order = [rating.player for rating in listed.ratings]
    misplaced = [abs(place - int(name[1:])) for place, name in enumerate(order)]
    assert len(order) == 100
    assert sum(misplaced) / 100 < 5
    assert listed.superiority("p00", "p99") > 0.9999


# ---------------------------------------------------------------------- refusals


def test_unknown_players_are_refused_with_the_nearest_name() -> None:
    encounters = {("minimax", "uct"): Games(1)}
    with pytest.raises(Unsupported, match="did you mean minimax"):
        rate(encounters, anchor="minmax")
    with pytest.raises(Unsupported, match="did you mean minimax"):
        rate(encounters).superiority("uct", "minmax")
    with pytest.raises(Unsupported, match="did you mean minimax"):
        rate(encounters)["minmax"]


@pytest.mark.parametrize("games", [0, -1, 1e-5, math.inf, math.nan])
def test_a_prior_that_is_no_number_of_games_is_refused(games: float) -> None:
    with pytest.raises(Unsupported, match=r"expected 0\.0001 or more"):
        rate({("a", "b"): Games(1)}, prior_games=games)


def test_the_smallest_prior_still_holds_a_perfect_score() -> None:
    encounters = {("a", "b"): Games(10), ("b", "a"): Games(losses=10), ("c", "c"): Games(draws=5)}
    listed = rate(encounters, ["idle"], prior_games=1e-4)
    assert [rating.player for rating in listed.ratings] == ["a", "c", "idle", "b"]
    assert all(0 < rating.elo.error < math.inf for rating in listed.ratings)


def test_steps_that_lead_too_far_are_shortened() -> None:
    # Full Newton steps run away on this one.
    encounters = {("b", "a"): Games(losses=2039), ("a", "a"): Games(losses=337_374)}
    encounters["a", "b"] = Games(draws=2, losses=4)
    listed = rate(encounters, prior_games=0.01)
    draws = sum(games.number * listed.chances(*pair)[1] for pair, games in encounters.items())
    assert draws == pytest.approx(2, abs=0.02)
    assert listed.advantage.value < -1000


def test_a_climb_without_a_summit_is_given_up() -> None:
    def slope_without_end(values: np.ndarray) -> _Point:
        return _Point(float(values.sum()), np.ones(2), np.eye(2))

    with pytest.raises(ArithmeticError, match="within 100 steps"):
        _climb(slope_without_end, np.zeros(2), [0, 1])
