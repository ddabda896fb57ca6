"""The kernel that a front end sees: passes messages to Deno and back, and ends a cell only when its outputs are out.

Deno's kernel announces the end of a cell while outputs are still queued, and stamps what is left with the next request.
So one cell runs at a time; behind each goes a fence (`cell.Cell`), and only when that has come back do the cell's
reply and idle go to the front end. A late output of a timer or of the fence's time is given to the cell before it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import zmq

from labyrinth_kernel.cell import BUSY, PATIENCE, SAMPLE, Cell, Stop, failure
from labyrinth_kernel.channels import Channels
from labyrinth_kernel.deno import Deno
from labyrinth_kernel.lockfile import LockGuard
from labyrinth_kernel.logs import Logs
from labyrinth_kernel.syntax import explain
from labyrinth_kernel.wire import Json, Message, WireError

FENCE = "labyrinth_fence"
FENCE_CODE = f"globalThis.Deno.jupyter.broadcast({json.dumps(FENCE)}, {{}})"
OF_THE_FENCE = {"status", "execute_input", FENCE}
"""Messages of the fence that no front end sees; whatever else arrives under its name is a late output."""
REMEMBERED = 64
"""Fences whose late outputs still find their cell."""
IN_FLIGHT = 0.2
"""Seconds in which requests sent before an error may still arrive; a bound, as the front end's clock may differ."""


