"""One of Labyrinth's own memories as a Python memory: each call goes to a TypeScript process, by lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from labyrinth_memory import Cue, Memory, Perception, Recollection


class Wrapped(Memory):
    """The memory `id` in the process of `command`."""

    def __init__(self, id: str, command: list[str], deno: str) -> None:
        environment = {**os.environ, "DENO_DIR": deno}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([*command, id], text=True, env=environment, **pipes)  # type: ignore[call-overload]

    def call(self, method: str, value: object) -> Any:
        self.process.stdin.write(json.dumps([method, value]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def observe(self, perception: Perception) -> None:
        self.call("observe", {name: value for name, value in vars(perception).items() if value is not None})

    def recall(self, cue: Cue) -> Recollection:
        found = self.call("recall", {name: value for name, value in vars(cue).items() if value is not None})
        if "isHistory" in found:
            found["is_history"] = found.pop("isHistory")
        return Recollection(**found)

    def save(self) -> object:
        return self.call("save", None)

    def load(self, body: object) -> None:
        self.call("load", body)
