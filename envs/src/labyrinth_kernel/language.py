"""What the language server knows of a notebook: signatures, completions, type errors of a cell that is about to run.

`LAB_LANGUAGE` says how it serves. `warn`, the default, shows the type errors of a cell above its outputs and runs it
all the same: types are a forecast, and a cell that works must not be stopped by a wrong one. `strict` does not run such
a cell, unless it begins with `// @ts-nocheck`. `quiet` only completes and explains, `off` starts no server.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zmq

from labyrinth_kernel.document import Cells, Document
from labyrinth_kernel.lsp import LanguageServer
from labyrinth_kernel.problems import Words, problems
from labyrinth_kernel.replies import completion, explanation, token, without_names
from labyrinth_kernel.surface import Surface, renew
from labyrinth_kernel.wire import Json

MODES = ("warn", "strict", "quiet", "off")
HOW_TO_RUN = "the cell was not run; begin it with // @ts-nocheck to run it all the same"
"""What is said of a cell that `strict` holds back."""
URI = ".labyrinth-cells.ts"
"""The document's name: beside the notebook, whose imports it shares, but never a file."""
COMPLETE, INSPECT, CHECK, CHECK_STRICT = 0.8, 8.0, 1.0, 60.0
"""Seconds that an answer is waited for. JupyterLab waits a second for completions; nothing else can explain a name."""
WARM = 'import { matrixChains } from "labyrinth";\nmatrixChains({ '
"""What is completed and checked before anybody asks: to load the library's types takes 6 s of processor time."""
STARTS = 2
"""A server that died is started once more."""


@dataclass
class Asked:
    """A question that is open: until when it is waited for, what is done without an answer, and if that may be late."""

    until: float
    otherwise: Callable[[], None]
    may_be_late: bool = False
    number: int | None = None


