"""JupyterLab that ends with its parent: `python -m labyrinth_kernel.lab [JupyterLab's options]`."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from labyrinth_kernel.parent import end_with_parent
from labyrinth_kernel.surface import renew

ROOT = Path(__file__).parents[3]

if __name__ == "__main__":
    from jupyterlab.labapp import main  # type: ignore[import-untyped]

    end_with_parent()
    threading.Thread(target=renew, args=(ROOT,), daemon=True).start()  # ready before a kernel is
    sys.exit(main())
