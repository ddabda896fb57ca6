"""A household that runs: commands in, replies out, facts tracked, on TextWorld's environment for PDDL.

Its texts and rules stay what they are; five things in it are replaced (`_improve`):

- Every command and every text is parsed anew at each step. What was parsed is kept, and copies are handed out; all
  texts of a game are kept on this machine (`parses.py`).
- For each part of a text all that it speaks of is copied to the last leaf. Nothing there is ever changed, so that the
  maps alone are copied.
- The problem is translated twice at the start and twice at every reset, once for a planner that nobody asks here. One
  translation serves as all of them, and is kept on this machine (`translation.py`).
- The command of each applicable action is derived from the grammar at each step. One that depends on nothing that
  actions change is derived once.
- Expressions of a grammar are run as Python code, so that a game file could do anything. They are evaluated by the few
  forms that grammars need, and nothing else passes.

With `LABYRINTH_PLAIN_ALFWORLD=1` in the environment nothing is replaced: for tests, on trusted games.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any, TypeAlias

import fast_downward
import textworld
import textworld.logic
from textworld.envs.pddl import PddlEnv, logic, textgen

from labyrinth_envs.alfworld import translation
from labyrinth_envs.alfworld.package import names_of
from labyrinth_envs.parses import kept
from labyrinth_envs.world import WorldError

OPEN_SECONDS = 45
"""Time in which a game must have been translated; a server gives a call 60 s."""

PLAIN = os.environ.get("LABYRINTH_PLAIN_ALFWORLD") == "1"

Fact: TypeAlias = tuple[str, ...]
"""A predicate and the names of what it holds of: `("inreceptacle", "mug 1", "shelf 2")`."""


@dataclass(frozen=True)
class Game:
    """The content of a `.tw-pddl` file that decides play."""

    domain: str
    grammar: str
    problem: str
    name: str
    """For error messages."""


@dataclass(frozen=True)
class Reply:
    """The result of one command."""

    feedback: str
    commands: list[str]
    """Admissible commands, sorted."""
    won: bool
    facts: frozenset[Fact] = field(default_factory=frozenset)


class Engine:
    """One running game. `start` restarts it; `send` executes one command."""

    def __init__(self, game: Game) -> None:
        """Raises `WorldError("bad-game")` for a game that cannot be played, or not be translated in `OPEN_SECONDS`."""
        self._env = PddlEnv(textworld.EnvInfos(admissible_commands=True, won=True))
        data = {"pddl_domain": game.domain, "grammar": game.grammar, "pddl_problem": game.problem}
        try:
            with _time_limit(OPEN_SECONDS):
                self._env.load(data)
                if not PLAIN:
                    texts = self._env._logic.grammar
                    texts.derive = _remembering(texts.derive, game.domain)
                infos = self._env._entity_infos
                for id_, name in names_of(infos).items():
                    infos[id_].name = name
                self._moved = True
                self.first = self.start()
        except _TooLate:
            what = (
                f"it is not translated within {OPEN_SECONDS} s; make it smaller (up to 40 receptacles and 150 things)"
            )
            raise bad_game(game.name, what) from None
        except (Exception, SystemExit) as error:  # the translator raises, and leaves by, whatever its data leads to
            raise bad_game(game.name, _reason(error)) from error

    def start(self) -> Reply:
        """Begins the game anew; one that nobody has moved in has just begun."""
        if self._moved:
            self.first, self._moved = self._reply(self._env.reset()), False
        return self.first

    def send(self, command: str) -> Reply:
        """Executes one command; the game answers "Nothing happens." to one that is not admissible."""
        self._moved = True
        state, _, _ = self._env.step(command)
        return self._reply(state)

    def _reply(self, state: Any) -> Reply:
        infos = self._env._entity_infos
        facts = (
            (str(fact.name), *(infos[argument.name].name.strip() for argument in fact.arguments))
            for fact in state["_facts"]
        )
        return Reply(str(state["feedback"]), list(state["admissible_commands"]), bool(state["won"]), frozenset(facts))


def bad_game(name: str, what: str) -> WorldError:
    """The refusal of a game."""
    return WorldError("bad-game", f"Cannot play {name}: {what}")


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyError) and error.args == ("val1",):  # what is left of a task that was found unsolvable
        return "its goal can never be reached; give a game that can be solved"
    said = " ".join(str(error).split())[:160]
    return (
        f"its problem, rules or texts are broken ({type(error).__name__}{f': {said}' if said else ''}); check the file"
    )


class _TooLate(BaseException):
    """Raised by the alarm; no `except Exception` of a library takes it for its own."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Ends what runs longer. Only a process's main thread can be interrupted so; workers' worlds run in theirs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLate

    before = signal.signal(signal.SIGALRM, late)
    # again each second: Python drops what is raised while it tidies up an object
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _improve() -> None:
    parse = lru_cache(4096)(textgen._parse_and_convert)
    textgen._parse_and_convert = lambda text, **options: deepcopy(parse(text, **options))
    logic._parse_and_convert = kept(logic._parse_and_convert, logic, textgen)
    textgen.copy_context = _copied
    textgen.Symbol.copy = _with_context
    query = textworld.logic.Rule.parse_conjunctive_query
    textworld.logic.Rule.parse_conjunctive_query = staticmethod(lru_cache(4096)(query))
    fast_downward.pddl2sas = translation.remembering(fast_downward.pddl2sas)
    textgen.EvalSymbol.derive = _derive


