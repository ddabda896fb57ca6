"""Seconds until the notebook kernel's language service answers, as measurements in JSON: `./lab bench language`.

Each question is asked over Jupyter's protocol, as Shift+Tab asks it: right after the kernel is ready, and after the
language server has read the library's types, which takes `loading_s` of processor time.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from labyrinth_kernel.surface import renew
from tests.kernel_client import ROOT, session
from tests.test_language import NOTEBOOKS, child_server, inspect, processor_seconds

ROUNDS = 9
CODE = 'import { matrixLanes } from "labyrinth/lab";\nmatrixLanes({ worlds'


def main() -> None:
    """Prints the measurements."""
    os.environ |= {"JPY_SESSION_NAME": "bench.ipynb", "LAB_LANGUAGE": "warn"}
    renew(ROOT)
    with tempfile.TemporaryDirectory() as folder, session("labyrinth", Path(folder), NOTEBOOKS) as kernel:
        proxy = kernel.manager.provisioner.process.pid  # type: ignore[union-attr]
        server = child_server(proxy) or sys.exit("no language server runs")

        def seconds(*codes: str) -> tuple[float, float]:
            """Of processor time of the kernel and its server, and by the clock, an answer."""
            before, started = processor_seconds(proxy) + processor_seconds(server), time.perf_counter()
            for code in codes:
                if not inspect(kernel, code)["found"]:
                    sys.exit(f"nothing is known of {code}")
            spent = processor_seconds(proxy) + processor_seconds(server) - before
            return spent / len(codes), (time.perf_counter() - started) / len(codes)

        first = seconds(CODE)
        while not inspect(kernel, "Array.isArray")["found"]:  # which the server alone knows
            pass
        loading = processor_seconds(server)
        later = seconds(*[CODE, CODE.replace("{ worlds", "")] * ROUNDS)
    wanted = [
        ("language-first", "processor time of a notebook's first answer to Shift+Tab", *first, 1),
        ("language-later", "processor time of a later answer", *later, 0.15),
    ]
    rows = [
        {
            **{"name": name, "says": f"{says}; wanted < {bound}", "value": value, "unit": "s", "holds": value < bound},
            "details": {"wall_s": wall, "loading_s": loading},
        }
        for name, says, value, wall, bound in wanted
    ]
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
