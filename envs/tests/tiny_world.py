"""A world whose actions are accidents: what the server is tested with."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import resource
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

from pydantic import Field

from labyrinth_envs.world import (
    ActionSpec,
    EnvSpec,
    Frame,
    Turn,
    Wire,
    WorldError,
    cache_folder,
    client_path,
    given_path,
)

PNG = b"\x89PNG\r\n\x1a\n"


class TinyParameters(Wire):
    goal_size: int = Field(default=3, ge=1, le=60)
    mood: Literal["calm", "wild"] = "calm"
    fault: Literal["none", "refuse", "raise", "die", "hang", "hang-truth"] = "none"


class Tiny:
    """A counter; other actions are accidents.

    More lines, which the catalogue leaves out.
    """

    id = "tiny/counter"
    Parameters: type[TinyParameters] = TinyParameters

    def __init__(self, parameters: TinyParameters) -> None:
        if parameters.fault == "refuse":
            raise WorldError("bad-game", "this game is corrupt; choose another")
        if parameters.fault == "raise":
            raise KeyError("val1")
        if parameters.fault == "die":
            os._exit(7)
        if parameters.fault == "hang":
            time.sleep(600)
        self._parameters = parameters
        self._count = 0

    @property
    def spec(self) -> EnvSpec:
        return EnvSpec(
            id=self.id,
            version="1",
            parameters=self._parameters.model_dump(by_alias=True),
            sections=["count"],
            actions=[ActionSpec(name="count", description="adds one")],
            fallback="count",
            identity="0" * 64,
        )

    def reset(self) -> Turn:
        self._count = 0
        return self._turn("ready")

    def step(self, action: str) -> Turn:
        name, _, value = action.partition(" ")
        said = getattr(self, f"do_{name}", lambda _: f"did {action}")(value)
        if self._count >= self._parameters.goal_size:
            raise WorldError("ended", "the episode has ended; reset it")
        self._count += 1
        turn = self._turn(said)
        if name == "picture":
            frames = [Frame(action="a", observation="b"), Frame(action="c", observation="d", image=PNG + b"frame")]
            return turn.model_copy(update={"frames": frames, "image": PNG + b"turn"})
        return turn

    def valid_actions(self) -> list[str] | None:
        return None if self._parameters.mood == "wild" else ["count", f"now {self._count}"]

    def truth(self) -> dict[str, object]:
        if self._parameters.fault == "hang-truth":
            time.sleep(600)
        return {"count": self._count}

    def close(self) -> None:
        print("tiny world closes")

    def _turn(self, said: str) -> Turn:
        won = self._count >= self._parameters.goal_size
        return Turn(
            goal="count",
            observation=said,
            sections={"count": str(self._count)},
            score=self._count,
            max_score=self._parameters.goal_size,
            end="won" if won else None,
        )

    def do_refuse(self, _: str) -> str:
        raise WorldError("bad-action", "not that; try count")

    def do_raise(self, _: str) -> str:
        raise RuntimeError("two\nlines")

    def do_leave(self, _: str) -> str:
        sys.exit("leaving")

    def do_exit(self, status: str) -> str:
        os._exit(int(status))

    def do_crash(self, _: str) -> str:
        return str(ctypes.string_at(0))

    def do_kill(self, number: str) -> str:
        os.kill(os.getpid(), int(number))
        time.sleep(600)
        return ""

    def do_hang(self, _: str) -> str:
        while True:
            time.sleep(600)

    def do_stick(self, _: str) -> str:
        """Hangs in foreign code that holds the interpreter's lock, so that no other thread of the process runs."""
        ctypes.PyDLL(None).sleep(600)
        return ""

    def do_await(self, path: str) -> str:
        """Waits until a file is there."""
        while not os.path.exists(path):
            time.sleep(0.02)
        return "come"

    def do_meet(self, folder: str) -> str:
        """Waits until four have come to a folder."""
        Path(folder, str(os.getpid())).touch()
        while len(os.listdir(folder)) < 4:
            time.sleep(0.02)
        return "met"

    def do_full(self, _: str) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "game.z8")

    def do_forbidden(self, _: str) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "game.z8")

    def do_gorge(self, megabytes: str) -> str:
        return str(len(bytearray(int(megabytes) << 20)))

    def do_share(self, megabytes: str) -> str:
        """Touches shared memory that no limit on data holds for."""
        shared = mmap.mmap(-1, int(megabytes) << 20)
        for at in range(0, len(shared), mmap.PAGESIZE):
            shared[at] = 1
        time.sleep(600)
        return "nobody minded"

    def do_shm(self, megabytes: str) -> str:
        """Writes a file into `/dev/shm`, says whether others see it, and how much found room."""
        with open("/dev/shm/labyrinth-scrap", "wb") as file:
            try:
                for _ in range(int(megabytes)):
                    file.write(bytes(1 << 20))
            except OSError as error:
                return f"{errno.errorcode[error.errno or 0]} {os.path.getsize(file.name) >> 20}"
        return f"room {os.path.getsize(file.name) >> 20}"

    def do_limits(self, port: str) -> str:
        """The processor time, what becomes of connections to this machine and to another, and the loopback."""
        said = [str(resource.getrlimit(resource.RLIMIT_CPU)[0])]
        for address in ("127.0.0.1", int(port)), ("192.0.2.1", 9):
            with socket.socket() as client:
                client.settimeout(0.2)
                said.append(errno.errorcode.get(client.connect_ex(address), "connected"))
        with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5):
            return " ".join([*said, "loopback"])

    def do_child(self, _: str) -> str:
        return str(subprocess.Popen(["sleep", "600"]).pid)

    def do_place(self, _: str) -> str:
        print("a world prints this")
        with open("scrap", "w") as scrap:
            scrap.write("x")
        mode = oct(os.stat("scrap").st_mode & 0o777)
        read = os.read(0, 10)
        return "\n".join(
            [os.getcwd(), mode, repr(read), str(os.getpid()), str(given_path("g.z8")), str(cache_folder())]
        )


class Renewable(Tiny):
    """A counter whose process another one may take over."""

    id = "tiny/renewable"

    def __init__(self, parameters: TinyParameters, game: int = 1) -> None:
        super().__init__(parameters)
        self._game = game

    def renewed(self, parameters: TinyParameters) -> Renewable:
        return Renewable(parameters, self._game + 1)

    def truth(self) -> dict[str, object]:
        return {**super().truth(), "pid": os.getpid(), "game": self._game}


class FileParameters(TinyParameters):
    path: str


class TinyFile(Tiny):
    """A counter that looks at a file first."""

    id = "tiny/file"
    Parameters = FileParameters

    def __init__(self, parameters: FileParameters) -> None:
        client_path(parameters.path).read_text()
        super().__init__(parameters)
