"""The kernel that a front end sees: passes messages to Deno and back, and ends a cell only when its outputs are out.

Deno's kernel announces the end of a cell while outputs are still queued, and stamps what is left with the next request.
So one cell runs at a time; behind each goes a fence (`cell.Cell`), and only when that has come back do the cell's
reply and idle go to the front end. A late output of a timer or of the fence's time is given to the cell before it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import zmq

from labyrinth_kernel.cell import Cell, failure, unspoken
from labyrinth_kernel.channels import Channels
from labyrinth_kernel.deno import Deno
from labyrinth_kernel.fence import FENCE, UNSEEN, Fences
from labyrinth_kernel.language import HOW_TO_RUN, Language
from labyrinth_kernel.lockfile import LockGuard
from labyrinth_kernel.logs import Logs
from labyrinth_kernel.places import Places
from labyrinth_kernel.stop import Stopper
from labyrinth_kernel.waiting import Waiting
from labyrinth_kernel.wire import Json, Message, WireError


class Proxy:
    """Front end on one side, Deno on the other; one thread, never blocked by either."""

    def __init__(self, channels: Channels, deno: Deno) -> None:
        """Deno's outputs come through `channels` already."""
        self._deno = deno
        self._channels, self._codec = channels, channels.codec
        self._send, self._to_deno = channels.send, channels.to_deno
        self._logs = Logs(lambda message: self._send("iopub", message))
        self._waiting = Waiting()
        self._cell: Cell | None = None
        self._asked: dict[str, tuple[bytes, ...]] = {}  # request's id → who asked
        self._fences = Fences(self._codec)
        self._shutdown = False
        self._lock, self._places = LockGuard(Path.cwd()), Places()
        self._poller = zmq.Poller()
        self._language = Language(Path.cwd(), self._poller)
        self._stopper = Stopper(
            deno,
            lambda: self._to_deno("control", self._codec.make("interrupt_request", {})),
            lambda cell, text: self._publish("stream", {"name": "stderr", "text": text}, cell.request),
        )

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
        for one in (*takers, front["hb"]):
            self._poller.register(one, zmq.POLLIN)
        while self._deno.alive and os.getppid() == parent:
            hurried = self._logs.due < float("inf") or self._language.waits
            for one, _ in self._poller.poll(20 if hurried else 200):
                if isinstance(one, int):  # the language server's output, which `_tick` reads
                    continue
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
        self._language.pump(now)
        cell = self._cell
        if not cell or cell.held:
            return
        if cell.wants_fence(now):
            self._send_fence(cell)
        self._stopper.look_at(cell, now)
        if now > cell.quiet_until:
            self._reopen(cell)
            self._end(cell)

    # Requests of the front end

    def _shell_request(self, message: Message) -> None:
        ask = {"complete_request": self._language.complete, "inspect_request": self._language.inspect}.get(message.type)
        if ask:
            kind = message.type.replace("request", "reply")
            ask(message.content, lambda content: self._speak(kind, content, message), lambda: self._enqueue(message))
        else:
            self._enqueue(message)

    def _enqueue(self, message: Message) -> None:
        if self._waiting.add(message):
            self._abort_queue()
        self._next()

    def _control_request(self, message: Message) -> None:
        if message.type == "interrupt_request":
            self._abort_queue()
            if self._cell and self._cell.held:
                self._refuse(self._cell, failure("Interrupted", ["stopped by the user"]))
            else:
                self._stopper.begin(self._cell, time.monotonic())
            self._send("control", self._codec.make("interrupt_reply", {"status": "ok"}, message))
            return
        self._shutdown = self._shutdown or message.type == "shutdown_request"
        self._asked[message.id] = message.identities
        self._to_deno("control", message)

    def _next(self) -> None:
        while not self._cell and (message := self._waiting.next()):
            self._asked[message.id] = message.identities
            if message.type == "execute_request":
                self._begin(Cell(message))
            else:
                self._to_deno("shell", message)

    def _begin(self, cell: Cell) -> None:
        """Runs a cell, but shows its type errors first, where somebody looks for them."""
        self._cell, cell.held = cell, True
        if cell.silent or not self._language.check(cell.code, lambda found: self._checked(cell, found)):
            self._run(cell)

    def _checked(self, cell: Cell, found: list[str]) -> None:
        if self._cell is not cell:  # it has ended meanwhile
            return
        if found and cell.held and self._language.strict:
            self._refuse(cell, failure("TypeError", [*found, HOW_TO_RUN]))
            return
        if found:
            text = "".join(f"Type error, {one}\n" for one in found)
            self._publish("stream", {"name": "stderr", "text": text}, cell.request)
        if cell.held:
            self._run(cell)

    def _run(self, cell: Cell) -> None:
        cell.held = False
        self._lock.begin(cell.code)
        self._to_deno("shell", cell.request if cell.silent else self._places.named(cell.request))

    def _refuse(self, cell: Cell, error: Json) -> None:
        """Ends a cell that Deno has not seen."""
        self._publish("status", {"execution_state": "busy"}, cell.request)
        cell.fail(self._codec, error)
        self._end(cell)

    def _speak(self, kind: str, content: Json, request: Message) -> None:
        """The language server's answer. While a cell runs it says no idle, which front ends take for the kernel's."""
        shows = self._cell is None
        if shows:
            self._publish("status", {"execution_state": "busy"}, request)
        self._send("shell", self._codec.make(kind, content, request))
        if shows:
            self._publish("status", {"execution_state": "idle"}, request)

    def _abort_queue(self) -> None:
        """Answers the cells that wait as aborted."""
        for message in self._waiting.drop_cells():
            self._publish("status", {"execution_state": "busy"}, message)
            self._send("shell", self._codec.make("execute_reply", {"status": "aborted"}, message))
            self._publish("status", {"execution_state": "idle"}, message)

    # Answers of Deno

    def _shell_answer(self, message: Message) -> None:
        cell = self._cell
        if cell and message.parent_id == cell.request.id:
            cell.reply, cell.replied, now = self._places.told(message), time.monotonic(), time.monotonic()
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
        message, cell = self._places.told(message), self._cell
        if cell:
            cell.heard(time.monotonic())
        fenced = self._fences.request_of(message.parent_id)
        if fenced:
            if message.type == FENCE and cell and cell.fence and message.parent_id == cell.fence.id:
                cell.fence_passed = True
                self._end_when_out(cell)
            if message.type in UNSEEN:
                return
            late = replace(message, parent_json=fenced.header_json)
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
        cell.fence = self._fences.make(cell.request)
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
        if not cell.held and not cell.silent:
            self._language.ran(cell.code, not cell.failed)
            self._places.ran(int(cell.reply.content.get("execution_count") or 0))
        if cell.failed and not cell.error:
            cell.fail(self._codec, unspoken(cell), cell.reply.content)
        self._close(cell)
        self._cell = None
        if cell.failed and cell.request.content.get("stop_on_error", True):
            self._waiting.failed()
            self._abort_queue()
        self._next()

    def _close(self, cell: Cell) -> None:
        if cell.error:
            self._emit(cell.error)
        if cell.reply:
            self._answer("shell", cell.reply)
        self._emit(cell.idle or self._codec.make("status", {"execution_state": "idle"}, cell.request))

    def _farewell(self) -> int:
        """Ends what is open and returns the exit code; a kernel that died says so in the cell that ran."""
        died = not self._shutdown and not self._deno.alive
        code = self._deno.stop()
        self._language.close()
        self._lock.end()
        cell, self._cell = self._cell, None
        if died and cell:
            what = f"Deno ended with code {code} while this cell ran; all variables are gone"
            cell.fail(self._codec, failure("KernelDied", [what]))
            self._close(cell)
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
