"""What is known of the running cell, and when it may end."""

from __future__ import annotations

from dataclasses import dataclass, field

from labyrinth_kernel.syntax import explain
from labyrinth_kernel.wire import Codec, Json, Message

QUIET = 2.0
"""Seconds without any message after which a fence that did not come is given up."""
LOST_IDLE = 1.0
"""Seconds after a reply for which its idle is waited for."""


@dataclass
class Stop:
    """The user pressed Stop: the hint is sent, and the cell is looked at until it ends."""

    asked: float
    demand: float | None
    sampled: float
    told: bool = False
    forced: bool = False


@dataclass
class Cell:
    """The execute request that Deno is working on.

    It passes three marks: Deno's reply and idle; the answer to the fence, a silent request sent right behind them; and
    the fence's own message. Deno sends its outputs in order, so when that one has come, every output of the cell has.
    A `held` one is not yet sent.
    """

    request: Message
    held: bool = False
    reply: Message | None = None
    replied: float = 0
    idle: Message | None = None
    fence: Message | None = None
    fence_answered: bool = False
    fence_passed: bool = False
    quiet_until: float = field(default=float("inf"))
    error: Message | None = None
    stop: Stop | None = None

    @property
    def code(self) -> str:
        """What the cell says."""
        return str(self.request.content.get("code", ""))

    @property
    def silent(self) -> bool:
        """Whether it is code of the front end's own, not the user's."""
        return bool(self.request.content.get("silent"))

    @property
    def ended(self) -> bool:
        """Whether every output is out."""
        return self.fence_answered and self.fence_passed

    @property
    def failed(self) -> bool:
        """Whether its reply says that it failed."""
        return self.reply is not None and self.reply.content.get("status") == "error"

    def fail(self, codec: Codec, error: Json, said: Json | None = None) -> None:
        """Gives it an error of the kernel's own, and a reply that says so; `said` is what Deno's reply says."""
        reply = {"execution_count": 0, **(said or {}), "status": "error", **error}
        self.reply = codec.make("execute_reply", reply, self.request)
        self.error = codec.make("error", error, self.request)

    def wants_fence(self, now: float) -> bool:
        """Whether Deno is done with the code, as far as it says."""
        return bool(self.reply and not self.fence and (self.idle or now > self.replied + LOST_IDLE))

    def owns(self, message: Message) -> bool:
        """Whether Deno sent the message for this cell or for its fence."""
        return message.parent_id == self.request.id or bool(self.fence and message.parent_id == self.fence.id)

    def heard(self, now: float) -> None:
        """Outputs still come: wait on."""
        if self.fence_answered:
            self.quiet_until = now + QUIET


def failure(reason: str, lines: list[str]) -> Json:
    """The content of an error that the kernel itself reports."""
    return {"ename": reason, "evalue": lines[0], "traceback": [f"{reason}: {lines[0]}", *lines[1:]]}


def unspoken(cell: Cell) -> Json:
    """The error of a cell that Deno failed without a word."""
    if cell.stop and cell.stop.forced:
        return failure("Interrupted", ["stopped by the user"])
    return failure("SyntaxError", explain(cell.code) or ["Deno cannot run this cell and gives no reason"])
