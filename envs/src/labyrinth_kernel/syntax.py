"""Where a cell that does not parse breaks: Deno's kernel says only that it failed."""

from __future__ import annotations

import os
import re
import subprocess

from labyrinth_kernel.deno import program

MESSAGE = re.compile(
    r"SyntaxError: (?P<what>.*?)(?:\n(?P<where>.*?))?\n\s*at [^\n]*?:(?P<line>\d+):(?P<column>\d+)", re.DOTALL
)


def explain(code: str) -> list[str] | None:
    """The parser's words on `code`, a line each, the summary first; None where it finds nothing wrong."""
    try:
        parsed = subprocess.run(
            [program(), "fmt", "--no-config", "--ext", "ts", "-"],
            input=code,
            capture_output=True,
            text=True,
            timeout=10,
            env={**os.environ, "NO_COLOR": "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = MESSAGE.search(parsed.stderr) if parsed.returncode else None
    if not found:
        return None
    summary = f"{found['what'].strip()} (line {found['line']}, column {found['column']})"
    return [summary, *(found["where"] or "").splitlines()]
