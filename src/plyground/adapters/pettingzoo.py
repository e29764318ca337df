"""Any game of ours as an AEC environment of PettingZoo.

As in PettingZoo's classic games, an observation comes with a mask of the legal actions, and whoever
makes an illegal one loses at once: the lowest reward for it, none for the other, and the game ends.
What actions, observations and rewards are is said in `numbers.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plyground.adapters.numbers import Numbers, begin
from plyground.core.errors import Unsupported
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec, Value
from plyground.matches.one_game import MOST_PLIES

try:
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise Unsupported(
        "this needs PettingZoo, which is not installed: pip install 'plyground[pettingzoo]'"
    ) from None

RENDER_MODES = ["ansi"]


def make_aec_env(
    game: str | GameSpec | type,
    moves: str | Iterable[str] = "",
    *,
    render_mode: str | None = None,
    position: str | None = None,
    margin: bool = True,
    longest: int = MOST_PLIES,
    **settings: Value,
) -> pettingzoo.AECEnv:
    """An environment that begins where `plyground.Position` with the same arguments stands.

    With `margin`, a game that can be won by more or less rewards by how much, else 1, 0 or -1.
    After `longest` moves it is truncated. `render_mode="ansi"` draws the board as text. Raises
    InputError.
    """
    if render_mode not in (None, *RENDER_MODES):
        raise Unsupported(f"render_mode={render_mode!r}: expected None or 'ansi'")
    numbers = begin(game, moves, position, margin, longest, settings)
    env = wrappers.TerminateIllegalWrapper(GameEnv(numbers, render_mode), -numbers.most)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class GameEnv(pettingzoo.AECEnv):
    """A game of ours as an environment, which changes with every step."""

    def __init__(self, numbers: Numbers, render_mode: str | None) -> None:
        super().__init__()
        self.numbers, self.render_mode = numbers, render_mode
        name = f"plyground_{numbers.root.game.name.replace('-', '_')}"
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": False}
        self.possible_agents = ["player_0", "player_1"]
        view = {
            "observation": spaces.Box(0, 1, numbers.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (numbers.actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(view) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(numbers.actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Return to the first position; nothing is random, so a seed changes nothing."""
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._arrive(self.numbers.root)

    def _arrive(self, position: BasePosition) -> None:
        self.position = position
        over, cut = position.is_over, self.numbers.is_cut(position)
        self.rewards = dict(zip(self.agents, self.numbers.returns(position), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.agent_selection = self.agents[position.mover]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._arrive(self.position.play_code(self.numbers.code(self.position, int(action))))
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """The board as the agent sees it; whoever is not to move has no legal action."""
        player = self.possible_agents.index(agent)
        mask = self.numbers.mask(self.position)
        return {
            "observation": self.numbers.observe(self.position, player),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def render(self) -> str | None:
        """The board as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs an environment made with render_mode='ansi'")
            return None
        return str(self.position)

    def close(self) -> None:
        """Nothing is open."""
