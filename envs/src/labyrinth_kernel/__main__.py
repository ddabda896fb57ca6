"""`python -m labyrinth_kernel <connection file>`: what the kernel specification starts."""

from __future__ import annotations

import sys

from labyrinth_kernel.serve import serve

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("labyrinth_kernel: wanted the path of one connection file, as Jupyter hands it over")
    sys.exit(serve(sys.argv[1]))
