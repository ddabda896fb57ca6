"""Notebooks run without an editor, by the lab and by plain papermill: outputs, parameters, failures, the lock file."""

from __future__ import annotations

import json
import math
import re
import sys
from importlib.metadata import entry_points
from pathlib import Path

import nbformat
import papermill  # type: ignore[import-untyped]
import pytest

from labyrinth_kernel import headless
from labyrinth_kernel.install import install
from labyrinth_kernel.lockfile import LockGuard
from labyrinth_kernel.papermill import TypeScriptTranslator
from tests.kernel_client import jupyter_environment


def notebook(path: Path, *cells: str, tags: dict[int, list[str]] | None = None) -> Path:
    """A notebook as an editor and a timing runner may leave it."""

    def cell(number: int, source: str) -> dict[str, object]:
        ran = {"execution": {"iopub.busy": "now"}, **({"tags": tags[number]} if tags and number in tags else {})}
        fixed: dict[str, object] = {"cell_type": "code", "execution_count": None, "outputs": []}
        return {**fixed, "id": f"cell-{number}", "metadata": ran, "source": source}

    written = {
        "cells": [cell(number, source) for number, source in enumerate(cells)],
        "metadata": {"kernelspec": {"name": "deno", "display_name": "Deno"}, "papermill": {"duration": 1.5}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(written))
    return path


def texts(path: Path) -> list[str]:
    """The text of each cell's outputs."""
    cells = json.loads(path.read_text())["cells"]
    return ["".join("".join(out.get("text") or out["data"]["text/plain"]) for out in cell["outputs"]) for cell in cells]


@pytest.fixture
def jupyter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in jupyter_environment(tmp_path / "jupyter").items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("jupyter")
def test_a_headless_run_stores_complete_outputs_in_a_normal_form(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "a.ipynb", "for (let i = 0; i < 300; i++) console.log(i);", "6 * 7", "console.log('done')"
    )
    assert headless.main([str(path)]) == 0
    first = path.read_bytes()
    assert texts(path) == ["".join(f"{i}\n" for i in range(300)), "42", "done\n"]
    made = json.loads(first)
    assert [len(cell["outputs"]) for cell in made["cells"]] == [1, 1, 1]
    assert [cell["execution_count"] for cell in made["cells"]] == [1, 2, 3]
    assert [cell["metadata"] for cell in made["cells"]] == [{}, {}, {}]
    assert made["metadata"] == {
        "kernelspec": {"display_name": "Labyrinth", "language": "typescript", "name": "labyrinth"},
        "language_info": {"file_extension": ".ts", "mimetype": "text/x.typescript", "name": "typescript"},
    }
    assert headless.main([str(path)]) == 0
    assert path.read_bytes() == first


@pytest.mark.usefixtures("jupyter")
def test_plain_papermill_passes_parameters_and_refuses_others_by_name(tmp_path: Path) -> None:
    values = 'let seeds = 1;\nlet games = ["none"];\nlet name = "";\nlet rate = 0;'
    told = "console.log(JSON.stringify([seeds + 1, games, name, rate]))"
    path = notebook(tmp_path / "a.ipynb", values, told, tags={0: ["parameters"]})
    given = ["seeds=3", 'games=["hunt", "cook\\u0022"]', 'name=it\'s "one"', "rate=0.5"]
    parameters = dict(map(headless.parameter, given))
    plain = {"kernel_name": "labyrinth", "language": "typescript", "progress_bar": False}
    papermill.execute_notebook(path, tmp_path / "out.ipynb", parameters, **plain)
    assert json.loads(texts(tmp_path / "out.ipynb")[-1]) == [4, ["hunt", 'cook"'], 'it\'s "one"', 0.5]
    known = 'no parameter "seed"; did you mean "seeds"?; its parameters are seeds, games, name, rate'
    with pytest.raises(ValueError, match=re.escape(known)):
        papermill.execute_notebook(path, tmp_path / "out.ipynb", {"seed": 3}, **plain)


def test_a_whole_number_that_typescript_would_round_is_refused_and_every_other_is_exact() -> None:
    given = {"most": 2**53 - 1, "least": -(2**53) + 1, "deep": [{"a": [True, None, 0.1, -math.inf]}, (math.nan, 1e308)]}
    assert TypeScriptTranslator.codify(given).split("\n")[1:-1] == [
        "let most = 9007199254740991;",
        "let least = -9007199254740991;",
        'let deep = [{"a": [true, null, 0.1, -Infinity]}, [NaN, 1e+308]];',
    ]
    for value in (2**53, -(2**53), 2**53 + 1, [1, [2**60]], {"seeds": {"of": (2**64,)}}):
        with pytest.raises(
            ValueError, match=r'^the parameter "seed" cannot be passed on: -?\d+ is beyond ±9007'
        ) as error:
            TypeScriptTranslator.codify({"games": 1, "seed": value})
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("given", "words"), [("seed=9007199254740993", "is beyond ±9007199254740991"), ("rate=[1e400]", "1e400 is beyond")]
)
def test_a_run_with_a_number_that_would_be_rounded_ends_in_one_line(
    tmp_path: Path, given: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = notebook(tmp_path / "a.ipynb", "let seed = 1;\nlet rate = [1];", tags={0: ["parameters"]})
    status: object
    try:
        status = headless.main([str(path), "-p", given])
    except SystemExit as ended:  # of the command line itself
        status = ended.code
    assert status and words in capsys.readouterr().err.splitlines()[-1]


def test_the_names_that_one_notebook_declares_do_not_hold_for_the_next() -> None:
    cell = nbformat.v4.new_code_cell("let seeds = 1;")  # type: ignore[no-untyped-call]
    assert [one.name for one in TypeScriptTranslator.inspect(cell)] == ["seeds"]
    with pytest.raises(ValueError, match='no parameter "games"'):
        TypeScriptTranslator.codify({"games": 1})
    assert TypeScriptTranslator.codify({"games": 1}).split("\n")[1] == "let games = 1;"  # of one without such a cell


def test_papermill_finds_the_translator_by_an_entry_point() -> None:
    (found,) = (one for one in entry_points(group="papermill.engine") if one.name == "labyrinth")
    assert found.load() is papermill.engines.NBClientEngine


def test_the_installed_kernel_starts_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LAB_DENO", "/tools/deno")
    monkeypatch.setenv("LAB_OTHER", "x")
    spec = json.loads((Path(install()) / "kernel.json").read_text())
    assert spec["argv"][0] == sys.executable and (tmp_path / "kernels/labyrinth/logo-svg.svg").exists()
    assert spec["env"]["LAB_DENO"] == "/tools/deno" and "LAB_OTHER" not in spec["env"]


def test_a_package_that_only_a_cell_names_leaves_the_lock_file(tmp_path: Path) -> None:
    lock = tmp_path / "deno.lock"
    (tmp_path / "deno.json").write_text("{}")
    (tmp_path / "notebooks").mkdir()
    lock.write_text("ours")
    guard = LockGuard(tmp_path / "notebooks")
    guard.begin("import * as lab from 'labyrinth'")
    lock.write_text("edited by hand")
    guard.end()
    assert lock.read_text() == "edited by hand"
    for code in ('import odd from "npm:is-odd"', "1 + 1"):
        guard.begin(code)
        lock.write_text("theirs")
        guard.end()
        assert lock.read_text() == "edited by hand"
    LockGuard(tmp_path.parent / "elsewhere").begin('import "npm:is-odd"')


@pytest.mark.usefixtures("jupyter")
def test_a_failing_notebook_keeps_what_it_came_to_and_fresh_runs_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = notebook(tmp_path / "a.ipynb", "Deno.cwd()", "throw new RangeError('boom')", "console.log('ran on')")
    before = json.loads(path.read_text())
    before["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "of an earlier run"}]
    path.write_text(json.dumps(before))
    assert headless.main([str(path), "--fresh"]) == 1
    assert re.search(r"a\.ipynb: failed(.|\n)*RangeError: boom", capsys.readouterr().err)
    first, broken, after = json.loads(path.read_text())["cells"]
    folder = Path("".join(first["outputs"][0]["data"]["text/plain"]).strip("'\""))
    assert folder.parent == tmp_path / ".lab" and not folder.exists()
    assert [broken["outputs"][0]["ename"], after["outputs"]] == ["RangeError", []]


@pytest.mark.usefixtures("jupyter")
def test_a_kernel_that_does_not_start_in_time_is_a_failure_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(headless, "STARTUP_SECONDS", 1)
    silent = tmp_path / "deno"
    silent.write_text("#!/bin/sh\nexec sleep 30\n")
    silent.chmod(0o755)
    monkeypatch.setenv("LAB_DENO", str(silent))
    path = notebook(tmp_path / "a.ipynb", "1")
    assert headless.main([str(path)]) == 1
    assert re.search(r"a\.ipynb: failed; .*\nKernel didn't respond", capsys.readouterr().err)


def test_what_is_no_notebook_and_a_folder_that_is_none_are_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ipynb"
    for content in (
        b"{}",
        b"[]",
        b"",
        b"\xa5\x00",
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}',
    ):
        path.write_bytes(content)
        assert headless.main([str(path)]) == 1
        assert re.fullmatch(r"a\.ipynb: failed: \S+ holds no notebook: .*\n", capsys.readouterr().err)
        assert path.read_bytes() == content
    path.write_text('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}')
    assert headless.main([str(path), "--to", str(path)]) == 1
    assert re.fullmatch(r"a\.ipynb: failed: .*File exists.*\n", capsys.readouterr().err)


def test_a_parameter_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        headless.main(["a.ipynb", "-p", "seeds"])
    assert ended.value.code == 2 and "wanted name=value, got 'seeds'" in capsys.readouterr().err


def test_the_kernel_specification_names_no_place() -> None:
    spec = json.loads((Path(headless.__file__).parent / "resources/kernels/labyrinth/kernel.json").read_text())
    assert spec["argv"][0] == "python" and not any(part.startswith("/") for part in spec["argv"])
    assert spec["interrupt_mode"] == "message"
