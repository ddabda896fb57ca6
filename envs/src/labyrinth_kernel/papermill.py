"""Parameters of a notebook as TypeScript: `python -m labyrinth_kernel.papermill in.ipynb out.ipynb -p seeds 3`.

The cell tagged `parameters` declares its defaults with `let`, as Deno lets a later cell declare such a name anew.
Importing this module is enough to make papermill's own functions know TypeScript.
"""

from __future__ import annotations

import json
import math

from papermill.translators import Translator, papermill_translators  # type: ignore[import-untyped]


class TypeScriptTranslator(Translator):  # type: ignore[misc]  # papermill has no types
    """Writes Python values as TypeScript literals and assignments as `let`."""

    @classmethod
    def translate(cls, val: object) -> str:
        """A JSON-like value as a literal."""
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
    def inspect(cls, parameters_cell: object) -> list[object]:
        """What `papermill --help-notebook` would list; types are not read out of the cell."""
        return []


papermill_translators.register("typescript", TypeScriptTranslator)

if __name__ == "__main__":
    from papermill.cli import papermill  # type: ignore[import-untyped]

    papermill()
