"""Serves the tiny world alone, for tests that kill a server: `python -m tests.tiny_server`."""

from __future__ import annotations

from labyrinth_envs.server import Server, ServerOptions

if __name__ == "__main__":
    server = Server(ServerOptions(), {"tiny/counter": "tests.tiny_world:Tiny"})
    print(server.endpoint, flush=True)
    server.run()
