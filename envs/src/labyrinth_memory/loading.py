"""From the name of a memory to its class, and to the version of its code."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from types import ModuleType


class LoadError(Exception):
    """The memory cannot be loaded; the message is one line."""


def load(name: str) -> type:
    """The class that `FILE.py`, `FILE.py:Class` or `package.module:Class` names; a file may hold one memory alone.

    Raises:
        LoadError: there is no such file, module or class, or importing it failed.
    """
    place, wanted = split(name)
    try:
        module = _module_of_file(place) if place.endswith(".py") else importlib.import_module(place)
    except Exception as error:
        raise LoadError(f"cannot load {name}: {type(error).__name__}: {error}") from error
    if wanted is not None:
        found = getattr(module, wanted, None)
        if not isinstance(found, type):
            raise LoadError(f"cannot load {name}: {place} has no class {wanted}")
        return found
    own = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__ and is_memory(value)
    ]
    if len(own) != 1:
        names = ", ".join(found.__name__ for found in own) or "none"
        raise LoadError(f"cannot load {name}: wanted one class with observe and recall, found {names}; add :CLASS")
    return own[0]


def is_memory(value: type) -> bool:
    """Whether a class has what every memory has."""
    return callable(getattr(value, "observe", None)) and callable(getattr(value, "recall", None))


def split(name: str) -> tuple[str, str | None]:
    """Place and class of a name; the class is None where the name leaves it out."""
    place, colon, wanted = name.rpartition(":")
    return (place, wanted) if colon and wanted.isidentifier() else (name, None)


def identify(name: str) -> str:
    """The version of the package and the SHA-256 of the module's file: what an episode is identified by.

    Raises:
        LoadError: there is no such module.
    """
    place, _ = split(name)
    try:
        spec = importlib.util.find_spec(place)
    except Exception as error:
        raise LoadError(f"cannot find {place}: {type(error).__name__}: {error}") from error
    if spec is None or spec.origin is None:
        raise LoadError(f"cannot find {place}: there is no such module in {sys.executable}")
    digest = hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
    top = place.partition(".")[0]
    try:
        named = " ".join(f"{each} {version(each)}" for each in sorted(packages_distributions().get(top, [])))
    except PackageNotFoundError:
        named = ""
    return f"{named} sha256:{digest}".strip()


def _module_of_file(place: str) -> ModuleType:
    path = Path(place)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise LoadError(f"cannot load {place}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module
