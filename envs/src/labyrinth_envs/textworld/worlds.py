"""The TextWorld worlds of the catalogue: their parameters, and the game behind each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from labyrinth_envs.textworld import cleaning, cooking, files, hunt, long_cleaning
from labyrinth_envs.textworld.base import Play
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.textworld.made import made
from labyrinth_envs.world import Wire, client_path

COOKING_STEPS = 60
STEPS = 150
"""The paper's limits, agent steps."""

_LIMIT = "agent steps until the episode ends"

Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
StepLimit = Annotated[int, Field(ge=1, le=100_000)]


class Made(Wire):
    """Parameters of every game that Labyrinth makes."""

    seed: Seed = Field(default=0, description="0 is the paper's game; any other number draws another one of its kind")
    rename: Seed | None = Field(
        default=None, description="seed of invented words for every room, colour, thing and food"
    )
    step_limit: StepLimit = Field(default=STEPS, alias="stepLimit", description=_LIMIT)


class HuntParameters(Made):
    """Treasure Hunt."""

    rewards: Literal["paper", "game"] = Field(default="paper", description="the treasure counts 1 (paper) or 3 (game)")


class _LongParameters(Made):
    """How long a game of any size is played."""

    step_limit: StepLimit = Field(
        default=100_000, alias="stepLimit", description=_LIMIT + ", if fewer than `effort` allows"
    )
    moves_a_step: Annotated[
        int,
        Field(
            ge=1,
            le=1000,
            alias="movesAStep",
            description="moves that one agent step may take, such as a walk to a known place; the world counts moves,"
            " so its limit is this many times the step limit",
        ),
    ] = 1


class LongHuntParameters(_LongParameters, HuntParameters):
    """A hunt of any size."""

    seed: Seed = Field(default=0, description="draws the game; none is the paper's")
    rooms: Annotated[int, Field(ge=4, le=hunt.MOST_ROOMS, description="rooms; keys and loops follow from them")] = 36
    spare_keys: Annotated[
        int,
        Field(
            ge=0,
            le=20,
            alias="spareKeys",
            description="further keys, each with a note, that open an empty locker",
        ),
    ] = 0
    shuffled_notes: Annotated[
        bool, Field(alias="shuffledNotes", description="notes may be in any locker up to that of their key")
    ] = False
    effort: Annotated[
        float, Field(ge=1, le=100, description="limit of steps, as a multiple of the shortest solution")
    ] = hunt.EFFORT


class LongCleaningParameters(_LongParameters):
    """A house of any size."""

    seed: Seed = Field(default=0, description="draws the house; none is the paper's")
    rooms: Annotated[
        int, Field(ge=4, le=long_cleaning.MOST_ROOMS, description="rooms; furniture and things follow from them")
    ] = 16
    moved_every: Annotated[
        int,
        Field(
            ge=0,
            le=10_000,
            alias="movedEvery",
            description="steps after which somebody moves a misplaced thing; 0: never",
        ),
    ] = 0
    effort: Annotated[float, Field(ge=1, le=100, description="limit of steps, as a multiple of a solution")] = (
        long_cleaning.EFFORT
    )


class CookingParameters(Made):
    """Cooking."""

    step_limit: StepLimit = Field(default=COOKING_STEPS, alias="stepLimit", description=_LIMIT)


class RlParameters(CookingParameters):
    """The RL benchmark."""

    level: Annotated[int, Field(ge=1, le=4, description="level of the benchmark")] = 1
    game: Annotated[int, Field(ge=0, le=2, description="which of the level's three games")] = 0
    open: bool = Field(default=False, description="doors and containers start closed, as in GATA's games")


class FileParameters(Wire):
    """A game file."""

    path: Annotated[str, Field(min_length=1, max_length=4096, description="a .json or .z8 file made with TextWorld")]
    kind: Literal["auto", "hunt", "cleaning", "cooking", "plain"] = Field(
        default="auto", description="whose rules apply"
    )
    rewards: Literal["paper", "game"] = Field(default="paper", description="the paper's rewards or the game's own")
    verbatim: bool = Field(
        default=False,
        description="texts as in the published logs: no added task, nothing trimmed, the game's own text in `raw`",
    )
    rename: Seed | None = Field(
        default=None, description="seed of invented words for every room, colour, thing and food"
    )
    step_limit: StepLimit | None = Field(
        default=None, alias="stepLimit", description=_LIMIT + " (60 for cooking, else 150)"
    )


