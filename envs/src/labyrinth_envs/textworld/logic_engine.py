"""A hunt or a house that runs by TextWorld's rules alone: too large for a Z-machine, or changed from outside.

TextWorld plays a game's logic from its `.json` and prints nothing. The state, the admissible commands and the quests
are those of that logic; the texts are what a compiled game prints. `tests/textworld/test_logic_engine.py` plays the
same commands in both. They differ in what no admissible command meets:

- A name that fits several things is refused with the question which of them is meant, and the next command is read
  as a command and not as the answer. A whole name means what is called so: a compiled game puts no toilet paper on a
  toilet, which it takes for the paper.
- A verb without its thing, the player as a thing, and several things at once are not understood.
- Verbs that do nothing (jump, search, throw and so on) are not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from textworld import Game

from labyrinth_envs.textworld.engine import Fact, GameEngine, Reply
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.textworld.logic_state import LogicState
from labyrinth_envs.textworld.logic_texts import decided, listed, points_gained, the_end
from labyrinth_envs.textworld.mover import Mover

_WAYS = {way[0]: way for way in ("north", "east", "south", "west")}
_OTHER_WAYS = "up|down|in|out|northeast|northwest|southeast|southwest"
_UNSEEN = "You can't see any such thing."


class _Refused(Exception):
    """The text of a command that the game does not understand: it takes no turn."""


class LogicEngine(GameEngine):
    """One running game of rooms, containers, supporters and things."""

    tracked = True

    def __init__(self, data: GameData) -> None:
        self._game = Game.deserialize(data)
        self._state = LogicState(self._game)
        self._names = self._state.names
        self._texts: dict[str, str] = {
            id_: re.sub(r"\n +", "\n", info.desc or "") for id_, info in self._game.infos.items()
        }
        self.max_score = int(self._game.max_score)
        self.types: dict[str, str] = dict(self._game.objects_names_and_types)
        conditions = [[event.condition.preconditions for event in quest.win_events] for quest in self._game.quests]
        self.quests: list[list[frozenset[Fact]]] = [
            [frozenset(map(self._state.fact, facts)) for facts in events] for events in conditions
        ]
        about = data["metadata"]["labyrinth"]
        moves = about.get("moves", {"every": 0})
        self._mover = Mover(**moves, homes=about["homes"]) if moves["every"] else None
        self.first = self.start()

    def start(self) -> Reply:
        """Begins the game anew."""
        self._state.start()
        self._done: set[int] = set()
        self._turns = 1
        if self._mover:
            self._mover.start(self._state)
        return self._reply(self._look())

    def send(self, command: str) -> Reply:
        """Executes one command that the guard has accepted."""
        self._nouns: list[tuple[str, bool]] = []
        try:
            answer = self._answer(command.strip().lower())
            text = self._understood(command) + answer
            self._turns += 1
        except _Refused as refusal:
            text = str(refusal)
        if self._mover:
            self._mover.step(self._state)
        return self._reply(text)

    def close(self) -> None:
        """There is no interpreter to end."""

    def _reply(self, text: str) -> Reply:
        facts = self._state.facts()
        gained = [
            number
            for number, events in enumerate(self.quests)
            if number not in self._done and any(event <= facts for event in events)
        ]
        self._done.update(gained)
        points = sum(self._game.quests[number].reward for number in gained)
        if points:
            text += points_gained(points)
        score = sum(self._game.quests[number].reward for number in self._done)
        won = 0 < len(self.quests) == len(self._done)
        if won:
            text += the_end(score, self.max_score, self._turns)
        return Reply(
            text,
            inventory=self._inventory(),
            score=score,
            commands=self._state.commands,
            facts=facts,
            end="won" if won else None,
        )

    # texts

    def _named(self, ids: Iterable[str]) -> list[str]:
        names = ((self._names[id_], self._game.infos[id_].indefinite) for id_ in ids)
        return [f"{article or ('an' if name[0] in 'aeiouAEIOU' else 'a')} {name}" for name, article in names]

    def _listed_in(self, holder: str) -> str:
        return listed(self._named(self._state.children.get(holder, ())))

    def _said(self, text: str, own: str = "") -> str:
        return decided(text, own, self._state.states, self._listed_in)

    def _look(self) -> str:
        room = self._state.place["P"]
        floor = [thing for thing in self._state.children.get(room, ()) if not self._is_furniture(thing)]
        lines = [f"-= {self._names[room].title()} =-\n{self._said(self._texts[room])}"]
        return "\n\n".join(lines + ([f"There is {listed(self._named(floor))} on the floor."] if floor else []))

    # commands

    def _answer(self, command: str) -> str:
        for form, act in _FORMS:
            if found := re.fullmatch(form, command):
                return act(self, *found.groups())
        raise _Refused("That's not a verb I recognise.")

    def _is_container(self, thing: str) -> bool:
        return thing.startswith("c_")

    def _is_furniture(self, thing: str) -> bool:
        return thing[0] in "cs"

    def _the(self, thing: str) -> str:
        return f"the {self._names[thing]}"

    def _thing(self, words: str) -> str:
        """The thing in sight that some words name."""
        wanted = set(re.sub(r"^(the|an?) ", "", words).split())
        fitting = [thing for thing in self._state.in_sight() if wanted <= set(self._names[thing].lower().split())]
        exact = [thing for thing in fitting if wanted == set(self._names[thing].lower().split())]
        if not fitting:
            raise _Refused(_UNSEEN)
        if len(fitting) > 1 and len(exact) != 1:
            raise _Refused(f"Which do you mean, {listed([self._the(thing) for thing in fitting], 'or')}?")
        self._nouns.append(((exact or fitting)[0], len(fitting) > 1))
        return (exact or fitting)[0]

    def _understood(self, command: str) -> str:
        """What the game says it understands, from the first name on that is part of another one in sight."""
        first = next((at for at, (_, several) in enumerate(self._nouns) if several), len(self._nouns))
        link = re.search(r" (?:on|into|from|with) ", command)
        said = (link[0] if link else "").join(self._the(thing) for thing, _ in self._nouns[first:])
        return f"({said})\n" if said else ""

    def _not_held(self, thing: str) -> str | None:
        """What the game answers where a thing would have to be in hand and is not."""
        if self._state.place[thing] == "I":
            return None
        if self._is_furniture(thing):
            return f"The {self._names[thing]} is fixed in place."
        return f"You need to take {self._the(thing)} first."

    def _go(self, way: str) -> str:
        command = f"go {_WAYS.get(way[0], way) if len(way) == 1 else way}"
        if not self._state.allows(command):
            return "You can't go that way."
        self._state.do(command)
        return self._look()

    def _inventory(self) -> str:
        carried = self._listed_in("I")
        return f"You are carrying: {carried}." if carried else "You are carrying nothing."

    def _examine(self, words: str) -> str:
        thing = self._thing(words)
        text = self._said(self._texts[thing], thing)
        is_open = (thing, "open") in self._state.states
        held = self._named(self._state.children.get(thing, ())) if is_open or not self._is_container(thing) else []
        if not held:
            return f"{text}\n\nThe {self._names[thing]} is empty." if is_open else text
        where, verb = "In" if is_open else "On", "is" if len(held) == 1 else "are"
        return f"{text}\n\n{where} {self._the(thing)} {verb} {listed(held)}."

    def _take(self, words: str, source: str | None = None) -> str:
        thing = self._thing(words)
        if source is not None and self._state.place[thing] != self._thing(source):
            raise _Refused(_UNSEEN)
        if self._is_furniture(thing):
            return "That's fixed in place."
        place = self._state.place[thing]
        if place == "I":
            return "You already have that."
        name = self._names[thing]
        if not self._is_furniture(place):
            self._state.do(f"take {name}", thing)
            return f"You pick up the {name} from the ground."
        self._state.do(f"take {name} from {self._names[place]}", thing)
        return f"You take the {name} from {self._the(place)}."

    def _drop(self, words: str) -> str:
        thing = self._thing(words)
        if self._state.place[thing] != "I":
            here = self._state.place[thing] == self._state.place["P"]
            return f"The {self._names[thing]} is already here." if here else "You haven't got that."
        self._state.do(f"drop {self._names[thing]}", thing)
        return f"You drop {self._the(thing)} on the ground."

    def _open(self, words: str) -> str:
        thing = self._thing(words)
        name = self._names[thing]
        if not self._is_container(thing):
            return "It isn't something you can open."
        if (thing, "locked") in self._state.states:
            key = self._state.key_of.get(thing)
            return (
                f"You have to unlock the {name} with {self._the(key)} first." if key else f"The {name} is welded shut."
            )
        if (thing, "open") in self._state.states:
            return "That's already open."
        self._state.do(f"open {name}")
        inside = self._listed_in(thing)
        return f"You open the {name}, revealing {inside}." if inside else f"You open the {name}."

    def _close(self, words: str) -> str:
        thing = self._thing(words)
        if not self._is_container(thing):
            return "It isn't something you can close."
        if (thing, "open") not in self._state.states:
            return "That's already closed."
        self._state.do(f"close {self._names[thing]}")
        return f"You close {self._the(thing)}."

    def _turn_key(self, verb: str, words: str, with_words: str) -> str:
        thing, key = self._thing(words), self._thing(with_words)
        if refusal := self._not_held(key):
            return refusal
        if not self._is_container(thing):
            return f"That doesn't seem to be something you can {verb}."
        if ((thing, "locked") in self._state.states) == (verb == "lock"):
            return f"That's {verb}ed at the moment."
        if (thing, "open") in self._state.states:
            return f"First you would have to close {self._the(thing)}."
        if self._state.key_of.get(thing) != key:
            return "That doesn't seem to fit the lock."
        self._state.do(f"{verb} {self._names[thing]} with {self._names[key]}")
        return f"You {verb} {self._the(thing)}."

    def _insert(self, words: str, into: str) -> str:
        thing, holder = self._thing(words), self._thing(into)
        if refusal := self._not_held(thing):
            return refusal
        if thing == holder:
            return "You can't put something inside itself."
        if not self._is_container(holder):
            return "That can't contain things."
        if (holder, "open") not in self._state.states:
            return f"The {self._names[holder]} is closed."
        self._state.do(f"insert {self._names[thing]} into {self._names[holder]}", thing)
        return f"You put {self._the(thing)} into {self._the(holder)}."

    def _put(self, words: str, onto: str) -> str:
        thing, holder = self._thing(words), self._thing(onto)
        if refusal := self._not_held(thing):
            return refusal
        if thing == holder:
            return "You can't put something on top of itself."
        if not holder.startswith("s_"):
            return f"Putting things on {self._the(holder)} would achieve nothing."
        self._state.do(f"put {self._names[thing]} on {self._names[holder]}", thing)
        return f"You put {self._the(thing)} on {self._the(holder)}."


_FORMS: list[tuple[str, Callable[..., str]]] = [
    (r"l(?:ook)?", LogicEngine._look),
    (r"i(?:nv(?:entory)?)?", LogicEngine._inventory),
    (r"z|wait", lambda engine: "Time passes."),
    (rf"(?:(?:go|walk|run) )?(north|south|east|west|[nsew]|{_OTHER_WAYS})", LogicEngine._go),
    (r"(?:go|walk|run)", lambda engine: "You'll have to say which compass direction to go in."),
    (
        r"(?:go|walk|run) (?:to )?(.+)",
        lambda engine, words: engine._thing(words) and "That's not something you can enter.",
    ),
    (r"(?:examine|x|read|look at|check|describe|watch) (.+)", LogicEngine._examine),
    (r"take (?:all|each|everything)", lambda engine: "You have to be more specific!"),
    (r"take (.+?)(?: from (.+))?", LogicEngine._take),
    (r"drop (.+)", LogicEngine._drop),
    (r"open (.+)", LogicEngine._open),
    (r"(?:close|shut) (.+)", LogicEngine._close),
    (r"(unlock|lock) (.+?) with (.+)", LogicEngine._turn_key),
    (r"(?:insert|put) (.+?) (?:into|inside|in) (.+)", LogicEngine._insert),
    (r"put (.+?) on(?:to)? (.+)", LogicEngine._put),
    (r"eat (.+)", lambda engine, words: engine._thing(words) and "That's plainly inedible."),
]
