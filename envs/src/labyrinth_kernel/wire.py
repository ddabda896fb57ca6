"""Jupyter's messages on ZeroMQ sockets: reading, signing, making (Jupyter messaging protocol 5.3)."""

from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

DELIMITER = b"<IDS|MSG>"

Json = dict[str, Any]
"""A decoded JSON object: what a message's parts are."""


class WireError(ValueError):
    """Frames that are no message, or whose signature does not fit the connection's key."""


@dataclass(frozen=True)
class Message:
    """One message: routing identities and its four JSON parts, which stay encoded until they are asked for."""

    header_json: bytes
    parent_json: bytes
    metadata_json: bytes
    content_json: bytes
    identities: tuple[bytes, ...] = ()
    buffers: tuple[bytes, ...] = ()

    @cached_property
    def header(self) -> Json:
        """Who sent it, when, and its type."""
        return _object(self.header_json)

    @cached_property
    def content(self) -> Json:
        """What it says."""
        return _object(self.content_json)

    @cached_property
    def parent_id(self) -> str:
        """The id of the request that it belongs to; empty for none."""
        return str(_object(self.parent_json).get("msg_id", ""))

    @property
    def id(self) -> str:
        """Its own id."""
        return str(self.header.get("msg_id", ""))

    @property
    def type(self) -> str:
        """Its type, `execute_request` for one."""
        return str(self.header.get("msg_type", ""))

    @property
    def says_idle(self) -> bool:
        """Whether it is the status that ends a request."""
        return self.type == "status" and self.content.get("execution_state") == "idle"

    def legible(self) -> Message:
        """An error without a stack (a thrown string, say) with the line that front ends show; any other as it is."""
        content = self.content
        if "".join(map(str, content.get("traceback", []))).strip():
            return self
        return self.with_content({**content, "traceback": [f"{content.get('ename')}: {content.get('evalue')}"]})

    def with_content(self, content: Json) -> Message:
        """The same message saying something else."""
        return replace(self, content_json=json.dumps(content).encode())


class Codec:
    """Turns frames into messages and back, with one connection's key."""

    def __init__(self, key: str) -> None:
        """Signs with `key`; an empty one means unsigned messages."""
        self._key = key.encode()
        self._session = uuid.uuid4().hex

    def decode(self, frames: list[bytes]) -> Message:
        """Reads one multipart message; raises `WireError` where it is cut short or wrongly signed."""
        try:
            start = frames.index(DELIMITER)
            signature, header, parent, metadata, content, *buffers = frames[start + 1 :]
        except ValueError:
            raise WireError("frames without the delimiter and the five parts behind it") from None
        if not hmac.compare_digest(signature, self._sign(header, parent, metadata, content)):
            raise WireError("a signature that does not fit the connection's key")
        return Message(header, parent, metadata, content, tuple(frames[:start]), tuple(buffers))

    def encode(self, message: Message) -> list[bytes]:
        """The frames of a message, signed."""
        parts = (message.header_json, message.parent_json, message.metadata_json, message.content_json)
        return [*message.identities, DELIMITER, self._sign(*parts), *parts, *message.buffers]

    def make(self, kind: str, content: Json, answers: Message | None = None) -> Message:
        """A message of the kernel's own; `answers` is the request that it belongs to."""
        header = {
            "msg_id": uuid.uuid4().hex,
            "session": self._session,
            "username": "kernel",
            "version": "5.3",
            "date": datetime.now(UTC).isoformat(),
            "msg_type": kind,
        }
        return Message(
            json.dumps(header).encode(),
            answers.header_json if answers else b"{}",
            b"{}",
            json.dumps(content).encode(),
            answers.identities if answers else (),
        )

    def silent(self, code: str) -> Message:
        """A request to run code of the kernel's own, which leaves no trace in the notebook."""
        quiet = {"silent": True, "store_history": False, "allow_stdin": False, "stop_on_error": False}
        return self.make("execute_request", {"code": code, **quiet})

    def _sign(self, *parts: bytes) -> bytes:
        if not self._key:
            return b""
        mac = hmac.new(self._key, digestmod=hashlib.sha256)
        for part in parts:
            mac.update(part)
        return mac.hexdigest().encode()


def _object(text: bytes) -> Json:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise WireError(f"a part that is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise WireError(f"a part that is no JSON object: {text[:40]!r}")
    return value
