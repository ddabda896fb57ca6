"""The actions that can be taken in a state, which TextWorld looks for after each step: the same in the same order.

TextWorld sorts the facts of a signature anew for each rule and each way in which the rule may go on, which is most of
the time of a step, and looks up the types of a predicate as often. Here both are kept: facts until one of the
signature changes, types for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textworld.logic import GameLogic, Proposition, Signature, State


def _all_applicable_assignments(
    self: State, rule: Any, mapping: dict[Any, Any], used_vars: set[Any], new_phs_by_depth: list[list[Any]], depth: int
) -> Iterator[Any]:
    new_phs = new_phs_by_depth[depth]
    if depth >= len(rule.preconditions):
        yield from self._all_assignments(new_phs, mapping, used_vars, False)
        return
    predicate = rule.preconditions[depth]
    for signature in _signatures(self._logic, predicate.signature):
        for proposition in _sorted_facts(self, signature):
            for placeholder, variable in zip(predicate.parameters, proposition.arguments, strict=True):
                known = mapping.get(placeholder)
                if known is None:
                    if variable in used_vars:
                        break
                    mapping[placeholder] = variable
                    used_vars.add(variable)
                elif known != variable:
                    break
            else:
                yield from self._all_applicable_assignments(rule, mapping, used_vars, new_phs_by_depth, depth + 1)
            for placeholder in new_phs:
                used_vars.discard(mapping.pop(placeholder, None))


def _signatures(logic: GameLogic, signature: Signature) -> list[Signature]:
    """Those of facts that a predicate of this signature may stand for."""
    known: dict[Signature, list[Signature]] = logic.__dict__.setdefault("_signatures", {})
    if signature not in known:
        types = [logic.types.get(name) for name in signature.types]
        known[signature] = [
            Signature(signature.name, [type_.name for type_ in subtypes])
            for subtypes in logic.types.multi_subtypes(types)
        ]
    return known[signature]


def _sorted_facts(state: State, signature: Signature) -> list[Proposition]:
    known: dict[Signature, list[Proposition]] = state.__dict__.setdefault("_sorted_facts", {})
    if signature not in known:
        known[signature] = sorted(state.facts_with_signature(signature), key=_place)
    return known[signature]


def _place(proposition: Proposition) -> tuple[str, list[tuple[str, str]]]:
    """What propositions are ordered by, in plain values, which are compared many times as fast."""
    return proposition.name, [(variable.name, variable.type) for variable in proposition.arguments]


def _forgetting(change: Any) -> Any:
    def changed(self: State, fact: Proposition) -> None:
        self.__dict__.setdefault("_sorted_facts", {}).pop(fact.signature, None)
        change(self, fact)

    return changed


State._all_applicable_assignments = _all_applicable_assignments
State.add_fact, State.remove_fact = _forgetting(State.add_fact), _forgetting(State.remove_fact)
