"""TextWorld's grammars are read as TextWorld reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
import textworld
from textworld.textgen import Alternative, TextGrammar

from labyrinth_envs.textworld import grammars
from tests.support import some

FILES = sorted(Path(textworld.__file__).parent.rglob("*.twg"))


def form(value: object) -> object:
    """A grammar as plain data."""
    if isinstance(value, Alternative):
        return type(value).__name__, {name: form(part) for name, part in vars(value).items()}
    return value


def rules(grammar: TextGrammar) -> object:
    return [(name, [form(one) for one in rule.alternatives]) for name, rule in grammar.rules.items()]


@pytest.mark.parametrize("file", some(FILES, 6), ids=lambda file: f"{file.parts[-4]}-{file.stem}")
def test_every_grammar_of_the_package_is_read_as_by_its_own_parser(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = file.read_text()
    expected = rules(grammars._by_textworld(text))
    monkeypatch.delattr(grammars, "_by_textworld")  # no line is left to it
    assert rules(TextGrammar.parse(text)) == expected


@pytest.mark.parametrize("text", ["a: b;\n c\n", "a: b | c | d\n", "no colon\n"])
def test_what_is_written_in_another_way_is_left_to_its_own_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammars, "_by_textworld", lambda grammar, filename: (grammar, filename))
    assert TextGrammar.parse(text, "file") == (text, "file")
