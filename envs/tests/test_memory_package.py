"""The check of a memory finds what does not fit, and the host answers whatever a memory does."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from labyrinth_memory import Cue, Perception, Recollection
from labyrinth_memory.conformance import check
from labyrinth_memory.host import Host
from labyrinth_memory.loading import LoadError, identify, load, split

EXAMPLE = str(Path(__file__).parents[2] / "data" / "examples" / "memories" / "last_seen.py")


class Sound:
    """A memory that fits, without a base class."""

    def __init__(self, start: str = "") -> None:
        self.seen = [start]

    def observe(self, perception: Perception) -> None:
        self.seen.append(perception.observation)

    def recall(self, cue: Cue) -> Recollection:
        return Recollection({"Seen": "\n".join(self.seen)})

    def save(self) -> list[str]:
        return self.seen

    def load(self, body: list[str]) -> None:
        self.seen = body


class Forgets(Sound):
    def load(self, body: list[str]) -> None:
        self.seen = []


class Returns(Sound):
    def observe(self, perception: Perception) -> Any:
        return self


class Untitled(Sound):
    def recall(self, cue: Cue) -> Recollection:
        return Recollection({"### seen": "x"})


class Grows(Sound):
    def recall(self, cue: Cue) -> Recollection:
        self.seen.append("recalled")
        return Recollection({"Seen": str(len(self.seen))})


class Bare(Sound):
    def recall(self, cue: Cue) -> Any:
        return "text"


def test_the_example_and_a_plain_class_fit() -> None:
    assert check(load(EXAMPLE)) == check(Sound) == []


@pytest.mark.parametrize(
    ("cls", "problem"),
    [
        (Forgets, "loaded what another one saved"),
        (Returns, "observe must return None"),
        (Untitled, "no title"),
        (Grows, "recalling or saving changes"),
        (Bare, "must return a Recollection, not str"),
    ],
)
def test_what_does_not_fit_is_named(cls: type, problem: str) -> None:
    assert any(problem in line for line in check(cls)), check(cls)


def answer(host: Host, method: str, **params: object) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(
        host.reply(json.dumps({"v": 1, "id": "1", "method": method, "params": params}).encode())
    )
    assert (reply["v"], reply["id"]) == (1, "1")
    return reply


def test_the_host_plays_a_memory_by_its_frames() -> None:
    host = Host(Sound)
    assert answer(host, "open", start="a")["ok"] == {"saves": True}
    answer(host, "observe", step=1, goal="g", observation="b", unknown="left out", image="aQ==")
    assert answer(host, "recall", step=1, goal="g", observation="b", plan="")["ok"]["sections"] == {"Seen": "a\nb"}
    assert answer(host, "save")["ok"] == {"body": ["a", "b"]}
    assert answer(host, "fly")["error"]["code"] == "memory-reply"
    assert "TypeError" in answer(host, "open", wrong=1)["error"]["message"]


def test_a_call_that_was_cancelled_is_answered() -> None:
    class Cancelled(Sound):
        def recall(self, cue: Cue) -> Recollection:
            raise asyncio.CancelledError("too late")

    host = Host(Cancelled)
    answer(host, "open")
    error = answer(host, "recall", step=1, goal="g", observation="b")["error"]
    assert error == {"code": "memory-raised", "message": "recall raised CancelledError: too late"}


def test_a_picture_comes_as_bytes() -> None:
    seen: list[bytes | None] = []

    class Looks(Sound):
        def observe(self, perception: Perception) -> None:
            seen.append(perception.image)

    host = Host(Looks)
    answer(host, "open")
    answer(host, "observe", step=1, goal="g", observation="b", image="aGk=")
    assert seen == [b"hi"]


def test_names_and_what_cannot_be_loaded(tmp_path: Path) -> None:
    assert split("a/b.py") == ("a/b.py", None) and split("a.b:C") == ("a.b", "C")
    two = tmp_path / "two.py"
    two.write_text("class A:\n    observe = recall = print\nclass B(A):\n    pass\n")
    assert load(f"{two}:A").__name__ == "A"
    with pytest.raises(LoadError, match="found A, B; add :CLASS"):
        load(str(two))
    with pytest.raises(LoadError, match="has no class C"):
        load(f"{two}:C")
    two.write_text("import no_such_package")
    with pytest.raises(LoadError, match="No module named 'no_such_package'"):
        load(str(two))
    assert identify("pydantic.main:BaseModel").startswith("pydantic 2.")


def test_the_command_checks_a_file() -> None:
    command = [sys.executable, "-m", "labyrinth_memory", "check", EXAMPLE]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "it fits\n"
