"""What papermill loads of this package by its entry point: with it comes the translation of parameters into TypeScript.

Papermill knows entry points of engines alone, none of translators.
"""

from papermill.engines import NBClientEngine  # type: ignore[import-untyped]

import labyrinth_kernel.papermill  # noqa: F401  # makes papermill know TypeScript

__all__ = ["NBClientEngine"]
