"""What the builder of sentence models refuses; that it builds the right one is tested from the lab's side."""

from pathlib import Path

import pytest

from labyrinth_models.__main__ import main


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
