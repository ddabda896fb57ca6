"""Facts that stay sorted until one of them changes, for TextWorld's search for the actions that can be taken.

The search sorts the facts of a signature anew for each rule and each way in which the rule may go on, which is most of
the time of a step. `sorted` in its module gives the order that is kept here; anything else is sorted as ever.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Set
from typing import Any

from textworld import logic
from textworld.logic import Proposition, Signature, State

_facts_of = State.facts_with_signature


class _Facts(Set[Proposition]):
    """The facts of one signature in a state, with their order."""

    def __init__(
        self, facts: Set[Proposition], orders: dict[Signature, list[Proposition]], signature: Signature
    ) -> None:
        self._facts, self._orders, self._signature = facts, orders, signature

    def __contains__(self, fact: object) -> bool:
        return fact in self._facts

    def __iter__(self) -> Iterator[Proposition]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def in_order(self) -> list[Proposition]:
        if self._signature not in self._orders:
            self._orders[self._signature] = builtins.sorted(self._facts, key=_plain)
        return self._orders[self._signature]


def _plain(fact: Proposition) -> tuple[str, list[tuple[str, str]]]:
    """What facts are ordered by, in plain values, which are compared many times as fast."""
    return fact.name, [(variable.name, variable.type) for variable in fact.arguments]


def _orders(state: State) -> dict[Signature, list[Proposition]]:
    known: dict[Signature, list[Proposition]] = state.__dict__.setdefault("_orders", {})
    return known


def _with_order(state: State, signature: Signature) -> _Facts:
    return _Facts(_facts_of(state, signature), _orders(state), signature)


def _sorted(values: Any, **options: Any) -> list[Any]:
    return values.in_order() if isinstance(values, _Facts) else builtins.sorted(values, **options)


def _forgetting(change: Any) -> Any:
    def changed(state: State, fact: Proposition) -> None:
        _orders(state).pop(fact.signature, None)
        change(state, fact)

    return changed


def keep_sorted() -> None:
    """Lets TextWorld's search take the order that is kept."""
    logic.sorted = _sorted
    State.facts_with_signature = _with_order
    State.add_fact, State.remove_fact = _forgetting(State.add_fact), _forgetting(State.remove_fact)


keep_sorted()
