"""An MCP server as a memory: one tool writes what was perceived, another one is searched.

A mapping says which tools and with what arguments. In its texts, `{step}`, `{goal}`, `{observation}`, `{inventory}`,
`{location}`, `{action}`, `{plan}` and `{folder}` are filled in. `REFERENCE` is that of the reference memory server.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

from labyrinth_memory.types import Cue, Memory, Perception, Recollection, Situation

PROTOCOL = "2025-06-18"
REFERENCE: dict[str, Any] = {
    "environment": {"MEMORY_FILE_PATH": "{folder}/memory.jsonl"},
    "file": "memory.jsonl",
    "write": {
        "tool": "create_entities",
        "arguments": {
            "entities": [{"name": "step {step}", "entityType": "{location}", "observations": ["{observation}"]}]
        },
    },
    "search": {"tool": "search_nodes", "arguments": {"query": "{location}"}},
}
"""`file` is where the server keeps its content, which the next episode of a chain starts from; it may be left out."""


class McpError(Exception):
    """The server refused a call or has ended."""


class McpMemory(Memory):
    """The server that a command starts, over its standard input and output."""

    def __init__(self, command: str, mapping: dict[str, Any] | None = None) -> None:
        self._command, self._mapping = shlex.split(command), mapping or REFERENCE
        self._server: subprocess.Popen[str] | None = None
        self._number = 0

    def observe(self, perception: Perception) -> None:
        """Calls the tool that writes."""
        self._use("write", perception)

    def recall(self, cue: Cue) -> Recollection:
        """Calls the tool that searches, and recalls its text."""
        found = self._use("search", cue)
        return Recollection({"Memory": found}, recalled={"memory": found.splitlines()})

    def save(self) -> str | None:
        """The content of the server's file."""
        file = self._mapping.get("file")
        return Path(file).read_text(encoding="utf8") if file and Path(file).exists() else ""

    def load(self, body: str) -> None:
        """Writes the file, before the server is started."""
        if self._mapping.get("file"):
            Path(self._mapping["file"]).write_text(body, encoding="utf8")

    def _use(self, what: str, seen: Situation) -> str:
        form = self._mapping[what]
        values = {name: "" if value is None else str(value) for name, value in vars(seen).items()}
        arguments = filled(form["arguments"], values | {"folder": os.getcwd()})
        result = self._call("tools/call", {"name": form["tool"], "arguments": arguments})
        text = "\n".join(part["text"] for part in result.get("content", []) if part.get("type") == "text")
        if result.get("isError"):
            raise McpError(f"the tool {form['tool']} failed: {text}")
        return text

    def _call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if self._server is None:
            environment = filled(self._mapping.get("environment", {}), {"folder": os.getcwd()})
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self._server = subprocess.Popen(self._command, text=True, env=os.environ | environment, **pipes)
            client = {"name": "labyrinth", "version": "1"}
            self._call("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
            self._send({"method": "notifications/initialized"})
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._server.stdout is not None
        for line in self._server.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue  # it prints what is no message
            if not isinstance(message, dict) or message.get("id") != self._number or "method" in message:
                continue  # a notification, or a request of the server's
            if "error" in message:
                raise McpError(f"{method} was refused: {message['error'].get('message')}")
            result: dict[str, Any] = message["result"]
            return result
        raise self._ended()

    def _ended(self) -> McpError:
        assert self._server is not None
        return McpError(f"the server {' '.join(self._command)} has ended with status {self._server.wait()}")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server is not None and self._server.stdin is not None
        try:
            self._server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self._server.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None


def filled(form: Any, values: dict[str, str]) -> Any:
    """A form with the values put into its texts."""
    if isinstance(form, str):
        return re.sub(r"{(\w+)}", lambda match: values.get(match[1], match[0]), form)
    if isinstance(form, list):
        return [filled(part, values) for part in form]
    return {name: filled(part, values) for name, part in form.items()} if isinstance(form, dict) else form
