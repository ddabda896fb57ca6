"""The JSON Schema of the wire protocol, which `python -m labyrinth_envs schema` prints."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from labyrinth_envs.messages import METHODS, ErrorMessage, OkMessage, RequestMessage
from labyrinth_envs.protocol import MAX_ACTION_BYTES, MAX_FRAME_BYTES, PROTOCOL_VERSION


def schema() -> dict[str, object]:
    """All messages as one JSON Schema document; equal from run to run."""
    taken: list[tuple[type[BaseModel], JsonSchemaMode]] = [(RequestMessage, "validation")]
    taken += [(params, "validation") for params, _ in METHODS.values()]
    given: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (OkMessage, "serialization"),
        (ErrorMessage, "serialization"),
    ]
    given += [(reply, "serialization") for _, reply in METHODS.values()]
    _, document = models_json_schema(list(dict.fromkeys(taken + given)), by_alias=True)
    methods = {
        name: {"params": {"$ref": f"#/$defs/{params.__name__}"}, "ok": {"$ref": f"#/$defs/{reply.__name__}"}}
        for name, (params, reply) in METHODS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Labyrinth world protocol",
        "description": "Requests and replies between a client and the world server; see protocol.py.",
        "version": PROTOCOL_VERSION,
        "maxFrameBytes": MAX_FRAME_BYTES,
        "maxActionBytes": MAX_ACTION_BYTES,
        "methods": methods,
        "$defs": {name: _untitled(definition) for name, definition in sorted(document["$defs"].items())},
    }


def _untitled(node: object, names: bool = False) -> object:
    """The schema without the titles that pydantic derives from field names (`names`: the keys are field names)."""
    if isinstance(node, dict):
        kept = {key: value for key, value in node.items() if names or key != "title"}
        return {key: _untitled(value, names=key == "properties" and not names) for key, value in kept.items()}
    return [_untitled(item) for item in node] if isinstance(node, list) else node
