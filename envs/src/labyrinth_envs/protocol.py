"""The wire protocol of the world server, version 1: parsing and encoding; `messages.py` has its types.

Transport: ZeroMQ, DEALER (client) to ROUTER (server). Names on the wire are camelCase, unknown fields are refused.

- A request is one frame of JSON: `{"v": 1, "id": "…", "method": "step", "params": {…}}`.
- A reply is one frame of JSON, `{"v": 1, "id": "…", "ok": {…}}` or `{"v": 1, "id": "…", "error": {"code", "message"}}`,
  followed by zero or more binary frames: PNG images. In the JSON of a turn, `image` is the index of such a frame
  (0 is the first one after the JSON), or null.
- `id` is chosen by the client, 8 to 64 printable ASCII characters without spaces, unique over all clients and all time
  (a UUID, or a random prefix and a counter). A request sent again with the same id is answered with the same reply: it
  is not carried out twice, also while the first copy is still at work. An error reply to a frame whose id cannot be
  read carries `"id": null`.
- Replies come in any order; within one session, requests are carried out in the order of their arrival.
- `step` numbers the steps since the last reset: 1, 2, 3, … A refused step (an `error` reply) does not count. The last
  step sent again with the same action is answered from the last reply, whatever its id; any other number is
  `out-of-order`.
- `direct` names a Unix socket of the session's own process, which takes `reset`, `step`, `validActions` and
  `truth` without the server between. Requests and replies there are the same, each with its lengths before it: the
  number of frames and the bytes of each, as little-endian 32-bit integers. A client whose socket is closed sends what
  was not answered to the server, under the same id.

`python -m labyrinth_envs schema` prints all messages as one JSON Schema document (`envs/schema.json`): `$defs` holds
the types and `methods` names, for each method, the type of its `params` and of its `ok`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from labyrinth_envs.error_messages import explain, one_line, shorten
from labyrinth_envs.messages import METHODS, ErrorBody, ErrorMessage, RequestMessage, StepMessage
from labyrinth_envs.world import ErrorCode, Turn, Wire

PROTOCOL_VERSION = 1
MAX_FRAME_BYTES = 2 * 1024 * 1024
"""A longer request is refused unread."""
MAX_ACTION_BYTES = 4096
"""UTF-8 bytes of an action; a world may allow fewer."""


# ── requests in ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Request(NamedTuple):
    """A request whose envelope and parameters have been checked."""

    id: str
    method: str
    params: Wire


class RequestError(Exception):
    """A frame that is no request of this protocol; `id` is what could be read of its id."""

    def __init__(self, code: ErrorCode, message: str, id: str | None) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.id = id


def parse_request(frame: bytes) -> Request:
    """Reads one request frame.

    Raises:
        RequestError: too long, not JSON, another version, an unknown method or field, a wrong type.
    """
    if len(frame) > MAX_FRAME_BYTES:
        message = f"a request may have {MAX_FRAME_BYTES} bytes, this one has {len(frame)}; send less"
        raise RequestError("bad-request", message, _readable_id(frame))
    try:
        step = StepMessage.model_validate_json(frame, strict=True)
        return Request(step.id, step.method, step.params)
    except ValidationError:  # it is something else, or nothing: which is told below
        pass
    try:
        loose = from_json(frame, allow_inf_nan=False)
    except ValueError as error:
        message = f"the request is not JSON ({one_line(error)}); send one UTF-8 JSON frame"
        raise RequestError("bad-request", message, _readable_id(frame)) from None
    if not isinstance(loose, dict):
        raise RequestError("bad-request", f"a request is a JSON object, not {type(loose).__name__}", None)
    id = loose["id"] if isinstance(loose.get("id"), str) and re.fullmatch(r"[!-~]{1,64}", loose["id"]) else None
    if isinstance(loose.get("v"), int) and loose["v"] != PROTOCOL_VERSION:
        message = f"protocol version {loose['v']} is unknown; this server speaks version {PROTOCOL_VERSION}"
        raise RequestError("version", f"{message}: bring client and server to the same release", id)
    try:
        envelope = RequestMessage.model_validate(loose, strict=True)
        if envelope.method not in METHODS:
            message = f'unknown method "{shorten(envelope.method)}"; there are {", ".join(METHODS)}'
            raise RequestError("bad-request", message, id)
        params = METHODS[envelope.method][0].model_validate(envelope.params, strict=True)
    except ValidationError as error:
        raise RequestError("bad-request", f"bad request: {explain(error)}", id) from None
    return Request(envelope.id, envelope.method, params)


def _readable_id(frame: bytes) -> str | None:
    """The id of a frame that is not read as JSON, so that its sender hears of the error rather than of a time-out."""
    found = re.search(rb'"id"\s*:\s*"([!#-\[\]-~]{8,64})"', frame[:512])
    return found.group(1).decode("ascii") if found else None


# ── replies out ───────────────────────────────────────────────────────────────────────────────────────────────────────


def encode_ok(id: str, ok: bytes) -> bytes:
    """Puts `ok`, which is JSON already, into its envelope."""
    return b'{"v":%d,"id":%s,"ok":%s}' % (PROTOCOL_VERSION, to_json(id), ok)


def encode_error(id: str | None, code: ErrorCode, message: str) -> bytes:
    """An error reply, its message on one line."""
    body = ErrorBody(code=code, message=one_line(message))
    return ErrorMessage(v=PROTOCOL_VERSION, id=id, error=body).model_dump_json(by_alias=True).encode()


def encode_turn(turn: Turn) -> tuple[bytes, list[bytes]]:
    """A turn as JSON (`TurnReply`), and its pictures in the order in which the JSON numbers them."""
    images: list[bytes] = []
    return to_json(_turn_reply(turn, images)), images


def _turn_reply(turn: Turn, images: list[bytes]) -> dict[str, object]:
    """The fields of the reply; pictures are appended to `images`, and numbered by their places there.

    No model is made of them, which at each step would take longer than all else here: a turn has been checked already.
    """

    def index(image: bytes | None) -> int | None:
        if image is None:
            return None
        images.append(image)
        return len(images) - 1

    return {
        "goal": turn.goal,
        "observation": turn.observation,
        "sections": turn.sections,
        "frames": [
            {"action": f.action, "observation": f.observation, "sections": f.sections, "image": index(f.image)}
            for f in turn.frames
        ],
        "score": turn.score,
        "maxScore": turn.max_score,
        "end": turn.end,
        "image": index(turn.image),
    }
