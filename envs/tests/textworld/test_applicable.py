"""The actions of a state are those that TextWorld's own search finds, in its order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from textworld import Game
from textworld.generator.game import GameProgression
from textworld.logic import Signature, State

from labyrinth_envs.textworld import applicable, cleaning, cooking, hunt
from labyrinth_envs.textworld.gamedata import GameData


def by_textworld(
    self: State, rule: Any, mapping: dict[Any, Any], used_vars: set[Any], new_phs_by_depth: list[list[Any]], depth: int
) -> Iterator[Any]:
    """`State._all_applicable_assignments` of textworld 1.7."""
    new_phs = new_phs_by_depth[depth]
    if depth >= len(rule.preconditions):
        yield from self._all_assignments(new_phs, mapping, used_vars, False)
        return
    pred = rule.preconditions[depth]
    types = [self._logic.types.get(t) for t in pred.signature.types]
    for subtypes in self._logic.types.multi_subtypes(types):
        signature = Signature(pred.signature.name, [t.name for t in subtypes])
        for prop in sorted(self.facts_with_signature(signature)):
            for ph, var in zip(pred.parameters, prop.arguments, strict=False):
                existing = mapping.get(ph)
                if existing is None:
                    if var in used_vars:
                        break
                    mapping[ph] = var
                    used_vars.add(var)
                elif existing != var:
                    break
            else:
                yield from self._all_applicable_assignments(rule, mapping, used_vars, new_phs_by_depth, depth + 1)
            for ph in new_phs:
                used_vars.discard(mapping.pop(ph, None))


@pytest.mark.parametrize(
    "data", [hunt.make("hunt", 1), cleaning.make(1), cooking.make("cooking", 1)], ids=["hunt", "cleaning", "cooking"]
)
def test_a_walk_meets_the_same_actions_in_the_same_order(data: GameData, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, draw = GameProgression(Game.deserialize(data)), random.Random(1)
    for _ in range(40):
        with monkeypatch.context() as patch:
            patch.setattr(State, "_all_applicable_assignments", by_textworld)
            state = progress.state.copy()
            rules, known = progress.game.kb.rules.values(), progress.game.kb.types.constants_mapping
            expected = [str(action) for action in state.all_applicable_actions(rules, known)]
        assert [str(action) for action in progress.valid_actions] == expected
        progress.update(draw.choice(progress.valid_actions))


def test_the_search_is_in_use() -> None:
    assert State._all_applicable_assignments is applicable._all_applicable_assignments
