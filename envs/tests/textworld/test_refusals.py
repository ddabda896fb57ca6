"""Bad input is refused in one clear line, and the game is none the worse for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from labyrinth_envs.textworld import cleaning, hunt, worlds
from labyrinth_envs.textworld.cache import compiled
from labyrinth_envs.textworld.guard import check_action
from labyrinth_envs.world import WorldError
from tests.textworld.walk import hunt_walk, play

BAD_ACTIONS = {
    "two commands": "open Golden locker. go west",
    "then": "take Key 1 then go west",
    "THEN": "take Key 1 THEN go west",
    "comma": "take Key 1, go west",
    "two things": "take Key 1 and Golden locker",
    "all but one": "take all but Golden locker",
    "line break": "look\ngo west",
    "carriage return": "look\rgo west",
    "NUL": "look\0",
    "escape": "\x1b[A",
    "tab": "take\tKey 1",
    "not ASCII": "nimm Schlüssel",
    "lone surrogate": "look \udc80",
    "backslash": "\\look",
    "brackets": "[taking the Key 1 - succeeded]",
    "quotes": 'say "go west"',
    "markup": "<score>",
    "empty": "",
    "blank": "   ",
    "191 bytes": "l" * 191,
    "1 MB": "take Key 1 " * 100_000,
    "save": "save",
    "script": "script",
    "Restore": "Restore",
    "restart": "restart now",
    "superbrief": "superbrief",
    "again": "again",
    "g": "g",
    "undo": "undo",
    "quit": "quit",
    "transcript": "transcript on",
    "tracing": "tw-trace-actions",
    "extra infos": "tw-extra-infos description",
    "printing": "enable print state option",
    "restricting": "restrict commands",
}


@pytest.fixture(scope="module")
def game() -> worlds.Hunt:
    return worlds.Hunt(worlds.HuntParameters())


def test_bad_actions_are_refused_and_leave_the_game_unharmed(game: worlds.Hunt, tmp_path: Path) -> None:
    game.reset()
    script = hunt_walk(game.truth())
    before = set(Path.cwd().iterdir())
    for number, (name, action) in enumerate(BAD_ACTIONS.items()):
        with pytest.raises(WorldError) as refusal:
            game.step(action)
        assert refusal.value.code == "bad-action", name
        assert "\n" not in refusal.value.message and len(refusal.value.message) < 200, name
        if number < len(script) - 1:
            game.step(script[number])
    last = play(game, script[len(BAD_ACTIONS) :]) if len(script) > len(BAD_ACTIONS) else play(game, script[-1:])
    assert (last.score, last.end) == (5, "won")
    assert set(Path.cwd().iterdir()) == before


def test_things_whose_names_say_and_are_one_thing() -> None:
    names = ["salt", "Salt and papper shakers"]
    assert check_action("take salt and papper shakers", names) == "take salt and papper shakers"
    with pytest.raises(WorldError, match="several things"):
        check_action("take salt and salt and papper shakers", names)


@pytest.mark.parametrize("action", ["get toothbrush", "Pick up toothbrush", "pick toothbrush up"])
def test_what_the_tracker_would_miss_is_read_as_take(action: str) -> None:
    game = worlds.Cleaning(worlds.Made())
    game.reset()
    turn = game.step(action)
    assert (turn.sections["inventory"], turn.score) == ("You are carrying: a toothbrush.", 1)
    assert ["toothbrush", "in", "inventory"] in game.truth()["facts"]


def test_the_longest_action_passes() -> None:
    assert check_action("l" * 190) == "l" * 190


@pytest.mark.parametrize(
    "action",
    ["dance wildly", "go up", "take moon", "open Golden locker", "help", "!?", "unlock", "take all"],
)
def test_a_senseless_action_is_a_normal_turn(game: worlds.Hunt, action: str) -> None:
    game.reset()
    before = game.truth()["location"], game.valid_actions()
    turn = game.step(action)
    assert turn.observation and (turn.end, turn.max_score) == (None, 5)
    assert (turn.score, (game.truth()["location"], game.valid_actions())) == (0, before)


def test_an_unfinished_command_does_not_confuse_the_tracker(game: worlds.Hunt) -> None:
    game.reset()
    for action in ("take", "Key 1", "unlock Golden locker", "drop", "examine", "go", "west", "look"):
        turn = game.step(action)
    assert (turn.sections["location"], game.truth()["location"]) == ("Room B", "Room B")
    assert (turn.sections["inventory"], turn.score) == ("You are carrying nothing.", 1)
    facts = game.truth()["facts"]
    assert isinstance(facts, list) and ["Key 1", "in", "Room A"] in facts  # the bare "drop" was understood


def test_no_step_before_the_first_reset_nor_after_the_end() -> None:
    game = worlds.Hunt(worlds.HuntParameters(stepLimit=2))
    with pytest.raises(WorldError, match="reset it first"):
        game.step("look")
    game.reset()
    assert game.step("look").end is None
    assert game.step("look").end == "limit"
    for _ in range(2):
        with pytest.raises(WorldError) as refusal:
            game.step("look")
        assert refusal.value.code == "ended"
    assert game.valid_actions() == []
    assert game.reset().end is None
    assert game.step("take Key 1").score == 1


def test_a_won_game_stays_won(game: worlds.Hunt) -> None:
    game.reset()
    assert play(game, hunt_walk(game.truth())).end == "won"
    with pytest.raises(WorldError, match="won"):
        game.step("look")


@pytest.mark.parametrize(
    "raw",
    [
        {"seed": -1},
        {"seed": 2**31},
        {"stepLimit": 0},
        {"rename": "x"},
        {"rewards": "mine"},
        {"unknown": 1},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        worlds.HuntParameters.model_validate(raw)


@pytest.mark.parametrize("raw", [{"level": 0}, {"level": 5}, {"game": 3}], ids=str)
def test_levels_and_games_are_bounded(raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        worlds.RlParameters.model_validate(raw)


def story(tmp_path: Path) -> Path:
    path = tmp_path / "game.z8"
    path.write_bytes(compiled(hunt.make("hunt", 0), "hunt").read_bytes())
    return path


def test_bad_game_files_are_refused_by_name(tmp_path: Path) -> None:
    whole = story(tmp_path).read_bytes()
    data = hunt.make("hunt", 0)
    loop = {**data, "infos": [[id_, {**info, "desc": 'a "quote'}] for id_, info in data["infos"]]}
    files = {
        "missing.json": None,
        "missing.z8": None,
        "text.json": b"no game",
        "empty.json": b"",
        "list.json": b"[1, 2]",
        "other.json": b'{"a": 1}',
        "half.json": json.dumps(data)[:9000].encode(),
        "binary.json": bytes(range(256)),
        "version.json": json.dumps({**data, "version": 7}).encode(),
        "uncompilable.json": json.dumps(loop).encode(),
        "cut.z8": whole[:100_000],
        "changed.z8": whole[:5000] + b"\xff" + whole[5001:],
        "text.z8": b"no story" * 100,
        "empty.z8": b"",
        "game.ulx": whole,
    }
    for name, content in files.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(WorldError) as refusal:
            worlds.File(worlds.FileParameters(path=str(path)))
        assert refusal.value.code == "bad-game", name
        assert name in refusal.value.message and "\n" not in refusal.value.message, refusal.value.message


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(WorldError, match="folder.json"):
        worlds.File(worlds.FileParameters(path=str(tmp_path / "folder.json")))


def test_a_file_of_a_kind_that_it_is_not(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"put game\.json beside it"):
        worlds.File(worlds.FileParameters(path=str(story(tmp_path)), kind="hunt"))
    data = hunt.make("hunt", 0)
    del data["metadata"]["labyrinth"]
    (tmp_path / "hunt.json").write_text(json.dumps(data))
    with pytest.raises(WorldError, match="out of place"):
        worlds.File(worlds.FileParameters(path=str(tmp_path / "hunt.json"), kind="cleaning"))


def test_a_cache_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "file" / "games"))
    with pytest.raises(WorldError) as refusal:
        compiled(cleaning.make(0), "cleaning")
    assert refusal.value.code == "disk"
    assert "LABYRINTH_CACHE" in refusal.value.message and "\n" not in refusal.value.message


def test_a_full_disk_is_no_bad_game(tmp_path: Path) -> None:
    """Files may grow to a limit only, as on a disk that fills up; nothing half-written is left behind."""
    code = (
        "import resource\n"
        "from labyrinth_envs.textworld import cache, hunt\n"
        "from labyrinth_envs.world import WorldError\n"
        "data = hunt.make('hunt', 0)\n"
        "for limit in (1_000, 60_000, 300_000):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "    try: cache.compiled(data, 'hunt')\n"
        "    except WorldError as error: print(error.code)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"LABYRINTH_CACHE": str(tmp_path / "games")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.stdout.split() == ["disk"] * 3, ended.stderr[-400:]
    assert [entry for entry in (tmp_path / "games").iterdir() if not entry.name.endswith(".parse.z")] == []
