"""The lab's notebook kernel: Deno's own, with every output under the cell it belongs to.

Deno's kernel says that a cell is done while the cell's outputs are still on their way, so that a front end that goes on
at once loses them or shows them under a later cell. This package stands between the front end and `deno jupyter` and
lets a cell end only when all of its outputs are out.

| module | holds |
|---|---|
| `wire` | Jupyter's messages: reading, signing, making |
| `child` | a child process that dies with its parent |
| `deno` | `deno jupyter` as such a child: start, processor demand, signals |
| `channels` | the sockets of both sides |
| `cell` | what is known of the running cell, and when it may end |
| `fence` | the request behind each cell that tells when its outputs are out |
| `waiting` | the queue of requests, and what an error does to it |
| `stop` | Stop, in two stages |
| `proxy` | the loop between the front end's sockets and Deno's |
| `language` | Tab, Shift+Tab and type errors, by Deno's language server |
| `lsp` | the language server as a child process |
| `document` | the cells that ran as one module for it |
| `replies`, `problems` | its answers as Jupyter's, and which of its errors are worth a word |
| `places` | places in the stacks of errors, by the cells' own lines |
| `lockfile` | the project's lock file, left as it is by packages that only a cell names |
| `syntax` | where a cell that does not parse breaks |
| `papermill` | parameters of a notebook as TypeScript |
| `engine` | what makes any papermill in this environment know TypeScript |
| `install` | the kernel, installed for every Jupyter of the user |
| `lab` | JupyterLab, ending with the process that started it |
| `headless` | runs notebooks without a browser and stores them in a normal form |

`resources/` is a Jupyter data folder (`JUPYTER_PATH`) that needs no installation.
"""
