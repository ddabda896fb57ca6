"""The command line: `python -m labyrinth_envs serve | openenv | keys | schema | bench`."""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from labyrinth_envs.addresses import ServeError
from labyrinth_envs.keys import KeyFolderError, add_client, revoke_client, write_keys
from labyrinth_envs.limits import CPU_SECONDS, MEMORY_MB
from labyrinth_envs.processes import stop_fork_server
from labyrinth_envs.server import Server, ServerOptions
from labyrinth_envs.wire_schema import schema
from labyrinth_envs.world import WorldError

FILES = 65_536
"""Open files that a server is given where the system allows it."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose error message is one line."""

    def error(self, message: str) -> NoReturn:
        """Prints the message and exits with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns the exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except (ServeError, KeyFolderError, WorldError) as error:
        print(f"labyrinth_envs: {error}", file=sys.stderr)
        return 2


def parser() -> Parser:
    """Builds the parser of all commands and their options."""
    top = Parser(prog="labyrinth_envs", description="The worlds of Labyrinth behind one ZeroMQ server.")
    commands = top.add_subparsers(required=True, metavar="serve | openenv | keys | schema | bench", parser_class=Parser)

    serve_ = commands.add_parser("serve", help="serve all worlds until interrupted")
    serve_.set_defaults(run=serve)
    serve_.add_argument("--bind", default="tcp://127.0.0.1:*", metavar="ADDRESS", help="default %(default)s")
    serve_.add_argument("--keys", type=Path, metavar="DIR", help="CURVE keys, as `keys DIR` writes them")
    serve_.add_argument(
        "--lease", type=seconds, default=600, metavar="SECONDS", help="idle sessions are closed after it"
    )
    serve_.add_argument("--max-sessions", type=count, default=64, metavar="N", help="default %(default)s")
    serve_.add_argument(
        "--client-sessions",
        type=count,
        metavar="N",
        help="sessions of one client; default half where there are several",
    )
    serve_.add_argument(
        "--games", type=Path, action="append", metavar="DIR", help="clients may open game files below it; repeatable"
    )
    serve_.add_argument(
        "--call-seconds", type=seconds, default=60, metavar="SECONDS", help="for one call of a world, 5 times for truth"
    )
    serve_.add_argument("--memory-mb", type=count, default=MEMORY_MB, metavar="N", help="MiB, each process of a world")
    serve_.add_argument(
        "--cpu-seconds",
        type=count,
        default=CPU_SECONDS,
        metavar="N",
        help="each process of a world; default %(default)s",
    )
    serve_.add_argument("--network", action="store_true", help="worlds may use the network")
    serve_.add_argument("--parent", action="store_true", help="end when standard input ends")

    openenv = commands.add_parser("openenv", help="serve one world to OpenEnv clients until interrupted")
    openenv.set_defaults(run=serve_openenv)
    openenv.add_argument("--world", default="textworld/hunt", metavar="ID")
    openenv.add_argument("--params", type=json_object, default={}, metavar="JSON")
    openenv.add_argument("--host", default="127.0.0.1", help="default %(default)s")
    openenv.add_argument("--port", type=int, default=8000, help="default %(default)s; 0: a free one")
    openenv.add_argument("--max-sessions", type=count, default=16, metavar="N", help="default %(default)s")

    keys = commands.add_parser("keys", help="write CURVE keys for a server and a client")
    keys.set_defaults(run=make_keys)
    keys.add_argument("folder", type=Path, metavar="DIR")
    one = keys.add_mutually_exclusive_group()
    one.add_argument("--add", metavar="NAME", help="admit one more client")
    one.add_argument("--revoke", metavar="NAME", help="shut a client out")

    commands.add_parser("schema", help="print the protocol's JSON Schema").set_defaults(run=print_schema)

    bench = commands.add_parser("bench", help="step worlds without server and ZeroMQ, a round a line of standard input")
    bench.set_defaults(run=run_bench)
    bench.add_argument("--world", default="textworld/hunt", metavar="ID")
    bench.add_argument("--params", type=json_object, default={}, metavar="JSON")
    bench.add_argument("--steps", type=count, default=500, metavar="N", help="of each session")
    bench.add_argument("--sessions", type=count, default=2, metavar="K")
    bench.add_argument("--seed", type=int, default=0)
    return top


def serve(options: argparse.Namespace) -> int:
    """Serves until SIGINT, SIGTERM or, with --parent, the end of standard input."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # sessions share the cores
    if options.network:
        os.environ["LABYRINTH_NETWORK"] = "1"
    raise_file_limit()
    server = Server(
        ServerOptions(
            bind=options.bind,
            keys=options.keys,
            lease=options.lease,
            max_sessions=options.max_sessions,
            client_sessions=options.client_sessions,
            games=None if options.games is None else tuple(options.games),
            call_seconds=options.call_seconds,
            memory_mb=options.memory_mb,
            cpu_seconds=options.cpu_seconds,
        )
    )
    server.loop.stop_on(signal.SIGINT, signal.SIGTERM)
    if options.parent:
        server.loop.stop_at_end_of(sys.stdin.fileno())
    print(json.dumps({"ready": True, "endpoint": server.endpoint, "pid": os.getpid()}), flush=True)
    os.dup2(2, 1)  # keep what packages print off standard output
    server.run()
    stop_fork_server()
    return 0


def serve_openenv(options: argparse.Namespace) -> int:
    """Serves one world by HTTP and WebSocket, as OpenEnv does.

    Raises:
        ServeError: the package `openenv` is not installed.
    """
    try:
        from labyrinth_envs import openenv
    except ModuleNotFoundError as error:
        raise ServeError(f"cannot serve OpenEnv clients: {error}; run: pip install openenv") from error
    openenv.serve(options.world, options.params, options.host, options.port, options.max_sessions)
    stop_fork_server()
    return 0


def raise_file_limit() -> None:
    """Lets this process open as many files as it may: a session takes three, and many systems begin with 1,024."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    with suppress(ValueError, OSError):  # macOS has a lower limit that it does not tell
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def make_keys(options: argparse.Namespace) -> int:
    """Writes keys, or removes one, and prints the paths."""
    if options.add is not None:
        print(add_client(options.folder, options.add))
    elif options.revoke is not None:
        print(revoke_client(options.folder, options.revoke))
    else:
        for path in write_keys(options.folder):
            print(path)
    return 0


def print_schema(options: argparse.Namespace) -> int:
    """Prints the protocol's JSON Schema."""
    print(json.dumps(schema(), indent=2, ensure_ascii=False))
    return 0


def run_bench(options: argparse.Namespace) -> int:
    """Prints a line of JSON at once, and plays a round for each line of standard input, which ends with another."""
    from labyrinth_envs.bench import bench

    rounds = bench(options.world, options.params, options.steps, options.sessions, options.seed)
    print(json.dumps(next(rounds)), flush=True)
    for _ in sys.stdin:
        print(json.dumps(next(rounds)), flush=True)
    rounds.close()
    return 0


def seconds(text: str) -> float:
    """Parses a positive number of seconds."""
    value = float(text)
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is no positive number of seconds")
    return value


def count(text: str) -> int:
    """Parses a whole number ≥ 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1")
    return value


def json_object(text: str) -> dict[str, object]:
    """Parses a JSON object."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text} is no JSON object")
    return value


if __name__ == "__main__":
    sys.exit(main())
