"""Requests of the front end that wait for the running cell, and what an error does to them."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime

from labyrinth_kernel.wire import Message

IN_FLIGHT = 0.2
"""Seconds in which requests sent before an error may still arrive; a bound, as the front end's clock may differ."""


class Waiting:
    """The queue of requests. After an error the rest of a Run All is taken out of it, also what comes in late."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._queue: deque[Message] = deque()
        self._failed_at: datetime | None = None

    def add(self, message: Message) -> bool:
        """Takes a request in; whether it left the front end before a cell failed and comes in only now."""
        self._queue.append(message)
        if self._failed_at is None or (datetime.now(UTC) - self._failed_at).total_seconds() > IN_FLIGHT:
            return False
        try:
            sent = datetime.fromisoformat(str(message.header.get("date")).replace("Z", "+00:00"))
            return sent < self._failed_at
        except (ValueError, TypeError):  # no date, or one without a time zone
            return False

    def next(self) -> Message | None:
        """Takes the first request out."""
        return self._queue.popleft() if self._queue else None

    def failed(self) -> None:
        """Notes that a cell failed just now."""
        self._failed_at = datetime.now(UTC)

    def drop_cells(self) -> list[Message]:
        """Takes the cells out; other requests, and silent code of the front end itself, stay."""
        waiting, self._queue = self._queue, deque()
        cells: list[Message] = []
        for message in waiting:
            is_cell = message.type == "execute_request" and not message.content.get("silent")
            (cells if is_cell else self._queue).append(message)
        return cells
