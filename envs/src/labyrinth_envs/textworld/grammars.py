"""TextWorld's text grammars, read line by line: its own parser takes 0.7 s for those of each kind of game."""

from __future__ import annotations

import re

from textworld.textgen import (
    AdjectiveNounAlternative,
    Alternative,
    LiteralAlternative,
    MatchAlternative,
    ProductionRule,
    TextGrammar,
)

_LITERAL = r"((?:[^;|<>\n\[\]()]|\[[^\[\]]*\]|\([^()]*\))+)"
_RULE = re.compile(r"[\t ]*([\w()/!<>-]+)[\t ]*:")
_ALTERNATIVE = re.compile(rf"(?:{_LITERAL}(?:\|{_LITERAL})?(?:<->{_LITERAL}(?:\|{_LITERAL})?)?)?(?:;|$)")
_by_textworld = TextGrammar.parse


class _Unusual(Exception):
    """A line is written in another way than those of TextWorld's own files."""


def _parse(cls: type[TextGrammar], grammar: str, filename: str | None = None) -> TextGrammar:
    lines = (line for line in grammar.split("\n") if line.strip() and not line.startswith("#"))
    try:
        return cls([_rule(line) for line in lines])
    except _Unusual:
        return _by_textworld(grammar, filename=filename)


def _rule(line: str) -> ProductionRule:
    """`symbol: alternative; alternative`, where an empty one does not count."""
    head = _known(_RULE.match(line))
    alternatives, at = [], head.end()
    while at < len(line):
        found = _known(_ALTERNATIVE.match(line, at))
        at = found.end()
        if found[0].strip("\t ;"):
            left, right = _entity(found[1], found[2]), found[3] and _entity(found[3], found[4])
            alternatives.append(MatchAlternative(left, right) if right else left)
    return ProductionRule(head[1], alternatives)


def _entity(*words: str | None) -> Alternative:
    """`noun`, or `adjective | noun`."""
    texts = [word.strip("\t ") for word in words if word is not None]
    if any(not text or text[-1].isspace() for text in texts):
        raise _Unusual
    first, *rest = (text.replace("\\n", "\n") for text in texts)
    return AdjectiveNounAlternative(first, *rest) if rest else LiteralAlternative(first)


def _known(found: re.Match[str] | None) -> re.Match[str]:
    if found is None:
        raise _Unusual
    return found


TextGrammar.parse = classmethod(_parse)
