"""Somebody else in a house, who carries what is out of place from one wrong place to another.

Only what was out of place at first is carried, and only between rooms in neither of which the player is, so that
nothing happens that could be seen. From a floor it comes to a floor and from furniture to furniture: what lies on a
floor is easily noticed, and the player shall only have to look for it anew. What was put right is carried off, too:
`scoring` says what that counts. What is tried at which step follows from the seed alone, so that two players of a game
meet the same mover, however they play.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from labyrinth_envs.textworld.logic_state import LogicState


class Mover:
    """Carries one thing at every so many steps of the player's; `homes` has the right places of each thing, by name."""

    def __init__(self, every: int, seed: int, homes: Mapping[str, Collection[str]]) -> None:
        self._every, self._seed, self._homes = every, seed, homes

    def start(self, state: LogicState) -> None:
        """Begins a game."""
        self._random = np.random.RandomState(self._seed)
        self._steps = 0
        ids = {name: id_ for id_, name in state.names.items()}
        self._places = sorted(place for place in state.names if place[0] in "rs")
        right = {ids[name]: {state.room_of(ids[home]) for home in homes} for name, homes in self._homes.items()}
        self._right = {thing: rooms for thing, rooms in sorted(right.items()) if state.room_of(thing) not in rooms}
        """Thing that is out of place → the rooms where it belongs."""

    def step(self, state: LogicState) -> None:
        """Takes note of a step of the player's, and carries something to a floor or supporter if it is time."""
        self._steps += 1
        if self._steps % self._every:
            return
        things, places = (self._random.permutation(names) for names in (list(self._right), self._places))
        apart = {state.place["P"], "I"}
        for thing in (str(thing) for thing in things if state.room_of(thing) not in apart):
            never, is_on_floor = {*apart, *self._right[thing], state.room_of(thing)}, state.place[thing].startswith("r")
            alike = (str(place) for place in places if place.startswith("r") == is_on_floor)
            place = next((place for place in alike if state.room_of(place) not in never), None)
            if place is not None:
                return state.carry(thing, place)
