"""The command line: `python -m labyrinth_models minilm --to FOLDER [--from FOLDER]`, or `… qwen`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from labyrinth_models.minilm import ModelFolderError, build, packaged
from labyrinth_models.qwen import fetch, models_folder


def main(arguments: list[str] | None = None) -> int:
    """Brings the model; prints what it was made from, or its path, as one JSON value; 2 with one line if it cannot."""
    parser = argparse.ArgumentParser(prog="labyrinth_models", description="Brings models for the lab.")
    parser.add_argument("model", choices=["minilm", "qwen"])
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="of minilm: is replaced if it is there")
    parser.add_argument("--from", dest="source", type=Path, metavar="FOLDER", help="of minilm: holds other weights")
    options = parser.parse_args(arguments)
    if options.model == "minilm" and options.to is None:
        parser.error("minilm wants --to FOLDER")
    try:
        made: object = (
            str(fetch(options.to or models_folder()).absolute())
            if options.model == "qwen"
            else build(options.source or packaged(), options.to)
        )
        print(json.dumps(made))
        return 0
    except (ModelFolderError, OSError) as error:
        print(f"labyrinth_models: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
