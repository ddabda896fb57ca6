"""The actions of a state are those that TextWorld finds where it sorts all facts itself, in the same order."""

from __future__ import annotations

import random

import pytest
from textworld import Game, logic
from textworld.generator.game import GameProgression
from textworld.logic import State

from labyrinth_envs.textworld import cleaning, cooking, hunt, sorted_facts
from labyrinth_envs.textworld.gamedata import GameData


@pytest.mark.parametrize(
    "data", [hunt.make("hunt", 1), cleaning.make(1), cooking.make("cooking", 1)], ids=["hunt", "cleaning", "cooking"]
)
def test_a_walk_meets_the_same_actions_in_the_same_order(data: GameData, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, draw = GameProgression(Game.deserialize(data)), random.Random(1)
    for _ in range(40):
        with monkeypatch.context() as patch:
            patch.setattr(State, "facts_with_signature", sorted_facts._facts_of)
            patch.delattr(logic, "sorted")
            state = progress.state.copy()
            rules, known = progress.game.kb.rules.values(), progress.game.kb.types.constants_mapping
            expected = [str(action) for action in state.all_applicable_actions(rules, known)]
        assert [str(action) for action in progress.valid_actions] == expected
        progress.update(draw.choice(progress.valid_actions))


def test_an_order_is_kept_until_a_fact_of_its_signature_changes() -> None:
    state = GameProgression(Game.deserialize(hunt.make("hunt", 1))).state
    fact = next(fact for fact in state.facts if len(state.facts_with_signature(fact.signature)) > 2)
    facts = state.facts_with_signature(fact.signature)
    order = facts.in_order()
    assert order == sorted(facts)
    assert state.facts_with_signature(fact.signature).in_order() is order
    state.remove_fact(fact)
    assert facts.in_order() == [other for other in order if other != fact]
    state.add_fact(fact)
    assert facts.in_order() == order
