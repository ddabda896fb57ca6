"""A task of MiniHack as a game of NLE, whose level the package compiles with NLE's own compiler of levels."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from labyrinth_envs.nethack.screen import OPTIONS, Game
from labyrinth_envs.world import WorldError


class TaskGame(Game):
    """A game that a task's reward ends."""

    has_task = True

    def __init__(self, task: str, seed: int) -> None:
        """Compiles the level of a task, named without `MiniHack-` and version.

        Raises `WorldError("internal")` where the level cannot be compiled: NLE would play its own dungeon instead.
        """
        super().__init__(seed, _load(task), options=(*OPTIONS, "pettype:none"))
        if Path(self._env.nethack._vardir, "nhdat").is_symlink():
            self.close()
            raise WorldError(
                "internal",
                f"Cannot open minihack: the level {task} was not compiled; see that bash and cp are on the PATH,"
                " remove .lab/ready and run ./lab to install the packages again",
            )


def _load(task: str) -> type[Any]:
    """The task's class, played by single keys: its own steps, which press several, are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its way of finding its own folder is deprecated
        import minihack  # here and not above: workers of other worlds have no use for it
    import gymnasium

    made = gymnasium.spec(f"MiniHack-{task}-v0")
    made_by: Any = gymnasium.envs.registration.load_env_creator(str(made.entry_point))

    class Played(made_by):  # type: ignore[misc]
        step = minihack.MiniHack.step

        def __init__(self, **arguments: Any) -> None:
            super().__init__(**made.kwargs, **arguments)

        def _get_observation(self, observation: Any) -> dict[str, Any]:
            flags = observation[self._internal_index][1:4]  # MiniHack observes no `misc`, which holds these three
            return {**super()._get_observation(observation), "misc": flags}

    return Played
