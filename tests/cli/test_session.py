"""The game under way, without a face."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.cli import saved_game
from plyground.cli.common import load
from plyground.cli.session import Session
from plyground.core.errors import InputError, Unsupported
from plyground.kernel import plain_python
from plyground.players.spec import Choice, Forfeit, Player, Turn

PEOPLE = ("human", "human")


def session(
    game: str = "tictactoe",
    texts: tuple[str, str] = PEOPLE,
    moves: str | None = None,
    **settings: int,
) -> Session:
    chosen = [f"{name}={value}" for name, value in settings.items()]
    begun = load(game, chosen, None, moves)
    saved = saved_game.SavedGame(game, dict(begun.settings), None, begun.moves, texts, 7, 2.5)
    return Session(saved, begun)


def play(under_way: Session, *texts: str) -> None:
    for text in texts:
        under_way.push(under_way.game.parse_move(under_way.position.state, text))


def position(under_way: Session) -> str:
    return under_way.game.format_position(under_way.position.state)


class Watcher(Player):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def watch(self, turn: Turn) -> None:
        self.turns.append(turn)


# ------------------------------------------------------------------ moves


def test_a_player_is_asked_with_all_that_was_played():
    under_way = session(moves="a1 b1")
    play(under_way, "c1")
    turn = under_way.turn
    assert (turn.position.codes, turn.side, turn.seed, turn.time_s) == ((0, 1, 2), 1, 7, 2.5)
    assert turn.state == turn.game.replay(turn.position.start, turn.position.codes)


def test_the_last_move_is_known_by_its_cells():
    under_way = session()
    assert under_way.position.last_cells == ()
    play(under_way, "a1", "b2")
    assert under_way.position.last_cells == (4,)


def test_undo_between_people_takes_one_move_back():
    under_way = session()
    play(under_way, "a1", "b2")
    assert under_way.undo()
    assert position(under_way) == "X--/---/---"


def test_undo_against_a_machine_goes_back_to_the_persons_choice():
    under_way = session(texts=("human", "random"))
    play(under_way, "a1", "b2")
    assert under_way.undo()
    assert position(under_way) == "---/---/---"


def test_undo_of_a_machines_first_move_is_impossible():
    under_way = session(texts=("random", "human"))
    play(under_way, "a1")
    assert not under_way.undo()
    assert position(under_way) == "X--/---/---"


def test_undo_goes_back_beyond_a_forced_pass():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    under_way = session("othello", size=4)
    play(under_way, "b1", "c1", "d3", "a1")
    before = under_way.turn
    under_way.push(under_way.position.implied_code)
    assert under_way.undo()
    assert under_way.turn.position.codes == before.position.codes[:-1]


def test_a_forced_pass_is_the_only_forced_move():
    under_way = session("othello", size=4)
    play(under_way, "b1", "c1", "d3")
    assert under_way.position.implied_code is None
    play(under_way, "a1")
    assert under_way.position.write_move(under_way.position.implied_code) == "pass"


# ------------------------------------------------------------------ ends


def test_a_legal_answer_is_played():
    under_way = session(texts=("random", "random"))
    assert under_way.accept(Choice(4))
    assert position(under_way) == "---/-X-/---"
    assert not under_way.is_finished


@pytest.mark.parametrize("move, name", [(4, "b2"), (-1, "."), (10**6, ".")])
def test_an_illegal_answer_loses_the_game(move, name):
    under_way = session(texts=("random", "random"), moves="b2")
    assert not under_way.accept(Choice(move))
    assert under_way.is_finished
    assert under_way.loss.side == 1
    assert "is not a legal move" in under_way.loss.reason
    assert name in under_way.loss.reason or name == "."
    assert position(under_way) == "---/-X-/---"


def test_who_resigns_has_lost():
    under_way = session(moves="b2")
    under_way.resign()
    assert under_way.is_finished
    assert (under_way.loss.side, under_way.saved().resigned) == (1, "second")


def test_a_player_that_cannot_begin_is_refused():
    class Broken(Player):
        def begin(self) -> None:
            raise Forfeit("it does not start")

    under_way = session()
    under_way.players = (under_way.players[0], Broken())
    with pytest.raises(Unsupported, match="it does not start"):
        under_way.begin()
    assert under_way.loss is None


# ------------------------------------------------------------------ players


@pytest.mark.parametrize(
    "text", ["nobody", "human:depth=3", "alphabeta:depth=0", "random-start(then=human)", ":", ""]
)
def test_a_player_that_cannot_be_seated_is_refused(text):
    with pytest.raises(InputError):
        session(texts=("human", text))


@pytest.mark.parametrize("text", ["human", " Human ", "HUMAN"])
def test_a_person_may_be_written_in_any_case(text):
    assert session(texts=(text, "random")).people == 1


def test_the_player_that_waits_is_told_once_in_each_turn():
    under_way, watcher = session(), Watcher()
    under_way.players = (under_way.players[0], watcher)
    under_way.watch()
    under_way.watch()
    play(under_way, "a1", "b1")
    under_way.watch()
    assert [turn.position.codes for turn in watcher.turns] == [(), (0, 1)]


def test_a_turn_that_was_taken_back_to_is_told_again():
    under_way, watcher = session(texts=("human", "random")), Watcher()
    under_way.players = (under_way.players[0], watcher)
    under_way.watch()
    play(under_way, "a1", "b1")
    under_way.undo()
    under_way.watch()
    assert [turn.position.codes for turn in watcher.turns] == [(), ()]


@pytest.mark.parametrize(
    "text",
    [
        "alphabeta:depth=1,ponder=yes",
        "alphabeta:depth=1,ponder=yes,noise=1%",
        "random-start(moves=1,then=alphabeta:depth=1,ponder=yes)",
    ],
)
def test_pondering_is_found_inside_other_players(text):
    under_way = session(texts=("human", text))
    inside = under_way.players[1]
    while not hasattr(inside, "hits"):
        inside = inside.then
    inside.hits, inside.misses = 3, 2
    assert under_way.pondered(1) == (3, 2)
    assert under_way.pondered(0) == (0, 0)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "kalah", "double-card", "synthetic"])
def test_a_hint_is_a_legal_move(game, monkeypatch):
    monkeypatch.setattr(
        "plyground.players.hints.SEARCH", "abmemory:nodes=300,order=all,memory=64KB"
    )
    under_way = session(game)
    with plain_python():
        choice = under_way.hint()
    assert choice.move in under_way.game.legal(under_way.position.state)
    assert choice.line[0] == choice.move


def test_a_hint_sees_the_win():
    """X on a1 and a2, to move: a3."""
    under_way = session(moves="a1 b1 a2 b2")
    with plain_python():
        assert under_way.position.write_move(under_way.hint().move) == "a3"


def test_a_hint_changes_nothing():
    under_way = session(texts=("human", "random"), moves="a1 b1 a2 b2")
    before = under_way.turn
    with plain_python():
        under_way.hint()
    assert under_way.turn is before
    assert saved_game.unfinished_games() == []


# ------------------------------------------------------------------ the file


def kept(under_way: Session) -> saved_game.SavedGame:
    (path,) = saved_game.unfinished_games()
    assert path == under_way.file
    return saved_game.read(path)


def test_a_game_without_a_move_is_not_kept():
    session(moves="a1").save()
    assert saved_game.unfinished_games() == []


def test_a_game_is_kept_after_a_move_and_after_an_undo():
    under_way = session(texts=("human", "human"))
    play(under_way, "a1", "b1")
    under_way.save()
    assert kept(under_way) == under_way.saved()
    assert kept(under_way).moves == ("a1", "b1")
    under_way.undo()
    under_way.save()
    assert kept(under_way).moves == ("a1",)


def test_a_kept_game_tells_all_it_takes_to_go_on():
    under_way = session("othello", ("human", "alphabeta:depth=3"), size=6)
    play(under_way, "b3")
    under_way.save()
    assert kept(under_way) == saved_game.SavedGame(
        "othello", {"size": 6}, None, ("b3",), ("human", "alphabeta:depth=3"), 7, 2.5
    )


@pytest.mark.parametrize("how", ["won", "resigned", "forfeited"])
def test_the_file_of_a_finished_game_goes(how):
    under_way = session()
    play(under_way, "a1", "b1", "a2", "b2")
    under_way.save()
    assert len(saved_game.unfinished_games()) == 1
    if how == "won":
        play(under_way, "a3")
    elif how == "resigned":
        under_way.resign()
    else:
        under_way.forfeit(0, "no reason")
    under_way.save()
    assert saved_game.unfinished_games() == []
    assert under_way.file is None


def test_a_resignation_is_written_before_the_file_goes(monkeypatch):
    """Killed between the two, the game is still over."""
    under_way = session()
    play(under_way, "a1")
    under_way.save()
    under_way.resign()
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    under_way.save()
    assert saved_game.read(saved_game.unfinished_games()[0]).resigned == "second"
    assert saved_game.last_unfinished() is None
