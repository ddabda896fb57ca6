"""The language service of the notebook kernel, over Jupyter's protocol, with Deno's real language server."""

from __future__ import annotations

import json
import os
import queue
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import zmq

from labyrinth_kernel.language import Language
from labyrinth_kernel.surface import renew
from tests.kernel_client import ROOT, Ran, Session, deno, session, until
from tests.support import alive, slow

NOTEBOOKS = ROOT / "notebooks"
IMPORTS = 'import { matrixChains } from "labyrinth/lab";\nimport { createAriadne } from "labyrinth/agent";'


@contextmanager
def looked_on(folder: Path, mode: str) -> Iterator[Session]:
    """A kernel as Jupyter's server starts it; its language server knows the library."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JPY_SESSION_NAME", "tests.ipynb")
            patch.setenv("LAB_LANGUAGE", mode)
            started = stack.enter_context(session("labyrinth", folder, NOTEBOOKS))
        started.run(IMPORTS)
        inspect(started, "Array.isArray")  # which the server alone knows
        yield started


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One kernel for all tests that leave its language server alive."""
    with looked_on(tmp_path_factory.mktemp("language"), "warn") as started:
        yield started


def inspect(kernel: Session, code: str) -> dict[str, Any]:
    """The first answer that knows something, as `complete` waits for it."""

    def ask() -> dict[str, Any]:
        content = dict(kernel.client.inspect(code, reply=True, timeout=120)["content"])
        return content if content["found"] else {}

    return dict(_until(ask))


def complete(kernel: Session, code: str, cursor: int | None = None) -> dict[str, Any]:
    """The first answer with matches: a crowded machine leaves some to the kernel's own, which knows none."""

    def ask() -> dict[str, Any]:
        content = dict(kernel.client.complete(code, cursor, reply=True, timeout=120)["content"])
        return content if content["matches"] else {}

    return dict(_until(ask))


def run_checked(kernel: Session, code: str) -> Ran:
    """The first run whose type errors came in time."""

    def run() -> Ran | None:
        ran = kernel.run(code)[0]
        return ran if ran.text.startswith("stderr: Type error") else None

    found: Ran = _until(run)
    return found


# Shift+Tab and Tab


def test_inspect_shows_signature_and_doc_comment_of_a_library_function(kernel: Session) -> None:
    shown = inspect(kernel, "const chains = matrixChains")["data"]["text/markdown"]
    assert "matrixChains(matrix: Matrix): EpisodeChain[]" in shown and "Makes the chains of a matrix" in shown
    assert "Matrix.worlds" in inspect(kernel, "matrixChains({ worlds")["data"]["text/plain"]
    assert "createAriadne(" in inspect(kernel, "createAriadne(")["data"]["text/plain"]


def test_complete_knows_option_keys_option_values_and_modules(kernel: Session) -> None:
    key = complete(kernel, "/* 😀 */ matrixChains({ wor })", len("/* 😀 */ matrixChains({ wor"))
    assert (key["matches"], key["cursor_start"]) == (["worlds"], len("/* 😀 */ matrixChains({ "))
    assert complete(kernel, 'createAriadne({ order: "p" })', len('createAriadne({ order: "p'))["matches"] == ["paper"]
    module = 'import { matrixCh } from "labyrinth/lab";'
    assert complete(kernel, module, len("import { matrixCh"))["matches"] == ["matrixChains"]
    assert "labyrinth/stats" in complete(kernel, 'import {} from "labyr"', len('import {} from "labyr'))["matches"]


def test_complete_offers_no_variable_in_a_string_or_a_comment(kernel: Session) -> None:
    def matches(code: str) -> Any:
        return kernel.client.complete(code, reply=True, timeout=120)["content"]["matches"]

    assert "Array" in matches("Ar") and "Array" in matches("const one = 'it' + Ar")
    for code in ('console.log("Ar', "const one = `Ar", "1 // Ar", "const one = 'it\\'s Ar"):
        assert matches(code) == [], code


