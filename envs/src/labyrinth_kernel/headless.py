"""Runs notebooks without a browser: `python -m labyrinth_kernel.headless a.ipynb [--to folder] [-p name=value]`.

A notebook is stored in a normal form, in which the same code and outputs give the same bytes: execution counts from 1,
no times, no versions of whoever ran it. One that fails is stored as far as it came, its error in the cell that failed.
"""

from __future__ import annotations

import argparse
import atexit
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# jsonschema takes a second to load the grammar of internationalised addresses, which no notebook has
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from papermill.parameterize import parameterize_notebook  # type: ignore[import-untyped]

from labyrinth_kernel.papermill import TypeScriptTranslator
from labyrinth_kernel.parent import end_with_parent

KERNEL = {"name": "labyrinth", "display_name": "Labyrinth", "language": "typescript"}
LANGUAGE = {"name": "typescript", "file_extension": ".ts", "mimetype": "text/x.typescript"}
STARTUP_SECONDS = 600
"""How long a kernel may take to start: on a busy machine a minute is not enough."""
VOLATILE = ("papermill", "widgets", "vscode")
"""Metadata that tells who ran a notebook and when, not what it says."""
VOLATILE_IN_CELLS = ("execution", "papermill", "ExecuteTime")


class FailedNotebook(Exception):
    """A cell failed; `notebook` holds the outputs as far as it came."""

    def __init__(self, notebook: NotebookNode, reason: str) -> None:
        super().__init__(reason)
        self.notebook = notebook


def prepare_notebook(path: Path, parameters: dict[str, object]) -> NotebookNode:
    """The notebook in a file, without outputs and with the given parameters.

    Raises `ValueError` where there is none in it, or it does not declare one of them.
    """
    notebook = read(path)
    for cell in notebook.cells:  # what is below a cell that fails is of this run, too
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    if parameters:
        taking = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
        if not taking:
            raise ValueError("it takes no parameters: no cell is tagged `parameters`")
        TypeScriptTranslator.inspect(taking[0])
        notebook.metadata["papermill"] = {}  # papermill notes there what it injects, and wants tags everywhere
        for cell in notebook.cells:
            cell.metadata.setdefault("tags", [])
        notebook = parameterize_notebook(notebook, parameters)
    return notebook


def run_notebook(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Executes a notebook in a folder, stops at the first error, and returns it in normal form.

    Raises `FailedNotebook` where a cell fails.
    """
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(
        notebook,
        timeout=None,
        startup_timeout=STARTUP_SECONDS,
        kernel_name=KERNEL["name"],
        resources=resources,
        record_timing=False,
    )
    try:
        client.execute()
    except (CellExecutionError, RuntimeError) as error:  # of these are a kernel that dies, or does not start in time
        atexit.unregister(client._cleanup_kernel)  # what nbclient leaves of a kernel that has never started
        normalise(notebook)
        raise FailedNotebook(notebook, str(error)) from error
    normalise(notebook)
    return notebook


def read(path: Path) -> NotebookNode:
    """The notebook in a file, in normal form. Raises `ValueError` where there is none in it."""
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        normalise(notebook)
    except OSError:
        raise
    except Exception as error:  # of whatever kind the first thing is that it lacks
        raise ValueError(f"{path} holds no notebook: give a .ipynb file as Jupyter writes it") from error
    return notebook


@contextmanager
def folder_of(path: Path, fresh: bool) -> Iterator[Path]:
    """Where a notebook runs: beside its file, or `fresh` in an empty folder of the project, with no store of before."""
    own = path.resolve().parent
    if not fresh:
        yield own
        return
    root = next((one for one in (own, *own.parents) if (one / "deno.json").exists()), own)
    (root / ".lab").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="notebook-", dir=root / ".lab") as folder:
        yield Path(folder)


def normalise(notebook: NotebookNode) -> None:
    """Drops what differs from run to run and from machine to machine, in place."""
    kept = {key: value for key, value in notebook.metadata.items() if key not in VOLATILE}
    notebook.metadata = _node({**kept, "kernelspec": KERNEL, "language_info": LANGUAGE})
    for cell in notebook.cells:
        for key in VOLATILE_IN_CELLS:
            cell.metadata.pop(key, None)
        if cell.metadata.get("tags") == []:
            cell.metadata.pop("tags")
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Neighbouring texts of one stream as one output: where they were cut depends on the clock."""
    whole: list[NotebookNode] = []
    for output in outputs:
        last = whole[-1] if whole else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            whole.append(output)
    return whole


def _node(value: dict[str, object]) -> NotebookNode:
    made: NotebookNode = nbformat.from_dict(value)  # type: ignore[no-untyped-call]
    return made


def store(notebook: NotebookNode, path: Path) -> None:
    """Writes the whole file or nothing."""
    text = nbformat.writes(notebook) + "\n"  # type: ignore[no-untyped-call]
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def parameter(text: str) -> tuple[str, object]:
    """`name=value`; the value is JSON where it reads as JSON, else a string."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"wanted name=value, got {text!r}")
    try:
        return name, json.loads(value, parse_float=finite)
    except ValueError:
        return name, value


def finite(text: str) -> float:
    """The number that JSON writes so; one that is too large for it is refused, where Python would say infinity."""
    number = float(text)
    if math.isinf(number):
        raise argparse.ArgumentTypeError(f"{text} is beyond 1.8e308, the largest number; write Infinity if you mean it")
    return number


def main(arguments: list[str]) -> int:
    """Runs each notebook; returns 1 if any failed."""
    parser = argparse.ArgumentParser(prog="labyrinth_kernel.headless", description="Run notebooks without a browser.")
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, help="folder for the executed copies (default: in place)")
    parser.add_argument("-p", "--parameter", action="append", default=[], type=parameter, metavar="NAME=VALUE")
    parser.add_argument("--fresh", action="store_true", help="play again: use no store next to the notebook")
    options = parser.parse_args(arguments)
    failed = 0
    for path in options.notebooks:
        started = time.monotonic()
        target = options.to / path.name if options.to else path
        failure: FailedNotebook | None = None
        try:
            notebook = prepare_notebook(path, dict(options.parameter))
            target.parent.mkdir(parents=True, exist_ok=True)  # before hours of work, not after them
            try:
                with folder_of(path, options.fresh) as folder:
                    notebook = run_notebook(notebook, folder)
            except FailedNotebook as error:
                failure, notebook = error, error.notebook
            store(notebook, target)
        except (ValueError, OSError) as error:
            failed += 1
            print(f"{path.name}: failed: {error}", file=sys.stderr)
            continue
        if failure:
            failed += 1
            print(f"{path.name}: failed; {target} has what it came to\n{failure}", file=sys.stderr)
            continue
        cells = sum(cell.cell_type == "code" for cell in notebook.cells)
        print(f"{target}: {cells} cells in {time.monotonic() - started:.1f} s", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    end_with_parent()
    if home := os.environ.get("IPYTHONDIR"):
        os.makedirs(home, exist_ok=True)  # else IPython warns, and takes a temporary folder
    sys.exit(main(sys.argv[1:]))