class _MadePlay(Play):
    """A game that Labyrinth makes itself; the step limit of one of any size follows from its solution."""

    def __init__(self, parameters: Made, make: Callable[[], GameData], **more: Any) -> None:
        opened, moves = made(self.id, parameters, make), 1
        if isinstance(parameters, LongHuntParameters | LongCleaningParameters):
            limit = min(math.ceil(parameters.effort * opened.about["solution"]), parameters.step_limit)
            parameters, moves = parameters.model_copy(update={"step_limit": limit}), parameters.moves_a_step
        super().__init__(parameters, opened, parameters.step_limit * moves, **more)


class Hunt(_MadePlay):
    """Treasure Hunt: 12 rooms, 4 keys, one point a key and one for the treasure."""

    id = "textworld/hunt"
    Parameters = HuntParameters

    def __init__(self, parameters: HuntParameters) -> None:
        super().__init__(parameters, lambda: hunt.make(_name(self.id), parameters.seed), rewards=parameters.rewards)


class HuntHard(Hunt):
    """Treasure Hunt: 16 rooms, 5 keys, the second far off."""

    id = "textworld/hunt-hard"


class HuntHardest(Hunt):
    """Treasure Hunt: 36 rooms, 7 keys, and a thing of no use in every room."""

    id = "textworld/hunt-hardest"


class LongHunt(_MadePlay):
    """Treasure Hunt of any size, with spare keys, and notes that come long before they are needed."""

    id = "textworld/long-hunt"
    Parameters = LongHuntParameters

    def __init__(self, parameters: LongHuntParameters) -> None:
        def make() -> GameData:
            size = hunt.size_of(parameters.rooms, spare=parameters.spare_keys, shuffled=parameters.shuffled_notes)
            return hunt.build(hunt.draw(size, parameters.seed, longest_win=math.inf), parameters.seed)

        super().__init__(parameters, make, rewards=parameters.rewards)


class Cleaning(_MadePlay):
    """Cleaning: 9 rooms, 11 of 33 things misplaced, a point for taking each and one for putting it right."""

    id = "textworld/cleaning"
    Parameters = Made

    def __init__(self, parameters: Made) -> None:
        super().__init__(parameters, lambda: cleaning.make(parameters.seed))


class LongCleaning(_MadePlay):
    """Cleaning in a house of any size, in which somebody may move things meanwhile."""

    id = "textworld/long-cleaning"
    Parameters = LongCleaningParameters

    def __init__(self, parameters: LongCleaningParameters) -> None:
        def make() -> GameData:
            house = cleaning.draw(parameters.seed, parameters.rooms)
            return long_cleaning.make(house, parameters.seed, parameters.moved_every)

        super().__init__(parameters, make)


class Cooking(_MadePlay):
    """Cooking: 9 rooms, a recipe of 3 ingredients."""

    id = "textworld/cooking"
    Parameters = CookingParameters

    def __init__(self, parameters: CookingParameters) -> None:
        super().__init__(parameters, lambda: cooking.make(_name(self.id), parameters.seed))


class CookingHard(Cooking):
    """Cooking: 12 rooms, a recipe of 4 ingredients."""

    id = "textworld/cooking-hard"


class CookingHardest(Cooking):
    """Cooking: 12 rooms with closed doors, a recipe of 5 ingredients, hands that hold 5 things."""

    id = "textworld/cooking-hardest"


class RlBenchmark(_MadePlay):
    """Cooking levels 1–4 of the RL benchmark (Adhikari et al. 2021), three games each."""

    id = "textworld/rl-benchmark"
    Parameters = RlParameters

    def __init__(self, parameters: RlParameters) -> None:
        level, game, seed = parameters.level, parameters.game, parameters.seed
        super().__init__(parameters, lambda: cooking.make_level(level, game, seed, open=parameters.open))


class File(Play):
    """Any TextWorld game file: a .json is compiled; a .z8 without its .json is played as plain text."""

    id = "textworld/file"
    Parameters = FileParameters

    def __init__(self, parameters: FileParameters) -> None:
        opened = files.open_game(client_path(parameters.path), parameters.kind, parameters.rename)
        steps = COOKING_STEPS if opened.about["kind"] == "cooking" else STEPS
        super().__init__(
            parameters,
            opened,
            parameters.step_limit or steps,
            rewards=parameters.rewards,
            verbatim=parameters.verbatim,
        )


def _name(id_: str) -> str:
    return id_.removeprefix("textworld/")
