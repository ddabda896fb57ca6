"""The state of a game by TextWorld's rules: where everything is, what is open, and what can be done."""

from __future__ import annotations

from textworld import Game
from textworld.generator.game import GameProgression
from textworld.generator.inform7 import Inform7Game
from textworld.logic import Proposition

from labyrinth_envs.textworld.engine import Fact, reader_of_facts

_HOLDING = {"r": "at", "c": "in", "s": "on", "I": "in"}
"""First letter of a holder's id → how it holds."""


class LogicState:
    """Rooms, things and the player by their ids: `P` is the player, `I` its hands."""

    def __init__(self, game: Game) -> None:
        """Begins the game."""
        self._game = game
        self._inform7 = Inform7Game(game)
        self.names: dict[str, str] = {id_: info.name or id_ for id_, info in game.infos.items()}
        self.fact = reader_of_facts(game)
        """A proposition of TextWorld by names."""
        self.things: list[str] = [
            entity.id for kind in ("c", "k", "o", "s") for entity in game.world.get_entities_per_type(kind)
        ]
        """Everything but rooms and the player, in the order in which a compiled game lists things."""
        self.key_of: dict[str, str] = {
            fact.arguments[1].name: fact.arguments[0].name for fact in game.world.facts if fact.name == "match"
        }
        """Container to key."""
        self.place: dict[str, str] = {}
        """Thing or player to the room, container, supporter or hands that hold it."""
        self.children: dict[str, list[str]] = {}
        """What a holder holds, the latest first."""
        self.states: set[tuple[str, str]] = set()
        """Such as (container, "open")."""
        self.start()

    def start(self) -> None:
        """Begins the game anew."""
        self._progress = GameProgression(self._game, track_quests=False)
        self._read()
        self.children = {}
        for thing in self.things:
            self.children.setdefault(self.place[thing], []).append(thing)

    @property
    def commands(self) -> list[str]:
        """The admissible commands, sorted."""
        return sorted(self._actions)

    def allows(self, command: str) -> bool:
        """Whether a command is admissible."""
        return command in self._actions

    def do(self, command: str, moved: str | None = None) -> None:
        """Takes an admissible action; what was moved stands first where it is now."""
        before = self.place.get(moved or "")
        self._progress.update(self._actions[command])
        self._read()
        if moved is not None and before is not None:
            self._put_first(moved, before)

    def carry(self, thing: str, place: str) -> None:
        """Moves a thing to a floor or supporter; where the player is at neither end, no command changes by it."""
        state, before = self._progress.state, self.place[thing]
        old, new = (
            Proposition(_HOLDING[holder[0]], [state.variable_named(thing), state.variable_named(holder)])
            for holder in (before, place)
        )
        state.add_fact(new)
        state.remove_fact(old)
        self._read()
        self._put_first(thing, before)

    def room_of(self, place: str) -> str:
        """The room that a place is or that a thing is in, through whatever holds it; the hands of what is held."""
        return self.room_of(self.place[place]) if place in self.place else place

    def facts(self) -> frozenset[Fact]:
        """What holds, by names."""
        return frozenset(map(self.fact, self._progress.state.facts))

    def in_sight(self) -> list[str]:
        """The things that the player sees: here, in hand, or in what is open here or in hand."""
        here = (self.place["P"], "I")
        return [
            thing
            for thing in self.things
            if (place := self.place[thing]) in here
            or (self.place.get(place) in here and (place.startswith("s_") or (place, "open") in self.states))
        ]

    def _put_first(self, moved: str, before: str) -> None:
        self.children[before].remove(moved)
        self.children.setdefault(self.place[moved], []).insert(0, moved)

    def _read(self) -> None:
        facts = [(fact.name, [argument.name for argument in fact.arguments]) for fact in self._progress.state.facts]
        self.place = {ids[0]: ids[1] for name, ids in facts if name in _HOLDING.values()}
        self.states = {(ids[0], name) for name, ids in facts if len(ids) == 1}
        actions = self._progress.valid_actions
        self._actions = dict(zip(self._inform7.gen_commands_from_actions(actions), actions, strict=True))
