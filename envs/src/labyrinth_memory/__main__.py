"""`python -m labyrinth_memory serve | identify | check NAME`: what the lab starts, and a check for authors."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from labyrinth_memory.conformance import check
from labyrinth_memory.loading import LoadError, identify, load


def main() -> int:
    """Runs one command and returns the exit status."""
    parser = argparse.ArgumentParser(prog="labyrinth_memory")
    parser.add_argument("command", choices=["serve", "identify", "check"])
    parser.add_argument("name", help="FILE.py, FILE.py:Class or package.module:Class")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--memory-mb", type=int, default=4096)
    options = parser.parse_args()
    try:
        if options.command == "identify":
            print(identify(options.name))
        elif options.command == "serve":
            from labyrinth_memory.host import serve  # needs pyzmq

            return serve(options.name, str(Path(options.folder).resolve()), options.memory_mb)
        else:
            problems = check(load(options.name))
            print(*(problems or ["it fits"]), sep="\n")
            return 1 if problems else 0
    except LoadError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
