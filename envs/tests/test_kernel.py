"""The notebook kernel, against real Deno: outputs complete and in their cell, errors, Stop, death, parameters.

`LAB_KERNEL=deno` runs the same tests against Deno's own kernel, where those of the outputs, the queue and Stop fail.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labyrinth_kernel.child import guard
from labyrinth_kernel.deno import processor_seconds
from labyrinth_kernel.syntax import explain
from labyrinth_kernel.wire import Codec, WireError
from tests.kernel_client import ROOT, Ran, Session, jupyter_environment, session, until
from tests.support import alive

KERNEL = os.environ.get("LAB_KERNEL", "labyrinth")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """One kernel for all tests that leave it usable."""
    with session(KERNEL, tmp_path_factory.mktemp("kernel")) as started:
        yield started


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Session]:
    """A kernel of a test's own, which may end it."""
    with session(KERNEL, tmp_path) as started:
        yield started


# Outputs


def logs(tag: str, lines: int) -> tuple[str, list[str]]:
    code = f"for (let i = 0; i < {lines}; i++) console.log(`{tag} ${{i}}`);\n'{tag} value'"
    return code, [*(f"stdout: {tag} {i}\n" for i in range(lines)), f'text/plain: "{tag} value"\n']


def table(tag: str) -> tuple[str, list[str]]:
    return f"Deno.jupyter.html`<table><tr><td>{tag}</td></tr></table>`", [
        f"text/html: <table><tr><td>{tag}</td></tr></table>\n"
    ]


def chart(tag: str) -> tuple[str, list[str]]:
    """A figure as the lab shows one: drawing and text in one bundle, 100 kB."""
    code = (
        f"await Deno.jupyter.display({{'image/svg+xml': '<svg>' + '{tag}'.repeat(20000) + '</svg>',"
        f" 'text/plain': '{tag} chart'}}, {{raw: true}});"
    )
    return code, [f"image/svg+xml: <svg>{tag * 20000}</svg>\n", f"text/plain: {tag} chart\n"]


def progress(tag: str) -> tuple[str, list[str]]:
    code = (
        f"for (let i = 0; i < 10; i++) {{ await Deno.jupyter.display({{'text/plain': `{tag} ${{i}}`}},"
        f" {{raw: true, display_id: '{tag}', update: i > 0}}); await new Promise((done) => setTimeout(done, 5)); }}"
    )
    return code, [f"text/plain: {tag} {i}\n" for i in range(10)]


def test_each_cell_has_its_outputs_when_20_are_sent_at_once(kernel: Session) -> None:
    long = "const end = performance.now() + 1000; while (performance.now() < end);\n"
    cells = [(long + logs("c0", 200)[0], logs("c0", 200)[1])]
    for number in range(1, 20):
        make = (lambda tag: logs(tag, 30), table, chart, progress)[number % 4]
        cells.append(make(f"c{number}"))
    ran = kernel.run(*(code for code, _ in cells))
    for number, ((_, expected), one) in enumerate(zip(cells, ran, strict=True)):
        assert one.outputs == expected, f"cell {number}"
        assert one.late == [], f"cell {number}"
        assert one.reply["execution_count"] == ran[0].reply["execution_count"] + number


def test_thousands_of_log_lines_arrive_in_a_few_messages(kernel: Session) -> None:
    (ran,) = kernel.run("for (let i = 0; i < 5000; i++) console.log(`line ${i}`);")
    assert ran.outputs == [f"stdout: line {i}\n" for i in range(5000)]


def test_log_lines_and_displays_keep_their_order(kernel: Session) -> None:
    code = (
        "console.log('a'); console.error('b');"
        "await Deno.jupyter.display({'text/plain': 'c'}, {raw: true}); console.log('d');"
    )
    (ran,) = kernel.run(code)
    assert ran.outputs == ["stdout: a\n", "stderr: b\n", "text/plain: c\n", "stdout: d\n"]


