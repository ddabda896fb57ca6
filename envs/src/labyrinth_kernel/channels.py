"""The sockets of both sides: those that the front end connects to, and those that connect to Deno."""

from __future__ import annotations

from dataclasses import replace

import zmq

from labyrinth_kernel.deno import CHANNELS, Deno
from labyrinth_kernel.places import PRELUDE
from labyrinth_kernel.wire import Codec, Json, Message


class Channels:
    """A socket for each of Jupyter's channels on either side."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], connection: Json, deno: Deno) -> None:
        """Binds the front end's sockets, given by `connection`, and connects to Deno's."""
        self._deno = deno
        self.codec = Codec(str(connection.get("key", "")))
        kinds = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "iopub": zmq.PUB, "hb": zmq.REP}
        self.front = {channel: _socket(context, kinds[channel]) for channel in CHANNELS}
        self.back = {c: _socket(context, zmq.SUB if c == "iopub" else zmq.DEALER) for c in CHANNELS if c != "hb"}
        for channel, one in self.front.items():
            one.bind(_address(connection, channel))
        self.back["iopub"].subscribe(b"")
        for channel, one in self.back.items():
            one.connect(_address(deno.connection, channel))

    def close(self) -> None:
        """Closes the sockets without waiting for what is unsent."""
        for one in (*self.front.values(), *self.back.values()):
            one.close(linger=0)

    def wait_for_deno(self) -> bool:
        """Asks until a status comes back, as only then the subscription stands; False when Deno ends instead."""
        asked = 1  # by the prelude
        while not self.back["iopub"].poll(200):
            if not self._deno.alive:
                return False
            self.to_deno("shell", self.codec.make("kernel_info_request", {}))
            asked += 1
        self.to_deno("shell", self.codec.silent(PRELUDE))
        while asked and self.back["shell"].poll(5000):
            self.back["shell"].recv_multipart()
            asked -= 1
        while self.back["iopub"].poll(50):
            self.back["iopub"].recv_multipart()
        return True

    def subscribe_anew(self) -> None:
        """Drops what Deno has garbled of its outputs, and reads on."""
        address = _address(self._deno.connection, "iopub")
        self.back["iopub"].disconnect(address)
        self.back["iopub"].connect(address)

    def send(self, channel: str, message: Message) -> None:
        """Sends a message to the front end."""
        self.front[channel].send_multipart(self.codec.encode(message))

    def to_deno(self, channel: str, message: Message) -> None:
        """Sends a message to Deno, which is not told who asks."""
        self.back[channel].send_multipart(self.codec.encode(replace(message, identities=())))


def _address(connection: Json, channel: str) -> str:
    port = connection[f"{channel}_port"]
    if connection.get("transport", "tcp") == "ipc":
        return f"ipc://{connection['ip']}-{port}"
    return f"tcp://{connection['ip']}:{port}"


def _socket(context: zmq.Context[zmq.Socket[bytes]], kind: int) -> zmq.Socket[bytes]:
    """A socket without a high-water mark: an output is never dropped for being one of many."""
    one = context.socket(kind)
    one.set_hwm(0)
    one.linger = 500  # ms
    return one
