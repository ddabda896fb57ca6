"""What a memory is given and gives back. The names are those of Labyrinth, in snake_case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class Situation:
    """The situation of an agent, as far as a world tells it."""

    step: int
    """Agent step, from 1."""
    goal: str
    observation: str
    inventory: str | None = None
    location: str | None = None


@dataclass(frozen=True)
class Perception(Situation):
    """What an agent perceives after an action; on step 1 there is no action."""

    action: str | None = None
    macro: bool = False
    """Whether the action was several primitive steps (`go to kitchen`)."""
    sections: Mapping[str, str] = field(default_factory=dict)
    """Parts of the observation that the world also gives by name."""
    image: bytes | None = None
    """The view as a PNG, where the world draws one."""


@dataclass(frozen=True)
class Cue(Situation):
    """What a recall starts from: the situation of the last perception, and the plan."""

    plan: str = ""
    surplus: int = 0
    """Past observations that the method shows beyond its usual ones; they need not be recalled."""


@dataclass(frozen=True)
class Recollection:
    """What is shown to planner and actor: title → text, in this order, before the plan."""

    sections: Mapping[str, str] = field(default_factory=dict)
    """A title is one line that begins with a capital letter."""
    status: str | None = None
    """One line on where the agent is believed to be."""
    is_history: bool = False
    """Whether the sections are the whole history, which is then shown in place of the last observations."""
    exits: Sequence[str] | None = None
    """Exits not taken yet, a line `place: exit, exit` for each place."""
    recalled: Mapping[str, Sequence[str]] | None = None
    """The same for the record: kind → lines."""
    beliefs: Mapping[str, object] | None = None
    """What the memory believes, for measures alone; JSON."""


class Memory:
    """The base of a memory, for type checkers: any class with `observe` and `recall` will do.

    Keyword arguments of the constructor are the options that the study gives. `save` and `load` may be left out: the
    next episode of a chain cannot start from such a memory.
    """

    RESERVES: ClassVar[bool] = False
    """Whether its packages reserve far more address space than they use, as some databases do: what it touches is then
    limited, and what it reserves is not."""

    def observe(self, perception: Perception) -> None:
        """Takes in a perception. Steps come in order, each once."""
        raise NotImplementedError

    def recall(self, cue: Cue) -> Recollection:
        """Recalls what bears on a cue, and leaves the content as it is."""
        raise NotImplementedError