def test_a_late_output_stays_with_the_cell_that_made_it(kernel: Session, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    _, first, second = kernel.run(
        until(sent),
        "const second = Promise.withResolvers();"
        "second.promise.then(() => setTimeout(() => console.log('late'), 150)); 'first'",
        "second.resolve(); await new Promise((done) => setTimeout(done, 1)); 'second'",
        meanwhile=lambda _: sent.touch(),
        enough=lambda ran: any("stdout: late\n" in one.outputs + one.late for one in ran),
    )
    assert sorted(second.outputs + second.late) == ["stdout: late\n", 'text/plain: "second"\n']  # it ran last
    assert first.outputs == ['text/plain: "first"\n'] and first.late == []


# Errors


def test_an_error_comes_last_and_stops_the_queue(kernel: Session, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    _, failed, second, third = kernel.run(
        until(sent),
        "for (let i = 0; i < 50; i++) console.log(i); throw new RangeError('boom');",
        "console.log('ran on')",
        "'third'",
        meanwhile=lambda _: sent.touch(),
    )
    assert failed.outputs == [*(f"stdout: {i}\n" for i in range(50)), "error: RangeError: boom\n"]
    assert [one.reply["status"] for one in (failed, second, third)] == ["error", "aborted", "aborted"]
    assert second.outputs == third.outputs == []
    assert kernel.run("'usable'")[0].outputs == ['text/plain: "usable"\n']


def test_a_syntax_error_is_shown_with_its_place_and_stops_the_queue(kernel: Session, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    cells = until(sent), "const fine = 1;\nconst = 3;", "console.log('ran on')"
    _, broken, after = kernel.run(*cells, meanwhile=lambda _: sent.touch())
    assert "error: SyntaxError:" in broken.text and "line 2, column 7" in broken.text
    assert after.reply["status"] == "aborted" and after.outputs == []


def test_a_thrown_string_is_legible(kernel: Session) -> None:
    (ran,) = kernel.run("throw 'no stack'")
    assert ran.text == "error: Error: no stack\n"


def test_explain_finds_nothing_in_sound_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAB_DENO", jupyter_environment(tmp_path)["LAB_DENO"])
    assert explain("const sound: number = await Promise.resolve(1);") is None


# Stop


def stop_when(session: Session, mark: str) -> Callable[[list[Ran]], None]:
    """Presses Stop once, as soon as the first cell has printed `mark`."""
    pressed: list[float] = []

    def look(ran: list[Ran]) -> None:
        if not pressed and mark in ran[0].text:
            pressed.append(time.monotonic())
            session.manager.interrupt_kernel()

    return look


LISTEN = """
const stopped = new AbortController();
Deno.addSignalListener("SIGURG", () => stopped.abort(new DOMException("stopped by the user", "AbortError")));
"""
PENDING = """
console.log("waiting");
await new Promise((_, fail) => stopped.signal.addEventListener("abort", () => fail(stopped.signal.reason)));
"""


def test_stop_aborts_a_pending_call_that_listens(kernel: Session) -> None:
    kernel.run(LISTEN)
    started = time.monotonic()
    waiting, after = kernel.run(PENDING, "'after'", meanwhile=stop_when(kernel, "waiting"))
    assert time.monotonic() - started < 240  # left alone it would wait without end
    assert "AbortError: stopped by the user" in waiting.text
    assert after.reply["status"] == "aborted"
    assert kernel.run("'usable'")[0].outputs == ['text/plain: "usable"\n']


PLAY = """
const { connectWorlds } = await import("labyrinth");
const worlds = connectWorlds();
const world = await worlds.open("textworld/hunt");
let turn = await world.reset();
console.log("playing");
while (true) turn = await world.step("look");
"""


def test_stop_in_a_call_to_a_world_leaves_kernel_and_world_usable(tmp_path: Path) -> None:
    with session(KERNEL, tmp_path, cwd=ROOT / "notebooks") as lab:
        (playing,) = lab.run(PLAY, meanwhile=stop_when(lab, "playing"))
        assert "AbortError" in playing.text
        (goes_on,) = lab.run('(await world.step("go west")).sections.location')
        assert goes_on.outputs == ['text/plain: "Room B"\n']
        assert lab.run("await worlds.close(); 'closed'")[0].outputs == ['text/plain: "closed"\n']


def test_stop_leaves_the_kernel_usable_after_an_await_that_does_not_listen(mortal: Session, tmp_path: Path) -> None:
    told, stop = tmp_path / "told", stop_when(mortal, "waiting")

    def look(ran: list[Ran]) -> None:
        stop(ran)
        if "restart the kernel" in ran[0].text:
            told.touch()

    (ran,) = mortal.run(f"console.log('waiting'); {until(told)} 'slept'", meanwhile=look)
    assert ran.text.endswith('text/plain: "slept"\n')
    assert mortal.run("'usable'")[0].outputs == ['text/plain: "usable"\n']


def test_stop_ends_a_busy_loop(kernel: Session) -> None:
    (ran,) = kernel.run("console.log('busy'); for (;;);", meanwhile=stop_when(kernel, "busy"))
    assert ran.text.endswith("error: Interrupted: stopped by the user\n")
    assert kernel.run("'usable'")[0].outputs == ['text/plain: "usable"\n']


# Death


def test_a_kernel_that_ends_in_a_cell_says_so(mortal: Session, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    ran, after = mortal.run(
        f"console.log('last words'); {until(heard)} Deno.exit(3);",
        "'after'",
        meanwhile=lambda ran: heard.touch() if "last words" in ran[0].text else None,
    )
    words, death = ran.outputs
    assert words == "stdout: last words\n"
    assert death == "error: KernelDied: Deno ended with code 3 while this cell ran; all variables are gone\n"
    assert after.reply["status"] == "aborted"
    assert _ends(lambda: mortal.manager.is_alive())


def test_nothing_is_left_after_shutdown(mortal: Session, tmp_path: Path) -> None:
    deno = int(mortal.run("Deno.pid")[0].text.removeprefix("text/plain: "))
    assert alive(deno)
    mortal.manager.shutdown_kernel()
    assert _ends(lambda: alive(deno))
    assert not list((tmp_path / "runtime").glob("*.json"))


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_deno_dies_with_a_killed_kernel(mortal: Session, busy: bool) -> None:
    deno, proxy = (int(mortal.run(code)[0].text.removeprefix("text/plain: ")) for code in ("Deno.pid", "Deno.ppid"))
    assert proxy not in (deno, os.getpid())
    if busy:
        mortal.client.execute("for (;;);")
    os.kill(proxy, signal.SIGKILL)
    assert _ends(lambda: alive(deno))


def test_the_guard_of_other_systems_kills_when_its_pipe_closes() -> None:
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    watcher = guard(sleeper.pid)
    assert watcher.stdin
    watcher.stdin.close()
    assert sleeper.wait(120) == -signal.SIGKILL and watcher.wait(120) is not None


def test_processor_seconds_grow_in_a_busy_process_alone() -> None:
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        assert _ends(lambda: (processor_seconds(busy.pid) or 0) < 1, 120)
    finally:
        busy.kill()
        busy.wait()
    assert processor_seconds(busy.pid) is None


def _ends(still: Callable[[], bool], seconds: float = 120) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not still():
            return True
        time.sleep(0.05)
    return False


# The wire


def test_a_wrongly_signed_message_is_refused() -> None:
    codec, stranger = Codec("key"), Codec("another")
    message = codec.make("status", {"execution_state": "idle"})
    assert codec.decode(codec.encode(message)).content == {"execution_state": "idle"}
    with pytest.raises(WireError, match="signature"):
        codec.decode(stranger.encode(message))
    with pytest.raises(WireError, match="delimiter"):
        codec.decode([b"cut", b"short"])


def test_an_edit_of_a_function_that_was_declared_before_the_library_was_imported_is_seen(tmp_path: Path) -> None:
    source = (ROOT / "lib/lab/source.ts").as_uri()
    asks = "await sourceHash([() => helper()], { closures: true })"
    with session("labyrinth", tmp_path, ROOT / "notebooks") as kernel:
        ran = kernel.run(
            "function helper() { return 1 }",
            f"const {{ sourceHash }} = await import({json.dumps(source)}); {asks}",
            asks,
            "function helper() { return 2 }",
            asks,
        )
    first, again, edited = (ran[at].text for at in (1, 2, 4))
    assert first.startswith("text/plain: ") and first == again != edited
