"""The fence: a silent request behind each cell, whose own message comes when all outputs of the cell have come."""

from __future__ import annotations

import json
from collections import OrderedDict

from labyrinth_kernel.wire import Codec, Message

FENCE = "labyrinth_fence"
CODE = f"globalThis.Deno.jupyter.broadcast({json.dumps(FENCE)}, {{}})"
UNSEEN = {"status", "execute_input", FENCE}
"""Messages of the fence that no front end sees; whatever else arrives under its name is a late output."""
REMEMBERED = 64
"""Fences whose late outputs still find their cell."""


class Fences:
    """The latest fences and the requests of their cells."""

    def __init__(self, codec: Codec) -> None:
        """Makes fences as `codec` signs them."""
        self._codec = codec
        self._requests: OrderedDict[str, Message] = OrderedDict()

    def make(self, request: Message) -> Message:
        """The fence of the cell that `request` asked for."""
        fence = self._codec.silent(CODE)
        self._requests[fence.id] = request
        while len(self._requests) > REMEMBERED:
            self._requests.popitem(last=False)
        return fence

    def request_of(self, fence: str) -> Message | None:
        """The request of the cell behind which a fence, given by its id, was sent."""
        return self._requests.get(fence)
