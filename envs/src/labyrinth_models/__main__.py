"""The command line: `python -m labyrinth_models minilm --to FOLDER [--from FOLDER]`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from labyrinth_models.minilm import ModelFolderError, build, packaged


def main(arguments: list[str] | None = None) -> int:
    """Builds the model and prints what it was made from as one JSON value; 2 with one line if it cannot be built."""
    parser = argparse.ArgumentParser(prog="labyrinth_models", description="Builds sentence models for the lab.")
    parser.add_argument("model", choices=["minilm"])
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="is replaced if it is there")
    parser.add_argument("--from", dest="source", type=Path, metavar="FOLDER", help="holds other weights")
    options = parser.parse_args(arguments)
    try:
        print(json.dumps(build(options.source or packaged(), options.to)))
        return 0
    except (ModelFolderError, OSError) as error:
        print(f"labyrinth_models: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