def test_complete_answers_while_a_cell_runs(kernel: Session, tmp_path: Path) -> None:
    client, sent = kernel.client, tmp_path / "sent"
    client.execute(until(sent))
    try:
        asked = set()
        for _ in range(60):  # a crowded machine may leave one to the kernel's own, which waits for the cell
            asked.add(client.complete("matrixChains({ wor"))
            with suppress(queue.Empty):
                answer = client.get_shell_msg(timeout=2)
                assert answer["parent_header"]["msg_id"] in asked and answer["content"]["matches"] == ["worlds"]
                return
        pytest.fail("no answer while the cell ran")
    finally:
        sent.touch()


# Type errors


def test_a_type_error_is_shown_above_the_outputs_of_a_cell_that_runs_all_the_same(kernel: Session) -> None:
    ran = run_checked(kernel, 'const text = "a";\nconst count: number = text; console.log(count);')
    assert ran.text == (
        "stderr: Type error, line 2: Type 'string' is not assignable to type 'number'.\n"
        "stderr:   const count: number = text; console.log(count);\n"
        "stderr:         ^^^^^\nstdout: a\n"
    )


def test_a_later_declaration_holds(kernel: Session) -> None:
    _, _, ran = kernel.run("const again = 1; const f = () => 1;", 'const again = "x"; const f = "y";', "again + f")
    assert ran.outputs == ['text/plain: "xy"\n']
    assert inspect(kernel, "again")["data"]["text/plain"].strip() == 'const again: "x"'
    assert "toUpperCase" in complete(kernel, "f.toUp")["matches"]


def test_a_cell_that_works_is_not_complained_of(kernel: Session) -> None:
    kernel.run("var made = 5; throw new Error('after it')")
    cells = [
        "made",
        "globalThis.other = 1",
        "other",
        "const g = (x) => x; [1, 2][0].toFixed(); 'value'",
        "// @ts-nocheck\nconst n: number = 'ok'; n",
    ]
    assert [one.text for one in kernel.run(*cells)] == [
        *("text/plain: 5\n", "text/plain: 1\n", "text/plain: 1\n"),
        *('text/plain: "value"\n', 'text/plain: "ok"\n'),
    ]


@slow("a strict kernel")
def test_a_strict_kernel_runs_no_cell_with_a_type_error_unless_told_to_and_falls_back_once(tmp_path: Path) -> None:
    with looked_on(tmp_path, "strict") as kernel:
        sent = tmp_path / "sent"
        cells = until(sent), 'let ran = "yes"; matrixChains({ wor: 1 });', "1"
        _, refused, aborted = kernel.run(*cells, meanwhile=lambda _: sent.touch())
        assert refused.text.startswith("error: TypeError: line 1: Object literal may only specify known properties")
        assert "// @ts-nocheck" in "".join(refused.reply["traceback"]) and aborted.reply["status"] == "aborted"
        (gone,) = kernel.run("typeof globalThis.ran")
        assert gone.text == 'text/plain: "undefined"\n'

        assert kernel.run("const kept = { alpha: 1, beta: 2 };")[0].reply["status"] == "ok"
        for _ in range(2):  # the second server is not started anew
            server = _until(lambda: language_server(kernel))
            os.kill(server, signal.SIGKILL)
            assert complete(kernel, "kept.al")["matches"] in (["alpha"], ["kept.alpha"])
        kernel.run("kept")
        assert language_server(kernel) is None


def test_no_language_server_runs_where_nobody_looks_on_and_none_is_left(tmp_path: Path) -> None:
    with session("labyrinth", tmp_path) as kernel:
        assert kernel.run('const n: number = "x"; n')[0].text == 'text/plain: "x"\n'
        assert language_server(kernel) is None
        complete(kernel, "n.toFix")
        server = language_server(kernel)
        assert server
        kernel.manager.shutdown_kernel()
        _until(lambda: not alive(server))


