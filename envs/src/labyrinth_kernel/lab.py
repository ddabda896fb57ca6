"""JupyterLab that ends with its parent: `python -m labyrinth_kernel.lab [JupyterLab's options]`."""

from __future__ import annotations

import sys

from labyrinth_kernel.parent import end_with_parent

if __name__ == "__main__":
    from jupyterlab.labapp import main  # type: ignore[import-untyped]

    end_with_parent()
    sys.exit(main())
