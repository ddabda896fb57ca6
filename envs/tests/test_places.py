"""The stacks of cells that fail, over Jupyter's protocol: each place is that of the cell's own text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel_client import ROOT, Session, session

DEFINES = "interface Unseen {\n  a: number;\n}\n\nfunction fails(): never {\n  throw new RangeError('here');\n}"
IMPORTS = """import {
  graphPicture, // for its sake
  type EpisodeChain,
} from "labyrinth";
import type { Study } from "labyrinth/lab";
import * as stats from "labyrinth/stats";


enum Kind {
  One,
}
const again = async (): Promise<void> => {
  await 1;

  fails();
};
await again();"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One kernel; its cells are numbered on."""
    with session("labyrinth", tmp_path_factory.mktemp("places"), ROOT / "notebooks") as started:
        yield started


def stack(kernel: Session, code: str) -> list[str]:
    """The stack of a cell that fails, without its first line."""
    return "\n".join(kernel.run(code)[0].reply["traceback"]).splitlines()[1:]


def test_places_are_lines_of_the_cells_whatever_deno_makes_of_them(kernel: Session) -> None:
    kernel.run(DEFINES)
    assert stack(kernel, "\n\n  fails();") == [
        "    at fails (In [1], line 6, column 9)",
        "    at In [2], line 3, column 3",
    ]
    assert stack(kernel, IMPORTS) == [
        "    at fails (In [1], line 6, column 9)",
        "    at again (In [3], line 15, column 3)",
        "    at async In [3], line 17, column 1",
    ]
    assert stack(kernel, "fails();")[1] == "    at In [4], line 1, column 1"


def test_places_in_outputs_and_of_the_library_are_told_too(kernel: Session) -> None:
    (ran,) = kernel.run("// first\n\ntry { fails() } catch (error) {\n\n  console.error(error); }")
    assert "stderr:     at fails (In [" in ran.text and ", line 3, column 7" in ran.text
    (failed,) = kernel.run('import { matrixChains } from "labyrinth";\n\nmatrixChains(null as never);')
    told = "".join(failed.reply["traceback"])
    assert "lib/lab/study.ts:" in told and ", line 3, column 1" in told


def test_what_a_cell_gives_is_what_it_gave_without_a_name(kernel: Session) -> None:
    cells = ["{ a: 1 }", "1 + 1 // two", "", "`not ${'closed'}`", "let late = 3;\nlate\n/* end */"]
    outputs = [ran.outputs for ran in kernel.run(*cells)]
    assert outputs[1:] == [["text/plain: 2\n"], [], ['text/plain: "not closed"\n'], ["text/plain: 3\n"]]
    assert "a: 1" in outputs[0][0]
    (failed,) = kernel.run("throw { toString() { throw 1 } }")
    assert failed.reply["status"] == "error"
    (odd,) = kernel.run("const odd = new Error('x'); odd.toString = () => { throw 1 }; odd.stack.split('\\n')[0]")
    assert odd.outputs == ['text/plain: "Error"\n']
