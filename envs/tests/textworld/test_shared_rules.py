"""TextWorld's rules are parsed once for all sessions, and are those that each would have parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from labyrinth_envs.textworld import worlds  # isort: skip  (it keeps the rules of textworld)
from textworld import logic
from textworld.generator.data import LOGIC_DATA_PATH, KnowledgeBase
from textworld.logic import GameLogic


def told(logic: GameLogic) -> dict[str, list[str]]:
    """All that a game asks of its rules, as text; sets sorted, the rest in its order."""
    knowledge = KnowledgeBase(logic, "")
    inform = {
        name: list(map(str, vars(knowledge)[name].items()))
        for name in vars(knowledge)
        if name.startswith("inform7_") and name != "inform7_addons_code"
    }
    named = {
        name: list(map(str, vars(logic)[name].items())) for name in ("aliases", "rules", "constraints", "reverse_rules")
    }
    sets = {name: sorted(map(str, vars(logic)[name])) for name in ("types", "predicates")}
    return {**inform, **named, **sets, "code": [logic.inform7.code]}


def test_the_rules_of_a_game_are_those_that_its_file_holds() -> None:
    document = KnowledgeBase.load().logic.serialize()
    shared, parsed = GameLogic.deserialize(document + "\n"), GameLogic.parse(document)
    assert shared is not parsed
    assert told(shared) == told(parsed)
    assert len(told(shared)["rules"]) > 20


def test_rules_that_are_kept_on_this_machine_are_those_that_are_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert logic._PARSER.parse.__module__ == "labyrinth_envs.parses"
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path))
    files = sorted(Path(LOGIC_DATA_PATH).glob("*.twl"))
    kept = [told(GameLogic.load(map(str, files))) for _ in range(2)]
    assert list(tmp_path.iterdir())
    monkeypatch.delattr(logic._PARSER, "parse")  # what the class has
    assert kept == [told(GameLogic.load(map(str, files)))] * 2
    assert len(kept[0]["rules"]) > 20


def test_other_rules_are_parsed() -> None:
    assert list(GameLogic.deserialize("type X { rules { go :: p(X) -> q(X); } predicates { p(X); q(X); } }").rules) == [
        "go"
    ]


@pytest.mark.parametrize("world", [worlds.Hunt, worlds.Cleaning])
def test_opening_a_game_parses_no_rules(world: type[worlds.Hunt], monkeypatch: pytest.MonkeyPatch) -> None:
    world(world.Parameters()).close()  # it may have to be compiled first

    def parse(self: GameLogic, document: str, path: str | None = None) -> None:
        raise AssertionError(f"parsed again: {document[:80]}")

    monkeypatch.setattr(GameLogic, "_parse", parse)
    game = world(world.Parameters())
    assert game.reset().observation
    game.close()
