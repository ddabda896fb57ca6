"""The lab's notebook kernel: Deno's own, with every output under the cell it belongs to.

Deno's kernel says that a cell is done while the cell's outputs are still on their way, so that a front end that goes on
at once loses them or shows them under a later cell. This package stands between the front end and `deno jupyter` and
lets a cell end only when all of its outputs are out.

| module | holds |
|---|---|
| `wire` | Jupyter's messages: reading, signing, making |
| `deno` | the child process: start, processor demand, signals, death with its parent |
| `cell` | what is known of the running cell, and when it may end |
| `proxy` | the loop between the front end's sockets and Deno's |
| `lockfile` | the project's lock file, left as it is by packages that only a cell names |
| `syntax` | where a cell that does not parse breaks |
| `papermill` | parameters of a notebook as TypeScript |
| `engine` | what makes any papermill in this environment know TypeScript |
| `install` | the kernel, installed for every Jupyter of the user |
| `lab` | JupyterLab, ending with the process that started it |
| `headless` | runs notebooks without a browser and stores them in a normal form |

`resources/` is a Jupyter data folder (`JUPYTER_PATH`) that needs no installation.
"""
