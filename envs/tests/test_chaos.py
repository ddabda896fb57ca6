"""Broken frames on the wire: each is answered in the protocol's own form, and harms no session.

The short form runs in CI; the long one, with more than 100,000 frames, with `./lab test --slow chaos`.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

from labyrinth_envs.messages import METHODS
from tests.support import SLOW, Client, Serve, many

SEED = os.environ.get("LAB_SEED", "1")
FRAMES = many(120_000, 1_500, "frames")
BATCH = 250

VALUES: list[Any] = [
    *(None, True, 0, -1, 1.5, 2**63, -(2**70), 1e308, "", "x", "\u0000", "\ud800", "é" * 3000, "1", [], {}, [[[]]]),
    *({"v": 1}, ["open"], "textworld/hunt", "tiny/counter", "12345678", "../../x", "$(id)", "\u202e", "nan"),
]
"""What a field may hold instead."""


def request(draw: random.Random, session: str) -> dict[str, Any]:
    """A request that is well formed, or nearly so. None of its ids is the session's, unless it only reads."""
    method = draw.choice([*METHODS, "fly", ""])
    owner = session if method in ("validActions", "truth") else draw.choice(["nobody", "", "s" * 300])
    params: dict[str, Any] = {"session": owner, "step": draw.randint(-1, 3), "action": "count"}
    if method in ("hello", "list", "ping"):
        params = {}
    elif method == "open":
        params = {"world": draw.choice(["tiny/none", "", "tiny/\n"]), "params": {draw.choice("ab"): 1}}
    elif method != "step":
        params = {"session": owner}
    return {"v": 1, "id": f"{draw.getrandbits(64):016x}", "method": method, "params": params}


def frames(draw: random.Random, session: str) -> list[bytes]:
    """One message: a request with a field changed, bytes flipped, a part cut off, or parts too many."""
    wanted = request(draw, session)
    how = draw.randrange(8)
    if how == 0:
        wanted[draw.choice([*wanted, "extra"])] = draw.choice(VALUES)
    elif how == 1 and wanted["params"]:
        wanted["params"][draw.choice([*wanted["params"], "extra"])] = draw.choice(VALUES)
    elif how == 2:
        del wanted[draw.choice(list(wanted))]
    text = json.dumps(wanted).encode()
    if how == 3:
        at = draw.randrange(len(text))
        text = text[:at] + bytes([text[at] ^ (1 << draw.randrange(8))]) + text[at + 1 :]
    elif how == 4:
        text = text[: draw.randrange(len(text))]
    elif how == 5:
        text = draw.randbytes(draw.randrange(200))
    elif how == 6:
        deep = draw.randrange(1, 5000)
        text = draw.choice([b"[" * deep, b'{"a":' * deep, b"9" * deep, b'"' + b"\\u0000" * deep])
    return [text, *(draw.randbytes(draw.randrange(20)) for _ in range(draw.choice([0, 0, 0, 0, 0, 0, 1, 3])))]


class Tally:
    """Counts answers and holds each against the protocol's form."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.answered = self.refused = 0

    def wait_for(self, wanted: int) -> None:
        """Reads answers until there are so many."""
        while self.answered < wanted:
            assert self._client.socket.poll(180_000), f"{self.answered} answers to {wanted} frames, LAB_SEED={SEED}"
            frame, *_ = self._client.socket.recv_multipart()
            reply = json.loads(frame)
            assert reply["v"] == 1 and len(reply) == 3, frame
            if "error" in reply:
                assert set(reply["error"]) == {"code", "message"} and "\n" not in reply["error"]["message"], frame
            else:
                assert "ok" in reply, frame
            self.answered += 1
            self.refused += "error" in reply


def test_broken_frames_are_each_answered_and_harm_no_session(serve: Serve) -> None:
    client, draw = serve(), random.Random(SEED)
    session = client.open(goalSize=60)
    client.call("reset", session=session)
    client.call("step", session=session, step=1, action="count")
    tally = Tally(client)
    for sent in range(BATCH, FRAMES + 1, BATCH):
        for _ in range(BATCH):
            client.send_raw(*frames(draw, session))
        tally.wait_for(sent)
    if SLOW:
        print(f"\n  frames: LAB_SEED={SEED}\n  {FRAMES} frames, each answered, {tally.refused} refused")
    assert FRAMES / 2 < tally.refused < FRAMES
    assert client.call("ping") == {"sessions": 1}
    assert client.call("truth", session=session)["truth"] == {"count": 1}
    assert client.call("step", session=session, step=2, action="count")["score"] == 2
