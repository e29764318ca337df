"""Any game of ours as a game of OpenSpiel: two players, perfect information, rewards at the end.

Their searches and learners then work on it, at the speed of plain Python. What actions,
observations and returns are is said in `numbers.py`. The game is known to this process only:
`pyspiel.load_game` does not find it, and its states are not serialised.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyground.adapters.numbers import Numbers, begin
from plyground.core.errors import Unsupported
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec, Value
from plyground.matches.one_game import MOST_PLIES

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError:
    raise Unsupported(
        "this needs OpenSpiel, which is not installed: pip install 'plyground[open-spiel]'"
    ) from None


def make_open_spiel_game(
    game: str | GameSpec | type,
    moves: str | Iterable[str] = "",
    *,
    position: str | None = None,
    margin: bool = True,
    longest: int = MOST_PLIES,
    **settings: Value,
) -> pyspiel.Game:
    """A `pyspiel.Game` that begins where `plyground.Position` with the same arguments stands.

    With `margin`, a game that can be won by more or less returns by how much, else 1, 0 or -1.
    After `longest` moves it is a draw. Raises InputError.
    """
    return OpenSpielGame(begin(game, moves, position, margin, longest, settings))


class OpenSpielGame(pyspiel.Game):
    """A game of ours as one of theirs."""

    def __init__(self, numbers: Numbers, params: dict[str, Any] | None = None) -> None:
        game = numbers.root.game
        kind = pyspiel.GameType(
            short_name=f"plyground_{game.name.replace('-', '_')}",
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            default_loadable=False,
        )
        information = pyspiel.GameInfo(
            num_distinct_actions=numbers.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-numbers.most,
            max_utility=numbers.most,
            utility_sum=0.0,
            max_game_length=numbers.longest,
        )
        super().__init__(kind, information, params or {})
        self.numbers = numbers

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An observer of states: of the board or, with perfect recall, of all moves."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.numbers)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class OpenSpielState(pyspiel.State):
    """A position of ours as a state of theirs, which changes as moves are made."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.numbers = game.numbers
        self.position: BasePosition = game.numbers.root

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.numbers.legal(self.position)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play_code(self.numbers.code(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.write_move(self.numbers.code(self.position, action))

    def is_terminal(self) -> bool:
        return self.numbers.is_over(self.position)

    def returns(self) -> list[float]:
        return self.numbers.returns(self.position)

    def __str__(self) -> str:
        """The position in the game's notation: algorithms know states by their text."""
        return self.position.text


class BoardObserver:
    """Writes an observation into a tensor as OpenSpiel wants it: flat, and by name."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        board = numbers.observe(numbers.root, 0)
        self.tensor = board.ravel()
        self.dict = {"observation": self.tensor.reshape(board.shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        self.tensor[:] = self.numbers.observe(state.position, player).ravel()

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return str(state)
