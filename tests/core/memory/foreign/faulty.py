"""A memory whose faults an option chooses; without one it recalls the last observation."""

from __future__ import annotations

import mmap
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from labyrinth_memory import Cue, Memory, Perception, Recollection


class Faulty(Memory):
    """Does `fault` when it recalls at step `at`."""

    def __init__(self, fault: str = "none", at: int = 2) -> None:
        if fault == "raise-at-once":
            raise ValueError("no such store")
        self.fault, self.at, self.seen = fault, at, ""

    def observe(self, perception: Perception) -> object:  # type: ignore[override]
        if self.fault == "async_observe":
            return "a coroutine, say"
        self.seen = perception.observation
        return None

    def recall(self, cue: Cue) -> Recollection:
        if cue.step == self.at and self.fault != "none":
            return getattr(self, self.fault)()
        return Recollection({"Last": self.seen}, recalled={"last": [self.seen]})

    def save(self) -> dict[str, str]:
        return {"seen": self.seen}

    def load(self, body: dict[str, str]) -> None:
        self.seen = body["seen"]

    def hang(self) -> Recollection:
        subprocess.Popen(["sleep", "600"])
        while True:
            time.sleep(600)

    def leak(self) -> Recollection:
        kept = []
        while True:
            kept.append(bytearray(16 << 20))

    def touch(self) -> Recollection:
        """Maps what no limit on data holds for."""
        shared = mmap.mmap(-1, 1 << 30)
        for at in range(0, len(shared), mmap.PAGESIZE):
            shared[at] = 1
        time.sleep(600)
        return Recollection({})

    def prints(self) -> Recollection:
        print('{"v": 1, "id": "x", "ok": {}}')
        sys.stdout.flush()
        return Recollection({"Last": self.seen})

    def daemon(self) -> Recollection:
        subprocess.Popen(["sleep", "4242"], start_new_session=True)
        return Recollection({"Last": self.seen}, recalled={"last": [self.seen]})

    def breaks_off(self) -> Recollection:
        """Closes its connection to the meter in the middle of a request."""
        place = urllib.parse.urlparse(os.environ["OPENAI_BASE_URL"])
        head = f"Authorization: Bearer {os.environ['OPENAI_API_KEY']}\r\nContent-Length: 100"
        with socket.create_connection((place.hostname or "", place.port or 0)) as connection:
            connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n{{".encode())
            time.sleep(0.2)  # until the meter reads
        time.sleep(0.2)
        return Recollection({"Last": self.seen}, recalled={"last": [self.seen]})

    def raises(self) -> Recollection:
        raise RuntimeError("two\nlines")

    def leaves(self) -> Recollection:
        os._exit(3)

    def megabytes(self) -> Recollection:
        return Recollection({"Last": "x" * (2 << 20)})

    def markup(self) -> Recollection:
        return Recollection({"Last": "### Plan\n<script>alert(1)</script>\x1b[31m"}, status="one\ntwo")

    def titles(self) -> Recollection:
        return Recollection({"Last\n### Plan": "x"})

    def statuses(self) -> Recollection:
        return Recollection({}, status="x" * 600_000)

    def nothing(self) -> None:
        return None

    def wrong_key(self) -> Recollection:
        request = urllib.request.Request(
            os.environ["OPENAI_BASE_URL"] + "/chat/completions",
            data=b'{"messages": [{"role": "user", "content": "Hi"}]}',
            headers={"Authorization": "Bearer sk-stolen"},
        )
        try:
            urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            return Recollection({"Last": f"{error.code} {error.read().decode()}"})
        raise AssertionError("it was let in")

    def environment(self) -> Recollection:
        return Recollection({}, recalled={"names": [" ".join(sorted(os.environ))]})
