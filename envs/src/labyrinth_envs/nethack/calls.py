"""Calls of skills as text: `move_to(x=12, y=5)`, or JSON `{"name": "move_to", "params": {"x": 12, "y": 5}}`."""

from __future__ import annotations

import ast
import json
import warnings
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import ValidationError

from labyrinth_envs.error_messages import one_line, shorten
from labyrinth_envs.nethack.skills import CATALOGUE
from labyrinth_envs.nethack.skills.base import Params, Skill
from labyrinth_envs.world import ActionSpec, WorldError

_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True)
class Call:
    """A skill and what it is to be done with."""

    skill: Skill
    params: Params

    def __str__(self) -> str:
        """The call as agents write it."""
        given = self.params.model_dump(exclude_defaults=True)
        return f"{self.skill.name}({', '.join(f'{name}={json.dumps(value)}' for name, value in given.items())})"


def parse(action: str) -> Call:
    """The call that an action names; `WorldError("bad-action")` says in one line what is wrong with it."""
    text = action.strip(" ")
    if not text:
        _refuse("the action is empty; call a skill, for example explore_level()")
    if not all(" " <= character <= "~" for character in text):
        _refuse("the action holds a line break, a control character or one outside ASCII; send one line of plain ASCII")
    name, params = _json(text) if text.startswith("{") else _call(text)
    skill = CATALOGUE.get(name)
    if skill is None:
        _refuse(f'there is no skill "{shorten(name)}"; there are {", ".join(CATALOGUE)}')
    try:
        return Call(skill, skill.parameters.model_validate(params))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "parameters"
        what = {"missing": "is missing", "extra_forbidden": "is unknown"}.get(first["type"], first["msg"])
        _refuse(f"{name}: {shorten(where)}: {what}; it is called {form(skill)} with {signature(skill)}")


def spec_of(skill: Skill) -> ActionSpec:
    """The skill for the world's spec: `{name: "move_to(x={x}, y={y})", params: ["x", "y"], …}`."""
    params = list(skill.parameters.model_fields)
    description = f"{skill.description} ({signature(skill)})" if params else skill.description
    return ActionSpec(name=form(skill), params=params, description=description, explores=skill.explores)


def form(skill: Skill) -> str:
    """`move_to(x={x}, y={y})`; parameters that may be left out too."""
    return f"{skill.name}({', '.join(f'{name}={{{name}}}' for name in skill.parameters.model_fields)})"


def signature(skill: Skill) -> str:
    """`x: integer from 0 to 78, y?: …`: types, and a question mark at what may be left out."""
    properties = skill.parameters.model_json_schema().get("properties", {})
    required = skill.parameters.model_json_schema().get("required", [])
    words = [f"{name}{'' if name in required else '?'}: {_type(schema)}" for name, schema in properties.items()]
    return ", ".join(words) or "no parameters"


def _type(schema: dict[str, Any]) -> str:
    schema = next((part for part in schema.get("anyOf", []) if part.get("type") != "null"), schema) | {
        key: value for key, value in schema.items() if key == "default" and value is not None
    }
    if "enum" in schema:
        return " | ".join(schema["enum"])
    high = schema.get("maximum", schema.get("exclusiveMaximum", 0) - 1)
    limits = f" from {schema['minimum']} to {high}" if "minimum" in schema else ""
    default = f", else {json.dumps(schema['default'])}" if schema.get("default") is not None else ""
    return f"{schema['type']}{limits}{default}"


def _json(text: str) -> tuple[str, dict[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        _refuse('the action is no JSON; send {"name": "move_to", "params": {"x": 12, "y": 5}} or move_to(x=12, y=5)')
    name, params = value.get("name"), value.get("params", {})
    if not isinstance(name, str) or not isinstance(params, dict) or value.keys() - {"name", "params"}:
        _refuse('a call in JSON has "name" (a text) and "params" (an object), and nothing else')
    return name, params


def _call(text: str) -> tuple[str, dict[str, Any]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        node = None
    if isinstance(node, ast.Name):
        return node.id, {}
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        _refuse("the action is no call of a skill; write it as move_to(x=12, y=5)")
    skill = CATALOGUE.get(node.func.id)
    names = list(skill.parameters.model_fields) if skill else []
    if skill and len(node.args) > len(names):
        _refuse(f"{skill.name} takes {len(names)} parameters at most; it is called {form(skill)}")
    params = {name: _value(argument) for name, argument in zip(names, node.args, strict=False)}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in params:
            _refuse(f'the parameter "{shorten(keyword.arg or "**")}" is given twice or has no name')
        params[keyword.arg] = _value(keyword.value)
    return node.func.id, params


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id.lower() in _CONSTANTS:
        return _CONSTANTS[node.id.lower()]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return _number(node.operand.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        return node.value
    _refuse('a parameter is a number, a text in quotes, true or false, as in press_key(key="y")')


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return -value
    _refuse("only a number can be negative")


def _refuse(what: str) -> NoReturn:
    raise WorldError("bad-action", one_line(f"Cannot take the action: {what}"))
