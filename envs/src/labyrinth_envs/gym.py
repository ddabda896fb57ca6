"""The worlds as Gymnasium environments. Importing this module registers each as `labyrinth/…-v0` (`NAMES`).

    import gymnasium
    import labyrinth_envs.gym

    env = gymnasium.make("labyrinth/TreasureHunt-v0", rooms=12, seed=3)

The parameters of `gymnasium.make` are those of the world and choose the game. A world runs in the process that made it.
"""

from __future__ import annotations

import re
import string
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.protocol import MAX_ACTION_BYTES
from labyrinth_envs.world import Turn, World, WorldError
from labyrinth_envs.worlds import WORLDS, load_world

NAMES: dict[str, str] = {
    "alfworld": "ALFWorld",
    "babyai": "BabyAI",
    "babyai/sized": "BabyAISized",
    "scienceworld": "ScienceWorld",
    "nethack": "NetHack",
    "textworld/hunt": "TreasureHuntMedium",
    "textworld/hunt-hard": "TreasureHuntHard",
    "textworld/hunt-hardest": "TreasureHuntHardest",
    "textworld/long-hunt": "TreasureHunt",
    "textworld/cleaning": "Cleaning",
    "textworld/long-cleaning": "LongCleaning",
    "textworld/cooking": "Cooking",
    "textworld/cooking-hard": "CookingHard",
    "textworld/cooking-hardest": "CookingHardest",
    "textworld/rl-benchmark": "CookingBenchmark",
    "textworld/file": "TextWorldFile",
    "textworld-express": "TextWorldExpress",
    "jericho": "Jericho",
    "minihack": "MiniHack",
}
"""World id → name of its environment, without namespace and version."""
NAMES = {id: NAMES.get(id) or "".join(part.capitalize() for part in re.split(r"\W", id)) for id in WORLDS}

MAX_TEXT = 1 << 20
"""Characters that an observation may have."""


class AnyText(Text):
    """Texts up to a length, of any characters; samples are of printable ASCII."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=string.ascii_letters + string.digits + " .,-'")

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string that is short enough."""
        return isinstance(x, str) and len(x) <= self.max_length


class WorldEnv(gymnasium.Env[str, str]):
    """A world of Labyrinth: observations and actions are text, and the reward of a step is the score that it adds.

    `info` holds `goal`, `score` and `max_score` in the world's own units, `valid_actions` (None where text is free),
    `sections`, `end` (`won`, `lost`, `limit` or None), and `image` (PNG) where the world draws one. An action that the
    world refuses changes nothing: `info["refused"]` says why. `terminated` is a win or a loss, `truncated` the limit of
    steps. The ground truth is in no observation: graders call `env.unwrapped.truth()`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, world: str, render_mode: str | None = None, valid_actions: bool = True, **parameters: object
    ) -> None:
        """Opens a world.

        Args:
            world: its id in Labyrinth.
            render_mode: `ansi`, or None.
            valid_actions: whether `info` lists them, which may cost as much as a step.
            parameters: those of the world; omitted ones take their defaults.

        Raises:
            WorldError: unknown world or parameter, a value out of range, a package that is not installed.
        """
        self.render_mode = render_mode
        self.action_space = AnyText(MAX_ACTION_BYTES // 4)
        self.observation_space = AnyText(MAX_TEXT)
        self._id, self._lists_actions, self._parameters = world, valid_actions, parameters
        self._world: World | None = self._open(parameters)
        self._turn: Turn | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Starts the episode again.

        Args:
            seed: seeds `np_random` only: a world draws nothing after it was opened.
            options: parameters to change: another game is opened, as with `{"seed": 4}`.
        """
        super().reset(seed=seed)
        if options:
            self.close()
            self._world = self._open(self._parameters | options)
            self._parameters = self._parameters | options
        self._world = self._world or self._open(self._parameters)
        self._turn = self._world.reset()
        return self._turn.observation, self._info(self._turn)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Takes one action.

        Raises:
            WorldError: `ended` after the end of the episode, `out-of-order` before a reset.
        """
        if self._world is None or self._turn is None:
            raise WorldError("out-of-order", "cannot step: the episode has not begun; call reset first")
        before, refused = self._turn, None
        try:
            self._turn = self._world.step(action)
        except WorldError as error:
            if error.code != "bad-action":
                raise
            refused = error.message
        turn = self._turn
        info = self._info(turn) | ({} if refused is None else {"refused": refused})
        return turn.observation, turn.score - before.score, turn.end in ("won", "lost"), turn.end == "limit", info

    def render(self) -> str | None:  # type: ignore[override]
        """The last observation, with `render_mode="ansi"`."""
        return self._turn.observation if self.render_mode == "ansi" and self._turn is not None else None

    def truth(self) -> dict[str, object]:
        """The ground truth for graders, in the world's own form; an agent must not see it."""
        if self._world is None or self._turn is None:
            raise WorldError("out-of-order", "cannot read the ground truth: call reset first")
        return self._world.truth()

    def close(self) -> None:
        """Closes the world; a later reset opens it again."""
        world, self._world, self._turn = self._world, None, None
        if world is not None:
            world.close()

    def _open(self, parameters: dict[str, object]) -> World:
        if self._id not in WORLDS:
            raise WorldError("unknown-world", f'unknown world "{self._id}"; there are {", ".join(sorted(WORLDS))}')
        cls = load_world(self._id, WORLDS[self._id])
        return cls(check_parameters(self._id, cls.Parameters, parameters))

    def _info(self, turn: Turn) -> dict[str, Any]:
        assert self._world is not None
        info: dict[str, Any] = {
            "goal": turn.goal,
            "score": turn.score,
            "max_score": turn.max_score,
            "end": turn.end,
            "sections": turn.sections,
            "valid_actions": self._world.valid_actions() if self._lists_actions else None,
        }
        return info if turn.image is None else info | {"image": turn.image}


def register() -> None:
    """Registers every world, once."""
    for world, name in NAMES.items():
        id = f"labyrinth/{name}-v0"
        if id not in gymnasium.registry:
            gymnasium.register(id, entry_point=f"{__name__}:WorldEnv", kwargs={"world": world}, nondeterministic=False)


register()
