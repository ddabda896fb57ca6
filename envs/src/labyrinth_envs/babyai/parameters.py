"""What the worlds of BabyAI can be told when they are opened."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from labyrinth_envs.babyai.actor import Scope
from labyrinth_envs.babyai.layouts import MissionName
from labyrinth_envs.babyai.level import DoorwayView
from labyrinth_envs.world import Wire

Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
Steps = Annotated[int, Field(ge=0, le=100_000)]


class PlayParameters(Wire):
    """How a mission is played, on whatever map."""

    mission: MissionName = Field(default="open-door", description="which of the layout's missions")
    step_limit: Steps = Field(
        default=0,
        alias="stepLimit",
        description="agent steps (calls or primitives) until the episode ends; 0 is 400 from 4 × 4 rooms on, else none",
    )
    doorway_view: DoorwayView = Field(
        default="clear", alias="doorwayView", description="what is seen from a doorway: the rooms, or nothing"
    )
    actor_scope: Scope = Field(
        default="room",
        alias="actorScope",
        description="where the heuristic actor looks for the things that a call names",
    )
    macro_cap: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=60, alias="macroCap", description="maximum of primitive steps in one call"
    )
    image: bool = Field(default=False, description="a PNG of the view with every turn and frame")


class BabyAIParameters(PlayParameters):
    """A mission on a layout."""

    layout: Annotated[str, Field(min_length=1, max_length=4096, description="a frozen layout's id or a file")] = (
        "2x2-d1-0"
    )
    max_steps: Steps = Field(
        default=0,
        alias="maxSteps",
        description="primitive steps until the episode ends; 0 is BabyAI's own: 49 a room, twice that for put-next-to",
    )
    seed: Seed = Field(
        default=0, description="0 starts at the layout's place, any other number elsewhere in the same room"
    )

    @model_serializer(mode="wrap")
    def _in_recorded_order(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Episodes are sealed with the text of their parameters, so that these keep the order of the first record."""
        dumped = dump(self)
        first = ["layout", "mission", "max_steps", "maxSteps", "step_limit", "stepLimit", "seed"]
        return {name: dumped[name] for name in [*first, *dumped] if name in dumped}


class SizedParameters(PlayParameters):
    """A mission on a map that is drawn when the world is opened."""

    size: Annotated[int, Field(ge=2, le=10, description="rooms along each side of the grid")] = 4
    density: Annotated[int, Field(ge=1, le=8, description="things in each room, keys included")] = 1
    locks: Annotated[int, Field(ge=1, le=3, description="locked doors, all to be opened")] = 2
    merged: Annotated[int, Field(ge=0, le=50, description="walls to remove, each of which joins two rooms")] = 3
    seed: Seed = Field(default=0, description="draws the map")
    effort: Annotated[
        float,
        Field(
            ge=1,
            le=1000,
            description="limit of primitive steps, as a multiple of the steps that a guide with the map takes",
        ),
    ] = 20
    step_limit: Steps = Field(
        default=0, alias="stepLimit", description="agent steps until the episode ends; 0 has no limit but `effort`"
    )
