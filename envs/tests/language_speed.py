"""Seconds until the notebook kernel's language service answers, as measurements in JSON: `./lab bench language`.

Each question is asked over Jupyter's protocol, as Shift+Tab asks it: right after the kernel is ready, and after the
language server has read the library's types, which takes `loading_s` of processor time.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from labyrinth_kernel.surface import renew
from tests.kernel_client import ROOT, session
from tests.test_language import NOTEBOOKS, inspect, language_server, processor_seconds

ROUNDS = 9
CODE = 'import { matrixLanes } from "labyrinth/lab";\nmatrixLanes({ worlds'


def main() -> None:
    """Prints the measurements."""
    os.environ |= {"JPY_SESSION_NAME": "bench.ipynb", "LAB_LANGUAGE": "warn"}
    renew(ROOT)
    with tempfile.TemporaryDirectory() as folder, session("labyrinth", Path(folder), NOTEBOOKS) as kernel:

        def seconds(code: str) -> float:
            started = time.perf_counter()
            if not inspect(kernel, code)["found"]:
                sys.exit(f"nothing is known of {code}")
            return time.perf_counter() - started

        first = seconds(CODE)
        while not inspect(kernel, "Array.isArray")["found"]:  # which the server alone knows
            pass
        server = language_server(kernel)
        loading = processor_seconds(server) if server else 0.0
        later = [seconds(code) for _ in range(ROUNDS) for code in (CODE, CODE.replace("{ worlds", ""))]
    wanted = [
        ("language-first", "a notebook's first answer to Shift+Tab, right after the kernel is ready", first, 1),
        ("language-later", "the median of later answers", statistics.median(later), 0.15),
    ]
    common = {"unit": "s", "details": {"loading_s": loading}}
    rows = [
        {**common, "name": name, "says": f"{says}; wanted < {bound}", "value": value, "holds": value < bound}
        for name, says, value, bound in wanted
    ]
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
