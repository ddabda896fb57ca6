"""A front end for the kernel's tests: sends many cells at once and notes what came for each before its idle."""

from __future__ import annotations

import json
import os
import queue
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

import labyrinth_kernel

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = Path(labyrinth_kernel.__file__).parent / "resources"


def deno() -> str:
    """Deno as the lab finds it: named, in the lab's own tools, or on PATH."""
    found = os.environ.get("LAB_DENO") or shutil.which(str(ROOT / ".lab/tools/bin/deno")) or shutil.which("deno")
    assert found, "the kernel's tests need Deno: run them with ./lab test, or set LAB_DENO to its path"
    return found


def jupyter_environment(folder: Path) -> dict[str, str]:
    """Variables under which Jupyter finds the kernel and writes only below `folder`.

    The kernel `deno` is Deno's own, without the proxy: LAB_KERNEL=deno makes the tests speak to it, and fail.
    """
    plain = folder / "kernels/deno"
    plain.mkdir(parents=True, exist_ok=True)
    argv = [deno(), "jupyter", "--kernel", "--conn", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Deno", "language": "typescript", "interrupt_mode": "message"}
    (plain / "kernel.json").write_text(json.dumps(spec))
    return {
        "JUPYTER_PATH": f"{RESOURCES}{os.pathsep}{folder}",
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "IPYTHONDIR": str(folder / "ipython"),
        "LAB_DENO": deno(),
        "NO_COLOR": "1",
    }


@dataclass
class Ran:
    """What came for one cell: outputs before its idle, outputs after it, and the reply."""

    outputs: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    idle: bool = False
    reply: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.outputs)


@dataclass
class Session:
    """One kernel and one client of it."""

    manager: KernelManager
    client: BlockingKernelClient

    def run(
        self,
        *cells: str,
        seconds: float = 240,
        meanwhile: Callable[[list[Ran]], None] | None = None,
        enough: Callable[[list[Ran]], bool] = lambda _: True,
    ) -> list[Ran]:
        """Sends all cells at once; returns when each has its reply and idle, it is `enough`, and nothing more comes."""
        ran = {self.client.execute(cell): Ran() for cell in cells}
        results = list(ran.values())
        end = time.monotonic() + seconds
        while not (all(one.idle and one.reply for one in results) and enough(results)):
            assert time.monotonic() < end, f"after {seconds} s some cells have not ended: {results}"
            if meanwhile:
                meanwhile(results)
            self._collect(ran, 0.05)
        while self._collect(ran, 0.3):
            pass
        return results

    def _collect(self, ran: dict[str, Ran], wait: float) -> bool:
        try:
            while True:
                answer = self.client.get_shell_msg(timeout=0)
                if answer["parent_header"].get("msg_id") in ran:
                    ran[answer["parent_header"]["msg_id"]].reply = answer["content"]
        except queue.Empty:
            pass
        try:
            message = self.client.get_iopub_msg(timeout=wait)
        except queue.Empty:
            return False
        one = ran.get(message["parent_header"].get("msg_id"), Ran())
        if message["msg_type"] == "status":
            one.idle = one.idle or message["content"]["execution_state"] == "idle"
        else:
            (one.late if one.idle else one.outputs).extend(shown(message))
        return True


def shown(message: dict[str, Any]) -> list[str]:
    """An output as lines: `stdout: …`, `error: …`, or one for each type of a bundle; none where nothing is shown."""
    content, kind = message["content"], message["msg_type"]
    if kind == "stream":
        return [f"{content['name']}: {line}\n" for line in content["text"].splitlines()]
    if kind == "error":
        return [f"error: {content['ename']}: {content['evalue']}\n"]
    if kind in ("display_data", "execute_result", "update_display_data"):
        return [f"{mime}: {data}\n" for mime, data in sorted(content["data"].items())]
    return []


def until(sent: Path) -> str:
    """A cell that runs until `sent` is there, so that on a busy machine, too, the cells behind it wait in the queue."""
    path = json.dumps(str(sent))
    return f"while (!await Deno.stat({path}).catch(() => false)) await new Promise((done) => setTimeout(done, 10));"


@contextmanager
def session(kernel: str, folder: Path, cwd: Path | None = None) -> Iterator[Session]:
    """A started kernel, in `cwd` or else in `folder`; it is shut down at the end."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in jupyter_environment(folder).items():
            patch.setenv(name, value)
        manager, client = start_new_kernel(kernel_name=kernel, cwd=str(cwd or folder))
    try:
        yield Session(manager, client)
    finally:
        client.stop_channels()
        if manager.has_kernel:
            manager.shutdown_kernel(now=True)
