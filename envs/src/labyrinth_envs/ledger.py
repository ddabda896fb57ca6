"""What a session has carried out: a call sent again, by whichever way, is answered and not carried out twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from labyrinth_envs.messages import SessionParams, StepParams
from labyrinth_envs.protocol import MAX_ACTION_BYTES, Request
from labyrinth_envs.world import ErrorCode

ANSWERS_KEPT = 8
"""Number of answers that are kept by request id, for requests that are sent again."""


class Answer(NamedTuple):
    """The reply of a worker: JSON and pictures, or an error. The process exits after a `last` answer."""

    ok: bytes = b""
    images: list[bytes] = []
    error: tuple[ErrorCode, str] | None = None
    last: bool = False
    renewable: bool = False
    """Of an opened world: whether its process may open another one after it."""


class Command(NamedTuple):
    """A request to a worker: a method (empty: exit), id and session, and actions with the number of the first."""

    method: str = ""
    id: str = ""
    session: str = ""
    step: int = 0
    actions: tuple[str, ...] = ()


def command_of(request: Request) -> Command | None:
    """The command that a request gives to its session; None if it names none."""
    params = request.params
    if isinstance(params, StepParams):
        return Command(request.method, request.id, params.session, params.step, (params.action,))
    return Command(request.method, request.id, params.session) if isinstance(params, SessionParams) else None


class Ledger:
    """Carries out commands, each once, and steps in their order."""

    def __init__(self, execute: Callable[[Command], Answer]) -> None:
        """`execute` carries a command out; it raises nothing."""
        self._execute = execute
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._steps: int | None = None  # taken since the last reset; None: reset first
        self._last: tuple[Command, Answer] | None = None

    def carry_out(self, command: Command) -> Answer:
        """Returns the answer to a command: an earlier one, a refusal, or that of the world."""
        answer = self._answers.get(command.id)
        if answer is None:
            answer = self._refusal(command) if command.actions else None
            answer = answer or self._carry_out(command)
            self._answers[command.id] = answer
            if len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
        return answer

    def _carry_out(self, command: Command) -> Answer:
        answer = self._execute(command)
        code = answer.error[0] if answer.error else None
        if command.method == "reset":
            self._steps, self._last = (0 if code is None else None), None
        elif command.actions and code is None and self._steps is not None:
            self._steps, self._last = self._steps + 1, (command, answer)
        elif code == "disk":
            self._steps = None  # how far the world came is unknown
        return answer

    def _refusal(self, command: Command) -> Answer | None:
        """The answer to steps that must not be taken, or None."""
        size = max(len(action.encode()) for action in command.actions)
        if size > MAX_ACTION_BYTES:
            message = f"an action may have {MAX_ACTION_BYTES} bytes, this one has {size}; send one short command"
            return Answer(error=("bad-action", message))
        if self._steps is None:
            return Answer(error=("out-of-order", "the session has not been reset; call reset before step"))
        if command.step == self._steps + 1:
            return None
        if self._last is not None and self._last[0]._replace(id=command.id) == command:
            return self._last[1]
        again = f", or {self._last[0].step} again with its own action" if self._last else ""
        message = f"step {command.step} is out of order; the next one is {self._steps + 1}{again}, or reset"
        return Answer(error=("out-of-order", message))
