"""What TextWorld parses with TatSu, parsed once on a machine: the rules of its games, and ALFWorld's texts.

It was two fifths of what the fork server does before it can serve, and of opening a household more than half. A tree is
kept as JSON among the compiled games, by the SHA-256 of its versions and text, and is built from that without running
anything that a file says; one that was cut off, changed or put there for another text is parsed again. Importing this
module imports `textworld`, whose own rules are parsed as soon as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from labyrinth_envs.cache import Entry

SHORT = 500
"""Characters up to which a text is quicker to parse than to look up: single predicates, and lines of a grammar."""


def kept(parse: Callable[..., Any], *modules: ModuleType, hidden: Iterable[str] = ()) -> Callable[..., Any]:
    """A parser that is asked once for each text, and by its `rule_name`.

    Its trees are made of lists, dictionaries, plain values, and objects of classes that the `modules` define. The
    attributes `hidden` are left out.
    """
    named = [(module.__name__, *item) for module in modules for item in vars(module).items()]
    known = {name: cls for module, name, cls in named if isinstance(cls, type) and cls.__module__ == module}
    left_out = frozenset(hidden)

    def parsed(text: str, **options: Any) -> Any:
        if len(text) <= SHORT:
            return parse(text, **options)
        versions = [version("textworld"), version("tatsu")]
        entry = Entry("parse", versions, sorted(known), options.get("rule_name"), text)
        content = entry.read()
        if content is not None:
            with suppress(Exception):  # of a class that the modules do not define
                return _built(json.loads(content), known)
        tree = parse(text, **options)
        with suppress(Exception):  # too deep, or nothing that can be written
            entry.try_write(json.dumps(_plain(tree, left_out)).encode())
        return tree

    return parsed


def _plain(part: Any, hidden: frozenset[str]) -> Any:
    """Lists as they are, a dictionary as `{"": its items}`, an object as `{its class: its attributes}`."""
    if part is None or isinstance(part, (str, int, float)):
        return part
    if isinstance(part, (list, tuple)):
        return [_plain(each, hidden) for each in part]
    if isinstance(part, dict):
        return {"": {name: _plain(value, hidden) for name, value in part.items()}}
    attributes = vars(part).items()
    return {type(part).__name__: {name: _plain(value, hidden) for name, value in attributes if name not in hidden}}


def _built(plain: Any, known: dict[str, type]) -> Any:
    if isinstance(plain, list):
        return [_built(each, known) for each in plain]
    if not isinstance(plain, dict):
        return plain
    [(name, parts)] = plain.items()
    attributes = {name: _built(part, known) for name, part in parts.items()}
    if name == "":
        return attributes
    made: Any = object.__new__(known[name])
    made.__dict__.update(attributes)
    return made


def _import_textworld() -> None:
    spec = find_spec("textworld")
    if spec is None or spec.loader is None:  # the worlds say that it is missing
        return
    first = "textworld" not in sys.modules
    package = sys.modules.setdefault("textworld", module_from_spec(spec))
    try:
        with suppress(ModuleNotFoundError):  # the package itself says best what it lacks
            logic = import_module("textworld.logic")
            hidden = ("_parent", "_children", "ast", "ctx", "parseinfo")
            logic._PARSER.parse = kept(logic._PARSER.parse, logic.model, hidden=hidden)
        if first:
            spec.loader.exec_module(package)
    except BaseException:
        if first:
            del sys.modules["textworld"]
        raise


_import_textworld()