class Language:
    """Answers out of the cells that ran. Starts its server with the kernel where somebody looks on, else when asked."""

    def __init__(self, folder: Path, poller: zmq.Poller) -> None:
        """Serves a notebook that runs in `folder`; the server's output is watched by `poller`."""
        self._folder, self._poller = folder, poller
        self._root = next((one for one in (folder, *folder.parents) if (one / "deno.json").exists()), folder)
        self._mode = os.environ.get("LAB_LANGUAGE") or MODES[0]
        if self._mode not in MODES:
            print(f"LAB_LANGUAGE takes {', '.join(MODES)}, not {self._mode!r}; {MODES[0]} holds", file=sys.stderr)
            self._mode = MODES[0]
        self._server: LanguageServer | None = None
        self._starts = 0 if self._mode != "off" else STARTS
        self.ready = False
        """Whether the server knows the library's types; what is asked before is answered by the surface, or waits."""
        self._surface = Surface(self._root)
        self._cells, self._words = Cells(), Words()
        self._version = 0
        self._asked: list[Asked] = []
        if self.strict or "JPY_SESSION_NAME" in os.environ:  # Jupyter's server names the session of a kernel it starts
            self._serves()
            threading.Thread(target=renew, args=(self._root,), daemon=True).start()

    @property
    def strict(self) -> bool:
        """Whether a cell with a type error is not run."""
        return self._mode == "strict"

    @property
    def fd(self) -> int:
        """What the poller watches; −1 for nothing."""
        return self._server.fd if self._server else -1

    @property
    def waits(self) -> bool:
        """Whether a question is open."""
        return bool(self._asked)

    def ran(self, code: str, succeeded: bool) -> None:
        """Notes that Deno has run a cell. What a failed one declared is perhaps there: its names pass as known."""
        self._words.add(code)
        if succeeded:
            self._cells.add(code)

    def complete(self, content: Json, answer: Callable[[Json], None], otherwise: Callable[[], None]) -> None:
        """Answers a `complete_request`, or leaves it to the kernel's own."""
        code, cursor = str(content.get("code", "")), int(content.get("cursor_pos", 0))
        document = self._cells.document(code)
        if (surface := self._early()) and (reply := known_completion(surface, document, code, cursor)):
            answer(reply)
            return

        def leave() -> None:
            nothing = without_names(code, cursor)
            answer(nothing) if nothing else otherwise()

        def take(found: Any) -> None:
            reply = completion(found, document, code, cursor)
            answer(reply) if reply else leave()

        place = {"position": document.position(cursor), "context": {"triggerKind": 1}}
        self._ask(document, "completion", place, COMPLETE, take, leave)

    def inspect(self, content: Json, answer: Callable[[Json], None], otherwise: Callable[[], None]) -> None:
        """Answers an `inspect_request`: the name at the cursor, or else the call around it."""
        code, cursor = str(content.get("code", "")), int(content.get("cursor_pos", 0))
        document = self._cells.document(code)
        at = {"position": document.position(token(code, cursor))}
        within = {"position": document.position(cursor)}
        if (surface := self._early()) and (reply := explanation({"contents": surface.explain(code, cursor)})):
            answer(reply)
            return

        def take(found: Any) -> None:
            reply = explanation(found)
            answer(reply) if reply else otherwise()

        def hovered(found: Any) -> None:
            if found:
                take(found)
            else:
                self._ask(document, "signatureHelp", within, INSPECT, take, otherwise)

        self._ask(document, "hover", at, INSPECT, hovered, otherwise)

    def check(self, code: str, answer: Callable[[list[str]], None]) -> bool:
        """Looks for type errors of a cell before it runs; False where nobody looks.

        `answer` gets a text for each, or none after a while, and what is found later then.
        """
        if self._mode not in ("warn", "strict") or code.lstrip().startswith("// @ts-nocheck"):
            return False
        if not self.ready and not (self.strict and self._serves()):
            return False
        document = self._cells.document(code)
        words = self._words
        patience = CHECK_STRICT if self.strict else CHECK

        version = self._version + 1

        def take(found: Any) -> None:  # of another document by now, perhaps: then the places are not the cell's
            answer(problems(found, document, code, words) if version == self._version else [])

        self._ask(document, "diagnostic", {}, patience, take, lambda: answer([]), may_be_late=True)
        return True

    def pump(self, now: float) -> None:
        """Takes what the server says, and gives up what it does not."""
        if self._server:
            self._server.pump()
            if not self._server.alive:
                self.close()
                for one in self._take_asked(lambda _: True):
                    one.otherwise()
        for one in self._take_asked(lambda one: now > one.until):
            if self._server and one.number and not one.may_be_late:
                self._server.give_up(one.number)
            one.otherwise()

    def close(self) -> None:
        """Ends the server, if there is one."""
        server, self._server, self.ready = self._server, None, False
        if server:
            self._poller.unregister(server.fd)
            server.stop()

    def _serves(self) -> bool:
        """Whether there is a server; starts one as long as that has not failed."""
        if self._server or self._starts >= STARTS:
            return self._server is not None
        self._starts += 1
        try:
            self._server = LanguageServer(self._root)
        except OSError:
            return False
        self._poller.register(self._server.fd, zmq.POLLIN)
        document = Cells().document(WARM)
        item = {"uri": self._uri, "languageId": "typescript", "version": self._version, "text": document.text}
        self._server.notify("textDocument/didOpen", {"textDocument": item})
        place = {"position": document.position(len(WARM)), "context": {"triggerKind": 1}}
        document_id = {"textDocument": {"uri": self._uri}}
        self._server.request("textDocument/completion", {**document_id, **place}, lambda _: None)
        self._server.request("textDocument/diagnostic", document_id, self._loaded)
        return True

    def _loaded(self, _found: Any) -> None:
        self.ready = True

    def _early(self) -> Surface | None:
        """What answers until the server, which is started if it is not, is ready."""
        if self.ready or self._mode == "off":
            return None
        self._serves()
        return self._surface

    @property
    def _uri(self) -> str:
        return (self._folder / URI).as_uri()

    def _ask(
        self,
        document: Document,
        what: str,
        more: Json,
        seconds: float,
        take: Callable[[Any], None],
        otherwise: Callable[[], None],
        may_be_late: bool = False,
    ) -> None:
        if not self._serves() or not self._server:
            otherwise()
            return
        self._version += 1
        item = {"uri": self._uri, "version": self._version}
        self._server.notify(
            "textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": document.text}]}
        )
        asked = Asked(time.monotonic() + seconds, otherwise, may_be_late)
        self._asked.append(asked)

        def answered(result: Any) -> None:
            self._asked = [one for one in self._asked if one is not asked]
            take(result)

        asked.number = self._server.request(
            f"textDocument/{what}", {"textDocument": {"uri": self._uri}, **more}, answered
        )

    def _take_asked(self, which: Callable[[Asked], bool]) -> list[Asked]:
        taken = [one for one in self._asked if which(one)]
        self._asked = [one for one in self._asked if one not in taken]
        return taken


def known_completion(surface: Surface, document: Document, code: str, cursor: int) -> Json | None:
    """What the surface knows, as the server would say it."""
    start, texts = surface.complete(code, cursor)
    edit = {"range": {"start": document.position(start)}}
    return completion([{"label": one, "textEdit": {**edit, "newText": one}} for one in texts], document, code, cursor)
