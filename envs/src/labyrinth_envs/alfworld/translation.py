"""PDDL in the format of the planner, SAS, made once on a machine: it is nine tenths of what opening a household takes.

What the translator writes is kept by the SHA-256 of its version, rules and problem. The task beside it, with types and
parameters, is read from the PDDL each time, in 3 ms.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import lru_cache
from typing import Any, TypeAlias

from labyrinth_envs.alfworld.package import VERSION
from labyrinth_envs.cache import Entry

Translate: TypeAlias = Callable[..., tuple[Any, str]]
"""`fast_downward.pddl2sas`: rules and problem → the task, and its SAS."""


def remembering(translate: Translate) -> Translate:
    """The translator, asked once for each problem; it gives the SAS without optimisation to every caller."""

    @lru_cache(1)
    def last(domain: str, problem: str) -> tuple[Any, str]:
        entry = Entry("sas", VERSION, domain, problem)
        arguments = sys.argv  # which the translator replaces by its own
        try:
            kept = entry.read()
            if kept is not None:
                return _task(domain, problem), kept.decode()
            task, sas = translate(domain, problem)
        finally:
            sys.argv = arguments
        entry.try_write(sas.encode())
        return task, sas

    return lambda domain, problem, **_: last(domain, problem)


def _task(domain: str, problem: str) -> Any:
    """The task as the translator reads it, before it translates."""
    sys.argv = ["translate.py", "domain", "task"]  # which it reads when it is imported
    from fast_downward.translate import normalize
    from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

    with redirect_stdout(io.StringIO()):
        read = [lisp_parser.parse_nested_list(text.split("\n")) for text in (domain, problem)]
        task = parsing_functions.parse_task(*read)
        normalize.normalize(task)
    return task