class Proxy:
    """Front end on one side, Deno on the other; one thread, never blocked by either."""

    def __init__(self, channels: Channels, deno: Deno) -> None:
        """Deno's outputs come through `channels` already."""
        self._deno = deno
        self._channels, self._codec = channels, channels.codec
        self._send, self._to_deno = channels.send, channels.to_deno
        self._logs = Logs(lambda message: self._send("iopub", message))
        self._queue: deque[Message] = deque()
        self._cell: Cell | None = None
        self._asked: dict[str, tuple[bytes, ...]] = {}  # request's id → who asked
        self._fences: OrderedDict[str, Message] = OrderedDict()  # fence's id → the request of its cell
        self._failed_at: datetime | None = None
        self._shutdown = False
        self._lock = LockGuard(Path.cwd())

    def run(self, parent: int) -> int:
        """Passes messages until Deno ends or the process that started the kernel is gone."""
        front, back = self._channels.front, self._channels.back
        takers: dict[zmq.Socket[bytes], Callable[[Message], None]] = {
            front["shell"]: self._shell_request,
            front["control"]: self._control_request,
            front["stdin"]: lambda message: self._to_deno("stdin", message),
            back["shell"]: self._shell_answer,
            back["control"]: self._control_answer,
            back["stdin"]: self._stdin_question,
            back["iopub"]: self._publication,
        }
        poller = zmq.Poller()
        for one in (*takers, front["hb"]):
            poller.register(one, zmq.POLLIN)
        while self._deno.alive and os.getppid() == parent:
            for one, _ in poller.poll(20 if self._logs.due < float("inf") else 200):
                frames = one.recv_multipart()
                if one is front["hb"]:
                    one.send_multipart(frames)
                else:
                    self._take(takers[one], frames)
            self._tick(time.monotonic())
        while back["iopub"].poll(50):  # what Deno said last
            self._take(self._publication, back["iopub"].recv_multipart())
        return self._farewell()

    def _take(self, taker: Callable[[Message], None], frames: list[bytes]) -> None:
        try:
            taker(self._codec.decode(frames))
        except WireError as error:  # a stranger's frames, or Deno's own garbled by an output of many MB
            print(f"a message was dropped: {error}", file=sys.stderr)

    def _tick(self, now: float) -> None:
        if now > self._logs.due:
            self._logs.flush()
        cell = self._cell
        if not cell:
            return
        if cell.wants_fence(now):
            self._send_fence(cell)
        if cell.stop and now > cell.stop.sampled + SAMPLE:
            self._look_at_stopped(cell, cell.stop, now)
        if now > cell.quiet_until:
            self._reopen(cell)
            self._end(cell)

    # Requests of the front end

    def _shell_request(self, message: Message) -> None:
        self._queue.append(message)
        if self._sent_before_failure(message):
            self._abort_queue()
        self._next()

    def _control_request(self, message: Message) -> None:
        if message.type == "interrupt_request":
            self._abort_queue()
            self._interrupt()
            self._send("control", self._codec.make("interrupt_reply", {"status": "ok"}, message))
            return
        self._shutdown = self._shutdown or message.type == "shutdown_request"
        self._asked[message.id] = message.identities
        self._to_deno("control", message)

    def _next(self) -> None:
        while self._queue and not self._cell:
            message = self._queue.popleft()
            self._asked[message.id] = message.identities
            if message.type == "execute_request":
                self._cell = Cell(message)
                self._lock.begin(str(message.content.get("code", "")))
            self._to_deno("shell", message)

    def _abort_queue(self) -> None:
        """Answers the cells that wait as aborted; other requests, and silent code of the front end itself, stay."""
        waiting, self._queue = self._queue, deque()
        for message in waiting:
            if message.type != "execute_request" or message.content.get("silent"):
                self._queue.append(message)
                continue
            self._publish("status", {"execution_state": "busy"}, message)
            self._send("shell", self._codec.make("execute_reply", {"status": "aborted"}, message))
            self._publish("status", {"execution_state": "idle"}, message)

    def _sent_before_failure(self, message: Message) -> bool:
        """Whether a request left the front end before a cell failed and comes in only now: the rest of a Run All."""
        if self._failed_at is None or (datetime.now(UTC) - self._failed_at).total_seconds() > IN_FLIGHT:
            return False
        try:
            sent = datetime.fromisoformat(str(message.header.get("date")).replace("Z", "+00:00"))
            return sent < self._failed_at
        except (ValueError, TypeError):  # no date, or one without a time zone
            return False

    # Stop

    def _interrupt(self) -> None:
        """First stage: a hint that code may listen to. The second stage follows only while the processor is busy."""
        self._deno.hint()
        cell, now = self._cell, time.monotonic()
        if not cell or cell.reply:
            return
        if cell.stop:
            cell.stop.told = False
        else:
            cell.stop = Stop(now, self._deno.demand(), now)

    def _look_at_stopped(self, cell: Cell, stop: Stop, now: float) -> None:
        """Still running after the hint: Deno's own interrupt ends a busy loop, but in an await it hangs Deno."""
        demand = self._deno.demand()
        share = (demand - stop.demand) / (now - stop.sampled) if demand is not None and stop.demand is not None else 0
        stop.demand, stop.sampled = demand, now
        listens = self._deno.listens()
        if listens and now < stop.asked + PATIENCE:
            return
        if share > BUSY:
            stop.forced = True
            self._to_deno("control", self._codec.make("interrupt_request", {}))
        elif not stop.told:
            stop.told = True
            what = "was broken off and cannot go on" if stop.forced else "waits for something that does not react"
            text = f"Stop: the cell {what}; restart the kernel to give it up\n"
            self._publish("stream", {"name": "stderr", "text": text}, cell.request)

    # Answers of Deno

    def _shell_answer(self, message: Message) -> None:
        cell = self._cell
        if cell and message.parent_id == cell.request.id:
            cell.reply, cell.replied, now = message, time.monotonic(), time.monotonic()
            if cell.wants_fence(now):
                self._send_fence(cell)
        elif cell and cell.fence and message.parent_id == cell.fence.id:
            cell.fence_answered = True
            cell.heard(time.monotonic())
            self._end_when_out(cell)
        else:
            self._answer("shell", message)

    def _control_answer(self, message: Message) -> None:
        if message.type != "interrupt_reply":  # answered already
            self._answer("control", message)

    def _stdin_question(self, message: Message) -> None:
        if self._cell:
            self._send("stdin", replace(message, identities=self._cell.request.identities))

    def _publication(self, message: Message) -> None:
        cell = self._cell
        if cell:
            cell.heard(time.monotonic())
        if message.parent_id in self._fences:
            if message.type == FENCE and cell and cell.fence and message.parent_id == cell.fence.id:
                cell.fence_passed = True
                self._end_when_out(cell)
            if message.type in OF_THE_FENCE:
                return
            late = replace(message, parent_json=self._fences[message.parent_id].header_json)
        elif cell and message.parent_id == cell.request.id and message.says_idle:
            cell.idle = message
            if cell.wants_fence(time.monotonic()):
                self._send_fence(cell)
            return
        else:
            late = message
        if cell and message.type == "error" and cell.owns(message):
            cell.error = late.legible()  # Deno sends it ahead of outputs that came before it
        elif message.type == "stream":
            self._logs.add(late)
        else:
            self._emit(late)

    # The end of a cell

    def _send_fence(self, cell: Cell) -> None:
        quiet = {"silent": True, "store_history": False, "allow_stdin": False, "stop_on_error": False}
        cell.fence = self._codec.make("execute_request", {"code": FENCE_CODE, **quiet})
        self._fences[cell.fence.id] = cell.request
        while len(self._fences) > REMEMBERED:
            self._fences.popitem(last=False)
        self._to_deno("shell", cell.fence)

    def _end_when_out(self, cell: Cell) -> None:
        if cell.ended:
            self._end(cell)

    def _reopen(self, cell: Cell) -> None:
        """The fence is lost: Deno can garble its stream on outputs of many MB. A fresh subscription reads on."""
        self._channels.subscribe_anew()
        text = "An output of this cell was lost: keep a single output below 1 MB\n"
        self._publish("stream", {"name": "stderr", "text": text}, cell.request)

    def _end(self, cell: Cell) -> None:
        """Lets the cell's error, reply and idle go, in this order, and the next request come."""
        assert cell.reply is not None
        self._lock.end()
        request, reply = cell.request, cell.reply
        failed = reply.content.get("status") == "error"
        if failed and not cell.error:
            silent = self._unspoken(cell)
            reply = reply.with_content({**reply.content, **silent})
            cell.error = self._codec.make("error", silent, request)
        if cell.error:
            self._emit(cell.error)
        self._answer("shell", reply)
        self._publish_idle(cell)
        self._cell = None
        if failed and request.content.get("stop_on_error", True):
            self._failed_at = datetime.now(UTC)
            self._abort_queue()
        self._next()

    def _unspoken(self, cell: Cell) -> Json:
        """The error of a cell that Deno failed without a word."""
        if cell.stop and cell.stop.forced:
            return failure("Interrupted", ["stopped by the user"])
        parsed = explain(str(cell.request.content.get("code", "")))
        return failure("SyntaxError", parsed or ["Deno cannot run this cell and gives no reason"])

    def _publish_idle(self, cell: Cell) -> None:
        self._emit(cell.idle or self._codec.make("status", {"execution_state": "idle"}, cell.request))

    def _farewell(self) -> int:
        """Ends what is open and returns the exit code; a kernel that died says so in the cell that ran."""
        died = not self._shutdown and not self._deno.alive
        code = self._deno.stop()
        self._lock.end()
        cell, self._cell = self._cell, None
        if died and cell:
            error = failure("KernelDied", [f"Deno ended with code {code} while this cell ran; all variables are gone"])
            self._publish("error", error, cell.request)
            reply = {"status": "error", "execution_count": 0, **error}
            self._send("shell", self._codec.make("execute_reply", reply, cell.request))
            self._publish_idle(cell)
        if died:
            self._abort_queue()
        self._logs.flush()
        return (code or 1) if died else 0

    # Sending

    def _answer(self, channel: str, message: Message) -> None:
        self._send(channel, replace(message, identities=self._asked.pop(message.parent_id, ())))

    def _publish(self, kind: str, content: Json, answers: Message) -> None:
        self._emit(replace(self._codec.make(kind, content, answers), identities=()))

    def _emit(self, message: Message) -> None:
        self._logs.flush()
        self._send("iopub", message)
