"""Error messages about bad input: one line that names the field, its value and what is allowed."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from itertools import groupby
from typing import cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from labyrinth_envs.world import WorldError


def check_parameters(world: str, model: type[BaseModel], params: dict[str, object]) -> BaseModel:
    """Checks a world's parameters against its own model.

    Raises:
        WorldError: `bad-parameter`; the message names parameter, value and what is allowed.
    """
    try:
        return model.model_validate_json(json.dumps(params), strict=True)
    except ValidationError as error:
        known: dict[str, dict[str, object]] = model.model_json_schema(by_alias=True).get("properties", {})
        wrong = dict.fromkeys(str(detail["loc"][0]) for detail in error.errors() if detail["loc"])
        ranges = [f"{name} is {describe(known[name], params.get(name))}" for name in wrong if name in known]
        meant = "".join(did_you_mean(name, known) for name in wrong if name not in known)
        listed = f"its parameters are {', '.join(known) or 'none'}{meant}"
        hint = "; ".join(ranges) if len(ranges) == len(wrong) else listed
        raise WorldError("bad-parameter", f"{world}: {explain(error)}; {hint}") from None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """`; did you mean "textworld/hunt"?`, or nothing where no known name is near."""
    near = difflib.get_close_matches(given, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


_MOST_NAMED = 8
"""A message lists up to this many allowed values; of more it names the three nearest to the given one."""


def describe(field: dict[str, object], given: object = None) -> str:
    """Describes the allowed values of a parameter by its JSON Schema: `integer from 1 to 60`."""
    if isinstance(field.get("anyOf"), list):
        return " or ".join(describe(kind, given) for kind in cast("list[dict[str, object]]", field["anyOf"]))
    if isinstance(field.get("enum"), list):
        values = list(map(json.dumps, cast("list[object]", field["enum"])))
        if len(values) <= _MOST_NAMED:
            return " or ".join(values)
        near = difflib.get_close_matches(json.dumps(given, default=str).lower(), values, n=3, cutoff=0)
        return f"one of {len(values)}, the nearest {', '.join(near)} (./lab worlds lists all)"
    if field.get("type") == "array" and isinstance(field.get("items"), dict):
        return f"a list of {describe(cast('dict[str, object]', field['items']))}"
    words = [str(field.get("type", "any value"))]
    for key, word in (("minimum", "from"), ("maximum", "to"), ("minLength", "from"), ("maxLength", "to")):
        if key in field:
            words.append(f"{word} {field[key]}")
    return " ".join(words) + (" characters" if "minLength" in field or "maxLength" in field else "")


_LONGEST_LIST = 200
"""Longest list of values that a message repeats, in characters; `describe` summarises longer ones."""


def explain(error: ValidationError) -> str:
    """Joins all errors of pydantic into one line: `rooms = 1000: input should be less than or equal to 60`."""
    details = error.errors(include_url=False)
    return one_line(
        "; ".join(_field_message(list(same)) for _, same in groupby(details, lambda detail: detail["loc"][:1]))
    )


def _field_message(details: list[ErrorDetails]) -> str:
    """Describes the error of one field; of a union, only its members nearest to the given value."""
    depth = max(len(detail["loc"]) for detail in details)
    nearest = [detail for detail in details if len(detail["loc"]) == depth]
    first = nearest[0]
    where = ".".join(
        str(step) for step in first["loc"] if "[" not in str(step)
    )  # the name of a union's member is no field
    what = " or ".join(dict.fromkeys(_detail_message(detail) for detail in nearest))
    value = "" if first["type"] == "missing" else f" = {shorten(json.dumps(first['input'], default=str))}"
    return f"{where}{value}: {what}" if where else what


def _detail_message(detail: ErrorDetails) -> str:
    if detail["type"] == "literal_error" and len(detail["msg"]) > _LONGEST_LIST:
        return "there is no such value"
    return detail["msg"][:1].lower() + detail["msg"][1:]


def shorten(text: str, limit: int = 80) -> str:
    """Cuts a text to at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_line(text: object, limit: int = 600) -> str:
    """Turns any message into a single line of at most `limit` characters."""
    return shorten(" ".join(str(text).split()), limit)
