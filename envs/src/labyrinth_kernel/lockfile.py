"""Keeps the project's lock file as it is while cells import packages that it does not know."""

from __future__ import annotations

import os
import re
from pathlib import Path

SPECIFIER = re.compile(r"""["'](?:npm|jsr|https?):""")
"""What begins an import that names its package, and no name of the project's import map."""


class LockGuard:
    """Undoes what Deno writes into `deno.lock` for a package that only a cell names.

    `deno jupyter` has no option against it. The guard looks only while a cell runs, and only from
    the first such cell on, so that an edit of one's own stays.
    """

    def __init__(self, folder: Path) -> None:
        """Guards the lock file of the project that `folder` lies in."""
        roots = (folder, *folder.parents)
        found = [one / "deno.lock" for one in roots if (one / "deno.json").exists() and (one / "deno.lock").exists()]
        self._path = found[0] if found else None
        self._watches = False
        self._before: bytes | None = None

    def begin(self, code: str) -> None:
        """A cell begins."""
        self._watches = self._watches or SPECIFIER.search(code) is not None
        if self._path and self._watches:
            self._before = self._path.read_bytes() if self._path.exists() else None

    def end(self) -> None:
        """All outputs of the cell are out: what it has written into the lock file goes."""
        before, self._before = self._before, None
        if not self._path or before is None or (self._path.exists() and self._path.read_bytes() == before):
            return
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        fresh.write_bytes(before)
        fresh.replace(self._path)
