"""What is taken from the alfworld and textworld packages; importing it raises `ImportError` where they are absent.

`alfworld` makes a folder in the user's home when it is imported, and sets `ALFWORLD_DATA`: neither happens here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any


def _imported() -> dict[str, Any]:
    spec = find_spec("alfworld")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'alfworld'", name="alfworld")
    data = Path(spec.submodule_search_locations[0], "data")
    before = os.environ.get("ALFWORLD_DATA")
    os.environ["ALFWORLD_DATA"] = str(data)  # a folder that exists: nothing is made
    try:
        import fast_downward  # noqa: F401, I001  (textworld hides that it is missing until a game is started)
        import labyrinth_envs.parses  # noqa: F401  (it imports textworld)
        import textworld.envs.pddl  # noqa: F401
        from alfworld.agents.utils.misc import Demangler
        from alfworld.gen import constants
        from alfworld.gen.goal_library import gdict
    finally:
        if before is None:
            os.environ.pop("ALFWORLD_DATA", None)
        else:
            os.environ["ALFWORLD_DATA"] = before
    return {
        "version": f"alfworld {version('alfworld')}, textworld {version('textworld')}",
        "domain": (data / "alfred.pddl").read_text(encoding="utf-8"),
        "grammar": (data / "alfred.twl2").read_text(encoding="utf-8"),
        "demangler": Demangler,
        "constants": constants,
        "goals": gdict,
    }


try:
    _parts = _imported()
except OSError as error:
    raise ImportError(f"the files of the package alfworld cannot be read: {error}", name="alfworld") from error

VERSION: str = _parts["version"]

DOMAIN: str = _parts["domain"]
"""The rules, PDDL."""

HOLDS: dict[str, frozenset[str]] = {
    place: frozenset(things) for place, things in _parts["constants"].VAL_RECEPTACLE_OBJECTS.items()
}
"""Type of receptacle → the types of object that it can hold."""

DOES: dict[str, frozenset[str]] = {
    name.lower(): frozenset(things) for name, things in _parts["constants"].VAL_ACTION_OBJECTS.items()
}
"""`cleanable`, `heatable`, `coolable`, `sliceable`, `toggleable` → the types of object that are."""

OPENABLE = frozenset(_parts["constants"].OPENABLE_CLASS_LIST)
"""Types of receptacle that are closed at first."""


def grammar_of(sentence: str) -> str:
    """The texts of the world, with the task's sentence in place."""
    return str(_parts["grammar"]).replace("UNKNOWN GOAL", sentence)


def goal_of(task: str, object: str, place: str) -> str:
    """The goal of an official task type over two types, PDDL; its last bracket closes the problem."""
    goal: str = _parts["goals"][task]["pddl"]
    return goal.replace("#", "-").format(obj=object, recep=place, toggle=place, mrecep="")


def sentences_of(task: str, object: str, place: str) -> list[str]:
    """The wordings of an official task type, without a full stop."""
    words = {"obj": object.lower(), "recep": place.lower(), "toggle": place.lower()}
    return [template.format(**words) for template in _parts["goals"][task]["templates"]]


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """Maps ids to the names in the texts: `mug_bar_01` → "mug 2" (of two, counted downwards)."""
    demangler = _parts["demangler"](game_infos={id_: SimpleNamespace(id=id_) for id_ in ids})
    return {id_: demangler.demangle_alfred_name(id_) for id_ in ids}
