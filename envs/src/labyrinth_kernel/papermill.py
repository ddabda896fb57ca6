"""Parameters of a notebook as TypeScript: `python -m labyrinth_kernel.papermill in.ipynb out.ipynb -p seeds 3`.

The cell tagged `parameters` declares its defaults with `let`, as Deno lets a later cell declare such a name anew.
Importing this module is enough to make papermill's own functions know TypeScript; papermill itself does so by an entry
point of this package (`engine`).
"""

from __future__ import annotations

import difflib
import json
import math
import numbers
import re
from collections.abc import Iterable
from typing import ClassVar

from nbformat import NotebookNode
from papermill.models import Parameter  # type: ignore[import-untyped]
from papermill.translators import Translator, papermill_translators  # type: ignore[import-untyped]

LARGEST = 2**53 - 1
"""The greatest whole number up to which TypeScript has all of them."""


class TypeScriptTranslator(Translator):  # type: ignore[misc]  # papermill has no types
    """Writes Python values as TypeScript literals and assignments as `let`."""

    declared: ClassVar[list[tuple[str, str, str]] | None] = None
    """What the notebook at hand declares, if it does: papermill looks at its cell first, then asks for the code."""

    @classmethod
    def translate(cls, val: object) -> str:
        """A JSON-like value as a literal. Raises `ValueError` for a whole number that TypeScript would round."""
        if isinstance(val, numbers.Integral) and not isinstance(val, bool):
            return str(exact(int(val)))
        if isinstance(val, float) and not math.isfinite(val):
            return "NaN" if math.isnan(val) else "Infinity" if val > 0 else "-Infinity"
        if isinstance(val, dict):
            fields = ", ".join(f"{json.dumps(str(key))}: {cls.translate(one)}" for key, one in val.items())
            return f"{{{fields}}}"
        if isinstance(val, (list, tuple)):
            return f"[{', '.join(map(cls.translate, val))}]"
        return json.dumps(val, default=str)

    @classmethod
    def comment(cls, cmt_str: str) -> str:
        """The line above the injected parameters."""
        return f"// {cmt_str}"

    @classmethod
    def assign(cls, name: str, str_val: str) -> str:
        """One parameter."""
        return f"let {name} = {str_val};"

    @classmethod
    def inspect(cls, parameters_cell: NotebookNode) -> list[Parameter]:
        """The parameters that the cell declares: for `papermill --help-notebook`, and to refuse others by name."""
        cls.declared = declared(str(parameters_cell.source))
        return [
            Parameter(name=name, inferred_type_name=kind, default=value, help="") for name, kind, value in cls.declared
        ]

    @classmethod
    def codify(cls, parameters: dict[str, object], comment: str = "Parameters") -> str:
        """The cell that sets the parameters. Raises `ValueError` for one that is not declared, or rounded."""
        known, cls.declared = cls.declared, None
        if known is not None:
            check_names(parameters, [name for name, _, _ in known])
        for name, value in parameters.items():
            try:
                cls.translate(value)
            except ValueError as error:
                raise ValueError(f'the parameter "{name}" cannot be passed on: {error}') from error
        return str(super().codify(parameters, comment))


def exact(number: int) -> int:
    """The number, if TypeScript has it. Raises `ValueError` for one of more than 53 bits, which would be rounded."""
    if abs(number) > LARGEST:
        raise ValueError(f"{number} is beyond ±{LARGEST}, where numbers are rounded; give a smaller one, or a text")
    return number


def declared(code: str) -> list[tuple[str, str, str]]:
    """Name, type and default of the variables that a cell of parameters declares, a line each."""
    found = re.findall(
        r"^(?:let|const|var)\s+([\w$]+)\s*(?::\s*([^=]+?))?\s*=\s*(.*?);?\s*(?://.*)?$", code, re.MULTILINE
    )
    return [(name, kind or "None", value) for name, kind, value in found]


def check_names(given: Iterable[str], known: list[str]) -> None:
    """Raises `ValueError` for a parameter that is not known, with the nearest name."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.5)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise ValueError(f'the notebook has no parameter "{name}"{hint}; its parameters are {", ".join(known)}')


papermill_translators.register("typescript", TypeScriptTranslator)

if __name__ == "__main__":
    from papermill.cli import papermill  # type: ignore[import-untyped]

    papermill()
