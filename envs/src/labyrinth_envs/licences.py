"""Prints the licence of every installed Python package, as a JSON list of objects with name, version and licence."""

import importlib.metadata
import json
from collections.abc import Iterator
from typing import Any

LONGEST = 60  # characters of a licence's name: a longer field holds its text


def licences() -> Iterator[dict[str, str]]:
    """Yields name, version and licence of each distribution; the licence is `unknown` where its metadata are silent."""
    for distribution in importlib.metadata.distributions():
        metadata: Any = distribution.metadata
        yield {"name": metadata["Name"], "version": distribution.version, "licence": licence_of(distribution)}


def licence_of(distribution: importlib.metadata.Distribution) -> str:
    """Returns the licence by its expression, its name or its classifier; else the head of the licence's own text."""
    metadata: Any = distribution.metadata
    classified = [
        name.split(" :: ")[-1] for name in metadata.get_all("Classifier") or [] if name.startswith("License ::")
    ]
    told = [metadata.get("License-Expression"), metadata.get("License"), " AND ".join(classified)]
    names = (first_line(text) for text in [*told, *texts_of(distribution)])
    return next((name for name in names if is_name(name)), "unknown")


def texts_of(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    """Yields the texts of the licence files that a distribution brings."""
    for file in distribution.files or []:
        if "licen" in file.name.lower() and file.suffix != ".py":
            yield file.read_text(encoding="utf-8")


def first_line(text: str | None) -> str:
    """Returns the first line that is not blank, without the marks of a heading."""
    return next((line.strip("# ").strip() for line in (text or "").splitlines() if line.strip("# ").strip()), "")


def is_name(line: str) -> bool:
    """Tells whether a line can be the name of a licence."""
    return 0 < len(line) <= LONGEST and line != "UNKNOWN" and not line.startswith("Copyright")


if __name__ == "__main__":
    print(json.dumps(sorted(licences(), key=lambda package: package["name"].lower())))
