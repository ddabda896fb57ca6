from __future__ import annotations

import json
from pathlib import Path

import pytest

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.messages import METHODS, StepParams, TurnReply
from labyrinth_envs.protocol import MAX_FRAME_BYTES, RequestError, encode_turn, parse_request
from labyrinth_envs.wire_schema import schema
from labyrinth_envs.world import Frame, Turn, WorldError
from tests.tiny_world import PNG, TinyParameters

STEP = {"v": 1, "id": "12345678", "method": "step", "params": {"session": "s", "step": 1, "action": "look"}}


def step(**changes: object) -> bytes:
    return json.dumps({**STEP, "params": {"session": "s", "step": 1, "action": "look", **changes}}).encode()


def test_parse_request_reads_a_step() -> None:
    request = parse_request(json.dumps(STEP).encode())
    assert (request.id, request.method) == ("12345678", "step")
    assert request.params == StepParams(session="s", step=1, action="look")


@pytest.mark.parametrize(
    ("frame", "code", "words", "id"),
    [
        (b"", "bad-request", ["not JSON"], None),
        (b"\xff\xfe\x00", "bad-request", ["not JSON"], None),
        (b'{"v":1,"id":"12345678","method":', "bad-request", ["not JSON"], "12345678"),
        (b"[" * 100_000, "bad-request", ["not JSON"], None),
        (b"[]", "bad-request", ["object", "list"], None),
        (b'{"v":2,"id":"12345678","verb":"x"}', "version", ["version 2", "version 1"], "12345678"),
        (b'{"v":true,"id":"12345678","method":"ping"}', "bad-request", ["v = true"], "12345678"),
        (b'{"id":"12345678","method":"ping"}', "bad-request", ["v: field required"], "12345678"),
        (b'{"v":1,"id":"1","method":"ping"}', "bad-request", ["id", "8"], "1"),
        (b'{"v":1,"id":"1234567\\n","method":"ping"}', "bad-request", ["id"], None),
        (b'{"v":1,"id":7,"method":"ping"}', "bad-request", ["id = 7"], None),
        (b'{"v":1,"id":"12345678","method":"fly"}', "bad-request", ['"fly"', "validActions"], "12345678"),
        (b'{"v":1,"id":"12345678","method":"ping","x":1}', "bad-request", ["x = 1"], "12345678"),
        (b'{"v":1,"id":"12345678","method":"ping","params":{"x":1}}', "bad-request", ["x = 1"], "12345678"),
        (b'{"v":1,"id":"12345678","method":"ping","params":[]}', "bad-request", ["params"], "12345678"),
        (json.dumps({**STEP, "params": {}}).encode(), "bad-request", ["session", "step", "action"], "12345678"),
        (json.dumps({**STEP, "v": True}).encode(), "bad-request", ["v = true"], "12345678"),
        (json.dumps({**STEP, "v": 2}).encode(), "version", ["version 2", "version 1"], "12345678"),
        (json.dumps({**STEP, "id": "1"}).encode(), "bad-request", ["id", "8"], "1"),
        (json.dumps({**STEP, "x": 1}).encode(), "bad-request", ["x = 1"], "12345678"),
        (step(x=1), "bad-request", ["x = 1"], "12345678"),
        (step(step=1.0), "bad-request", ["step = 1.0"], "12345678"),
        (step(step=float("nan")), "bad-request", ["not JSON"], "12345678"),
        (step(step=0), "bad-request", ["step = 0"], "12345678"),
        (step(step="1"), "bad-request", ['step = "1"'], "12345678"),
        (step(action="\ud800"), "bad-request", ["not JSON"], "12345678"),
        (b'{"v":1,"id":"12345678","method":"' + b"x" * MAX_FRAME_BYTES + b'"}', "bad-request", ["2097152"], "12345678"),
    ],
)
def test_parse_request_names_the_fault(frame: bytes, code: str, words: list[str], id: str | None) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(frame)
    assert (caught.value.code, caught.value.id) == (code, id)
    assert [word for word in words if word not in caught.value.message] == []


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"goalSize": 1000}, ["goalSize = 1000", "integer from 1 to 60"]),
        ({"goalSize": "3"}, ['goalSize = "3"', "integer from 1 to 60"]),
        ({"mood": "sad"}, ['mood = "sad"', '"calm" or "wild"']),
        ({"colour": 1}, ["colour = 1", "goalSize, mood, fault"]),
        ({"goalsize": 1}, ["goalsize = 1", 'did you mean "goalSize"?']),
        ({"mood": "\ud800"}, ["JSON"]),
    ],
)
def test_check_parameters_names_parameter_value_and_range(params: dict[str, object], words: list[str]) -> None:
    with pytest.raises(WorldError) as caught:
        check_parameters("tiny/counter", TinyParameters, params)
    assert caught.value.code == "bad-parameter"
    assert [word for word in ["tiny/counter", *words] if word not in caught.value.message] == []


def test_encode_turn_numbers_pictures_in_the_order_of_the_frames() -> None:
    frames = [Frame(action="a", observation="b"), Frame(action="c", observation="d", image=PNG + b"1")]
    turn = Turn(goal="g", observation="é", frames=frames, score=1, max_score=2, end="won", image=PNG + b"2")
    text, images = encode_turn(turn)
    reply = TurnReply.model_validate_json(text)
    assert [frame.image for frame in reply.frames] == [None, 0]
    assert reply.image == 1
    assert images == [PNG + b"1", PNG + b"2"]
    assert '"maxScore":2.0' in text.decode()


def test_schema_file_is_current() -> None:
    file = Path(__file__).parents[1] / "schema.json"
    remedy = "write it anew with: python -m labyrinth_envs schema > schema.json"
    assert json.loads(file.read_text()) == schema(), remedy


def test_schema_refuses_unknown_fields_everywhere_and_names_all_methods() -> None:
    document = schema()
    methods, types = document["methods"], document["$defs"]
    assert isinstance(methods, dict) and isinstance(types, dict)
    assert set(methods) == set(METHODS)
    assert [name for name, type_ in types.items() if type_.get("additionalProperties") is not False] == []