def _remembering(derive: Callable[..., str], domain: str) -> Callable[..., str]:
    """A grammar's `derive` that keeps the commands which no effect of the domain's actions can change."""
    changing = _changing(domain)
    commands: dict[tuple[Any, ...], str] = {}

    @lru_cache(4096)
    def fixed(template: str) -> bool:
        if "#" in template:  # a rule of the grammar, which may ask for anything
            return False
        asked = re.findall(r"([\w-]+)\s*\(", template.lower())
        return "|" not in template or (changing is not None and changing.isdisjoint(asked))

    def derived(start: str, context: dict[str, Any]) -> str:
        if not fixed(start):
            return derive(start, context)
        mapping = context["mapping"].items()
        key = (start, *sorted((placeholder.name, variable.name) for placeholder, variable in mapping))
        if key not in commands:
            commands[key] = derive(start, context)
        return commands[key]

    return derived


def _changing(domain: str) -> set[str] | None:
    """The predicates in the effects of a PDDL domain, in lower case; `None` if it derives facts from others."""
    text = re.sub(r";.*", "", domain).lower()
    if ":derived" in text:
        return None
    found: set[str] = set()
    for effect in re.finditer(r":effect\b", text):
        depth = 0
        for end in range(text.find("(", effect.end()), len(text)):
            depth += (text[end] == "(") - (text[end] == ")")
            if depth == 0:
                found.update(re.findall(r"\(\s*([\w-]+)", text[effect.end() : end]))
                break
    return found


def _copied(context: dict[str, Any]) -> dict[str, Any]:
    return context | {"variables": dict(context["variables"]), "mapping": dict(context["mapping"])}


def _with_context(symbol: Any, context: dict[str, Any]) -> Any:
    other = copy(symbol)
    other.context = _copied(context)
    return other


def _derive(symbol: Any, context: Any = None) -> list[Any]:
    variables = (context or symbol.context)["variables"]
    return [textgen.TerminalSymbol(_value(_expression(symbol.expression), variables))]


@lru_cache(4096)
def _expression(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def _value(node: ast.expr, variables: dict[str, Any]) -> Any:
    """Names of things, their texts (`o.name`), constants, `+` and `or`."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return variables[node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and not node.attr.startswith("_"):
        return getattr(variables[node.value.id], node.attr)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(node.left, variables) + _value(node.right, variables)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return next((value for part in node.values if (value := _value(part, variables))), "")
    raise ValueError(f"an expression of its texts is not allowed: {ast.unparse(node)}")


if not PLAIN:
    _improve()
