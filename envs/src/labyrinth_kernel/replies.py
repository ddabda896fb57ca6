"""Answers of the language server as Jupyter's replies."""

from __future__ import annotations

import re
from typing import Any

from labyrinth_kernel.document import Document
from labyrinth_kernel.wire import Json

MOST = 200
"""Completions in one answer."""
KINDS = dict(
    zip(
        range(2, 11),
        "method function constructor property variable class interface module property".split(),
        strict=True,
    )
)
"""What JupyterLab calls the protocol's kinds of completions."""
KINDS |= {12: "value", 13: "enum", 14: "keyword", 17: "path", 20: "value", 21: "constant", 25: "type"}


def completion(found: Any, document: Document, code: str, cursor: int) -> Json | None:
    """A `complete_reply`; None where nothing fits."""
    items = found.get("items", []) if isinstance(found, dict) else found or []
    word = re.search(r"[\w$]*$", code[:cursor])
    start = word.start() if word else cursor
    fitting = []
    for item in sorted(items, key=lambda one: str(one.get("sortText", ""))):
        edit = item.get("textEdit") or {}
        begin = document.offset(edit["range"]["start"]) if "range" in edit else start
        text = edit.get("newText") or item.get("insertText") or item["label"]
        if begin is None or begin > cursor or not text.lower().startswith(code[begin:cursor].lower()):
            continue
        fitting.append({"text": text, "type": KINDS.get(item.get("kind"), ""), "start": begin, "end": cursor})
    if not fitting:
        return None
    begin = fitting[0]["start"]
    fitting = [one for one in fitting if one["start"] == begin][:MOST]
    return {
        "status": "ok",
        "matches": [one["text"] for one in fitting],
        "cursor_start": begin,
        "cursor_end": cursor,
        "metadata": {"_jupyter_types_experimental": fitting},
    }


def without_names(code: str, cursor: int) -> Json | None:
    """A `complete_reply` with nothing where the line tells that the cursor is in a string or a comment."""
    line = code[:cursor].rpartition("\n")[2]
    rest = re.sub(r"""(["'`])(?:\\.|(?!\1|\\).)*\1""", "", line)
    if not re.search(r"""["'`]|//""", rest):
        return None
    return {"status": "ok", "matches": [], "cursor_start": cursor, "cursor_end": cursor, "metadata": {}}


def explanation(found: Any) -> Json | None:
    """An `inspect_reply` out of what is known of a name, or of the signature of a call; None for nothing."""
    if not found:
        return None
    if "signatures" in found:
        signature = next(iter(found["signatures"]), None)
        if not signature:
            return None
        text = f"```ts\n{signature['label']}\n```\n{_text(signature.get('documentation'))}"
    else:
        text = _text(found.get("contents"))
    if not text:
        return None
    plain = re.sub(r"^```\w*\n?|\*(@\w+)\*", r"\1", text, flags=re.MULTILINE)
    return {"status": "ok", "found": True, "data": {"text/markdown": text, "text/plain": plain}, "metadata": {}}


def token(code: str, cursor: int) -> int:
    """Where to ask for the name at the cursor: at its end a name is no longer touched, so one step back."""
    behind = re.match(r"[\w$]", code[cursor:])
    before = re.search(r"[\w$]$", code[:cursor])
    return cursor - 1 if before and not behind else cursor


def _text(contents: Any) -> str:
    if isinstance(contents, list):
        return "\n".join(map(_text, contents))
    return str(contents.get("value", "")) if isinstance(contents, dict) else str(contents or "")
