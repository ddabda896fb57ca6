"""The texts of a game, parsed once on a machine: with its translation kept, this was most of what opening one took.

TextWorld parses the grammar with TatSu, half a second of processor time for ALFWorld's. What it makes of it, actions
and production rules, is kept as JSON by the SHA-256 of its version and text, and built anew from that.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeAlias

from textworld.envs.pddl import textgen
from textworld.envs.pddl.logic import Action

from labyrinth_envs.alfworld.package import VERSION
from labyrinth_envs.world import cache_folder, keep

Parsed: TypeAlias = tuple[dict[str, Action], textgen.ContextSensitiveGrammar]
"""The actions of a grammar by their names, and its production rules."""


def remembering(parse: Callable[..., Parsed]) -> Callable[..., Parsed]:
    """The parser `textworld.envs.pddl.logic._parse_and_convert`, asked once for each text."""

    def parsed(text: str, **options: Any) -> Parsed:
        place = cache_folder() / f"{sha256(chr(0).join((VERSION, text)).encode()).hexdigest()}.grammar.z"
        with suppress(OSError, zlib.error, ValueError, TypeError, LookupError):  # not there, or cut off
            return _build(json.loads(zlib.decompress(place.read_bytes())))
        made = parse(text, **options)
        with suppress(OSError):  # no room, or no right: it is parsed again
            keep(place, zlib.compress(json.dumps(_plain(made)).encode(), 1))
        return made

    return parsed


def _plain(parsed: Parsed) -> Any:
    actions, grammar = parsed
    rules = {
        name: [[[_spell(symbol) for symbol in rule.rhs], rule.weight, rule.condition] for rule in rules]
        for name, rules in grammar._rules.items()
    }
    return [{name: vars(action) for name, action in actions.items()}, rules]


def _build(plain: Any) -> Parsed:
    actions, rules = plain
    grammar = textgen.ContextSensitiveGrammar()
    for name, alternatives in rules.items():
        for rhs, weight, condition in alternatives:
            grammar.add_rule(textgen.ProductionRule(name, [_read(symbol) for symbol in rhs], weight, condition))
    return {name: Action(**action) for name, action in actions.items()}, grammar


def _spell(symbol: textgen.Symbol) -> list[Any]:
    """The name of its class, and what it is made from."""
    kind = type(symbol).__name__
    if isinstance(symbol, textgen.ConditionalSymbol):
        return [kind, _spell(symbol.expression), symbol.given]
    return [kind, _spell(symbol.symbol) if isinstance(symbol, textgen.ListSymbol) else symbol.symbol]


def _read(spelt: list[Any]) -> textgen.Symbol:
    kind, *parts = spelt
    return _KINDS[kind](*(_read(part) if isinstance(part, list) else part for part in parts))


_KINDS: dict[str, type[textgen.Symbol]] = {
    kind.__name__: kind
    for kind in (
        textgen.TerminalSymbol,
        textgen.NonterminalSymbol,
        textgen.EvalSymbol,
        textgen.ConditionalSymbol,
        textgen.ListSymbol,
    )
}
