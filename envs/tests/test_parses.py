"""What is parsed once on a machine is what the parsers themselves read, wherever it comes from."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

textgen = pytest.importorskip("textworld.envs.pddl.textgen", reason="textworld is not installed")
from textworld.envs.pddl import logic  # noqa: E402

from labyrinth_envs.alfworld.generate import household  # noqa: E402
from labyrinth_envs.parses import SHORT, kept  # noqa: E402


def told(part: Any) -> Any:
    """Rules and symbols with all that they hold, to be compared."""
    if isinstance(part, (list, tuple)):
        return [told(each) for each in part]
    if isinstance(part, dict):
        return [[name, told(value)] for name, value in part.items()]
    if isinstance(part, (logic.Action, textgen.ContextSensitiveGrammar, textgen.ProductionRule, textgen.Symbol)):
        return [type(part).__name__, told(vars(part))]
    return part


def test_the_texts_of_a_game_are_parsed_once_on_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "cache"))
    parsed: list[str] = []

    def counted(text: str, **options: Any) -> Any:
        parsed.append(text)
        return logic._ModelConverter().walk(logic._PARSER.parse(text, **options))

    def read(text: str) -> Any:
        return told(kept(counted, logic, textgen)(text, rule_name="pddlStart"))

    one, other = household("heat", 4).game().grammar, household("put", 9).game().grammar
    first = read(one)
    assert all(f"'{kind}Symbol'" in str(first) for kind in ("Terminal", "Nonterminal", "Eval", "Conditional", "List"))
    assert read(one) == first and read(other) != first and parsed == [one, other]
    places = list((tmp_path / "cache").iterdir())
    whole = [place.read_bytes() for place in places]
    for place, content, foreign in zip(places, whole, reversed(whole), strict=True):
        for wrong in (
            content[:-100],
            zlib.compress(b"[]"),
            foreign,
        ):  # the disk ran full, or something else wrote there
            place.write_bytes(wrong)
            assert read(one) == first
    assert len(parsed) == 5
    monkeypatch.setenv("LABYRINTH_CACHE", "/dev/null/cache")  # nothing can be kept there
    assert read(one) == first and len(parsed) == 6
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "cache"))
    assert kept(lambda text, **_: deep, logic)("x" * (SHORT + 1)) is deep, "what cannot be kept"
    short = "x" * SHORT
    assert kept(lambda text, **_: [text], logic)(short) == [short] and not list(tmp_path.glob("cache/*.tmp"))


def test_a_parser_is_asked_anew_for_another_rule_and_whether_a_tree_is_kept_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path))
    text = "o" * (SHORT + 1)
    parse = kept(lambda text, rule_name: [rule_name, {"": text}, 1, 0.5, None, True], logic)
    for _ in range(2):
        assert [parse(text, rule_name=rule) for rule in ("a", "b")] == [
            [rule, {"": text}, 1, 0.5, None, True] for rule in ("a", "b")
        ]
    assert len(list(tmp_path.iterdir())) == 2
