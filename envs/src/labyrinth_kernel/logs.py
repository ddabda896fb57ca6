"""Gathers log lines: Deno sends a message a line, and Jupyter's server drops outputs above 1,000 messages a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from labyrinth_kernel.wire import Message

WAIT = 0.05
"""Seconds that a line waits for company."""
MOST = 256 * 1024
"""Characters from which a gathered text leaves at once."""


@dataclass
class Logs:
    """Joins stream texts of one request and one stream as long as nothing else comes between; order is kept."""

    send: Callable[[Message], None]
    _first: Message | None = None
    _texts: list[str] = field(default_factory=list)
    _length: int = 0
    due: float = float("inf")

    def add(self, message: Message) -> None:
        """Takes one stream message; it leaves with its company."""
        first = self._first
        if first and (
            first.parent_json != message.parent_json or first.content.get("name") != message.content.get("name")
        ):
            self.flush()
        if not self._first:
            self._first, self.due = message, time.monotonic() + WAIT
        text = str(message.content.get("text", ""))
        self._texts.append(text)
        self._length += len(text)
        if self._length >= MOST:
            self.flush()

    def flush(self) -> None:
        """Sends what is gathered."""
        first, texts = self._first, self._texts
        self._first, self._texts, self._length, self.due = None, [], 0, float("inf")
        if first:
            self.send(first.with_content({"name": first.content.get("name"), "text": "".join(texts)}))
