"""Entries of the machine's cache: what takes long to make, made once, and read from then on.

An entry lies among the compiled games, named by the SHA-256 of what was asked and by its kind. It begins with the
SHA-256 of what was asked and of the rest, which is the content, compressed: one that was cut off, changed or put there
for something else is as good as none.
"""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from contextlib import suppress
from hashlib import sha256

from labyrinth_envs.world import cache_folder

DIGEST = sha256().digest_size


class Entry:
    """The entry of a kind for what it follows from: texts, versions, parameters, whatever is plain."""

    def __init__(self, kind: str, *asked: object) -> None:
        self._asked = json.dumps([kind, *asked], sort_keys=True).encode()
        self.place = cache_folder() / f"{sha256(self._asked).hexdigest()}.{kind}.z"

    def read(self) -> bytes | None:
        """What was kept; `None` where nothing was, or what lies there is not that."""
        try:
            whole = self.place.read_bytes()
        except OSError:
            return None
        packed = whole[DIGEST:]
        return zlib.decompress(packed) if whole[:DIGEST] == self._digest(packed) else None

    def write(self, content: bytes) -> None:
        """Keeps it, whole: under another name first, since several processes may make the same entry at once.

        Raises `OSError`.
        """
        packed = zlib.compress(content, 1)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.place.parent, delete=False) as file:
            try:
                file.write(self._digest(packed) + packed)
                file.flush()
                os.chmod(file.name, 0o644)  # as the compiled games are: another user may play them
                os.replace(file.name, self.place)
            except BaseException:
                os.unlink(file.name)
                raise

    def try_write(self, content: bytes) -> None:
        """Keeps it where there is room and a right to; where not, it is made again."""
        with suppress(OSError):
            self.write(content)

    def _digest(self, packed: bytes) -> bytes:
        return sha256(self._asked + packed).digest()