def test_the_first_answers_come_before_the_server_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "tests.ipynb")
    monkeypatch.setenv("LAB_LANGUAGE", "warn")
    monkeypatch.setenv("LAB_DENO", deno())
    renew(ROOT)
    language = Language(NOTEBOOKS, zmq.Poller())
    answers: list[Any] = []

    def leave() -> None:
        pytest.fail("left to the kernel's own")

    try:
        for code in ("const chains = matrixChains", "matrixChains({ worlds", "arigraphStudy("):
            language.inspect({"code": code, "cursor_pos": len(code)}, answers.append, leave)
        for code in ("/* 😀 */ matrixChains({ wor", 'createAriadne({ order: "p', 'import {} from "labyrinth/sta'):
            language.complete({"code": code, "cursor_pos": len(code)}, answers.append, leave)
        assert not language.ready and not language.waits  # nothing was read of the server
        function, key, call = (one["data"]["text/markdown"] for one in answers[:3])
        assert "matrixChains(matrix: Matrix): EpisodeChain[]" in function and "Makes the chains of a matrix" in function
        assert "The columns of the table" in key and "arigraphStudy(options: " in call
        found = [(one["matches"], one["cursor_start"]) for one in answers[3:]]
        assert found == [(["worlds"], len("/* 😀 */ matrixChains({ ")), (["paper"], 24), (["labyrinth/stats"], 16)]
        code = "Array.isArray"  # what the surface does not know waits for the server
        language.inspect({"code": code, "cursor_pos": len(code)}, answers.append, leave)
        assert language.waits and len(answers) == 6
    finally:
        language.close()


@slow("what loads before the first question")
def test_a_server_that_is_looked_on_loads_the_library_before_the_first_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "tests.ipynb")
    monkeypatch.setenv("LAB_LANGUAGE", "warn")
    monkeypatch.setenv("LAB_DENO", deno())
    for patience in ("INSPECT", "CHECK"):  # on a crowded machine, too, the first answer is waited for
        monkeypatch.setattr(f"labyrinth_kernel.language.{patience}", 600.0)
    language = Language(NOTEBOOKS, zmq.Poller())
    server = child_server(os.getpid())
    assert server
    answers: list[Any] = []

    def pumped(holds: Callable[[], Any]) -> Any:
        language.pump(time.monotonic())
        return holds()

    def seconds_of(ask: Callable[[], Any]) -> float:
        """The processor time of the server until it has answered: the clock tells of other programs, too."""
        before, count = processor_seconds(server), len(answers)
        assert ask() is not False
        _until(lambda: pumped(lambda: len(answers) > count))
        return processor_seconds(server) - before

    try:
        _until(lambda: pumped(lambda: language.ready))
        loading = processor_seconds(server)
        first = seconds_of(lambda: language.check('const n: number = "x";', answers.append))
        code = 'import { findStudy } from "labyrinth/papers";\nfindStudy()'
        asked = {"code": code, "cursor_pos": len(code) - 4}
        later = [
            seconds_of(lambda: language.inspect(asked, answers.append, lambda: answers.append(None))) for _ in range(5)
        ]
        assert "not assignable" in answers[0][0] and "findStudy(" in answers[-1]["data"]["text/plain"], answers
        assert first < loading / 3 and sorted(later)[2] < loading / 10, (loading, first, later)
    finally:
        language.close()


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def language_server(kernel: Session) -> int | None:
    """The process of the kernel's language server."""
    return child_server(int(kernel.run("Deno.ppid")[0].text.removeprefix("text/plain: ")))


def child_server(proxy: int) -> int | None:
    for child in Path(f"/proc/{proxy}/task/{proxy}/children").read_text().split():
        if alive(int(child)) and b"\0lsp\0" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    return None


def _until(holds: Callable[[], Any], seconds: float = 240) -> Any:
    """Waits for so long on a machine that has nothing else to do, and the longer the more wait for a processor."""
    last = time.monotonic()
    while not (value := holds()):
        time.sleep(0.05)
        now = time.monotonic()
        seconds -= (now - last) / max(1, os.getloadavg()[0] / (os.cpu_count() or 1))
        last = now
        assert seconds > 0
    return value


@slow("all cells of all notebooks")
def test_no_cell_of_the_notebooks_raises_a_false_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_DENO", deno())
    monkeypatch.setenv("LAB_LANGUAGE", "strict")
    poller = zmq.Poller()
    alarms: list[tuple[str, list[str]]] = []
    checked = 0
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        language = Language(NOTEBOOKS, poller)
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            code, found = "".join(cell["source"]), []  # type: tuple[str, list[list[str]]]
            assert language.check(code, found.append)
            while not found:
                poller.poll(20)
                language.pump(time.monotonic())
            alarms += [(path.name, found[0])] if found[0] else []
            checked += 1
            language.ran(code, True)
        language.close()
    assert checked > 90 and alarms == []
