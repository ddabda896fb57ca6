"""Installs the kernel for every Jupyter of this user: `python -m labyrinth_kernel.install`.

The specification names this environment's Python and the lab's Deno, so that JupyterLab and papermill of whatever
environment start it. For parameters papermill has to know TypeScript: that of this environment does.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager

SPEC = Path(__file__).parent / "resources" / "kernels" / "labyrinth"
KEPT = ("LAB_DENO", "DENO_DIR", "DENO_NO_UPDATE_CHECK", "DENO_NO_PROMPT")
"""Variables of the lab's own that its kernel needs wherever it is started."""


def install() -> str:
    """Writes the specification into the user's Jupyter folder and returns where it lies."""
    spec = json.loads((SPEC / "kernel.json").read_text())
    spec["argv"][0] = sys.executable
    spec["env"].update({name: os.environ[name] for name in KEPT if name in os.environ})
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "labyrinth"
        shutil.copytree(SPEC, copy)
        (copy / "kernel.json").write_text(json.dumps(spec, indent=2) + "\n")
        return str(KernelSpecManager().install_kernel_spec(str(copy), "labyrinth", user=True))


if __name__ == "__main__":
    place = install()
    papermill = Path(sys.executable).with_name("papermill")
    print(f"the kernel is installed in {place}; jupyter kernelspec remove labyrinth takes it away again")
    print(f"{papermill} in.ipynb out.ipynb -k labyrinth -p name value runs a notebook")
