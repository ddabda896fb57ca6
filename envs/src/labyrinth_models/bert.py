"""A BERT encoder (Devlin et al. 2019, arXiv 1810.04805) as an ONNX graph of standard operators.

Per layer, with x the hidden states, h heads of size d and LN layer normalisation:

    a = softmax(Q Kᵀ / √d + mask) V        Q, K, V = x W + b, split into h heads
    x = LN(x + a W + b)
    x = LN(x + gelu(x W + b) W + b)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

OPSET, IR = 20, 9
"""Gelu came with opset 20; a newer onnx writes versions by default that onnxruntime does not load yet."""

Weights = Mapping[str, "np.ndarray[Any, Any]"]


def encoder(weights: Weights, config: Mapping[str, Any]) -> ModelProto:
    """The encoder without pooler, in 32-bit floats.

    Inputs `input_ids`, `attention_mask`, `token_type_ids`: int64, batch × sequence. Output `last_hidden_state`: float,
    batch × sequence × hidden size.

    Raises:
        ValueError: if the configuration is not of a model that these operators compute.
        KeyError: if a weight is missing.
    """
    if config["hidden_act"] != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise ValueError("it is no BERT with gelu and absolute positions")
    graph = _Graph(weights, config)
    hidden = graph.embeddings()
    mask = graph.mask()
    for number in range(config["num_hidden_layers"]):
        hidden = graph.layer(f"encoder.layer.{number}.", hidden, mask)
    return graph.model(hidden)


class _Graph:
    """Nodes and weights so far; each method adds some and gives the name of what they compute."""

    def __init__(self, weights: Weights, config: Mapping[str, Any]) -> None:
        self.weights, self.config = weights, config
        self.size, self.heads = config["hidden_size"], config["num_attention_heads"]
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def dense(self, x: str, prefix: str) -> str:
        """`x W + b`; checkpoints keep W as out × in."""
        w = self.constant(f"{prefix}.weight", self.weights[f"{prefix}.weight"].T)
        return self.op("Add", self.op("MatMul", x, w), self.weight(f"{prefix}.bias"))

    def norm(self, x: str, prefix: str) -> str:
        scale, shift = self.weight(f"{prefix}.weight"), self.weight(f"{prefix}.bias")
        return self.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=self.config["layer_norm_eps"])

    def embeddings(self) -> str:
        """LN(word + type + position), position 0 first."""
        words = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.op("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        length = self.op("Shape", "input_ids", start=1, end=2)
        table = self.weight("embeddings.position_embeddings.weight")
        positions = self.op("Slice", table, self.constant("zero", np.array([0])), length)
        return self.norm(self.op("Add", self.op("Add", words, types), positions), "embeddings.LayerNorm")

    def mask(self) -> str:
        """0 for a token and the least float for padding: batch × 1 × 1 × sequence."""
        axes, lowest = self.constant("axes", np.array([1, 2])), self.constant("lowest", np.finfo(np.float32).min)
        seen = self.op("Unsqueeze", self.op("Cast", "attention_mask", to=TensorProto.FLOAT), axes)
        return self.op("Mul", self.op("Sub", self.constant("one", np.float32(1)), seen), lowest)

    def layer(self, prefix: str, x: str, mask: str) -> str:
        attended = self.dense(self.attention(f"{prefix}attention.self.", x, mask), f"{prefix}attention.output.dense")
        x = self.norm(self.op("Add", attended, x), f"{prefix}attention.output.LayerNorm")
        inner = self.op("Gelu", self.dense(x, f"{prefix}intermediate.dense"), approximate="none")
        return self.norm(self.op("Add", self.dense(inner, f"{prefix}output.dense"), x), f"{prefix}output.LayerNorm")

    def attention(self, prefix: str, x: str, mask: str) -> str:
        d = self.size // self.heads
        split, join = (
            self.constant("split", np.array([0, 0, self.heads, d])),
            self.constant("join", np.array([0, 0, self.size])),
        )
        q, k, v = (self.op("Reshape", self.dense(x, prefix + name), split) for name in ("query", "key", "value"))
        q, v = self.op("Transpose", q, perm=[0, 2, 1, 3]), self.op("Transpose", v, perm=[0, 2, 1, 3])
        k = self.op("Transpose", k, perm=[0, 2, 3, 1])
        scores = self.op("Mul", self.op("MatMul", q, k), self.constant("scale", np.float32(d**-0.5)))
        shares = self.op("Softmax", self.op("Add", scores, mask), axis=-1)
        return self.op("Reshape", self.op("Transpose", self.op("MatMul", shares, v), perm=[0, 2, 1, 3]), join)

    def model(self, hidden: str) -> ModelProto:
        self.nodes.append(helper.make_node("Identity", [hidden], ["last_hidden_state"], name="last_hidden_state"))
        shape = ["batch", "sequence"]
        names = ("input_ids", "attention_mask", "token_type_ids")
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, self.size])
        graph = helper.make_graph(self.nodes, "bert", inputs, [output], list(self.constants.values()))
        versions = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=IR, producer_name="labyrinth")
        checker.check_model(model, full_check=True)
        return model
