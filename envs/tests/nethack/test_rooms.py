"""Rooms and corridors of drawn levels, and how their numbers last."""

from __future__ import annotations

from tests.nethack.drawn import graph, level

TWO_ROOMS = """
-----
|...|    -----
|...o##  |...|
|...|  ##+...|
-----    -----
"""


def test_rooms_corridors_and_the_doors_between_them() -> None:
    rooms = graph()
    changes = rooms.rebuild(level(TWO_ROOMS))
    kinds = sorted((room.kind, len(room.inside), sorted(room.exits)) for room in rooms.rooms)
    assert kinds == [
        ("corridor", 4, [(4, 2), (9, 3)]),  # slanting corridors hold together, doors belong to both sides
        ("room", 6, [(9, 3)]),
        ("room", 9, [(4, 2)]),
    ]
    assert len(changes) == 3 and all(change.old == () for change in changes)


def test_numbers_last_and_merged_rooms_are_found_by_their_old_ones() -> None:
    rooms = graph()
    rooms.rebuild(level("|... ...|"))
    left, right = (next(room for room in rooms.rooms if cell in room.inside).id for cell in ((1, 0), (5, 0)))
    assert left != right
    rooms.rebuild(level("|... ...|\n|.       "))  # the left one grows: same number
    assert next(room for room in rooms.rooms if (1, 1) in room.inside).id == left
    changes = rooms.rebuild(level("|.......|"))
    (room,) = rooms.rooms
    assert room.id not in (left, right) and [change.old for change in changes] == [tuple(sorted((left, right)))]
    assert rooms.get(left) is room and rooms.get(right) is room and rooms.get(99) is None


def test_a_split_room_keeps_its_number_at_the_greater_part() -> None:
    rooms = graph()
    rooms.rebuild(level("|......|"))
    rooms.rebuild(level("|.. ...|"))
    assert {room.id: len(room.inside) for room in rooms.rooms} == {1: 3, 2: 2}


def test_in_a_doorway_the_hero_is_still_where_it_came_from() -> None:
    rooms = graph()
    rooms.rebuild(level(TWO_ROOMS))

    def located(cell: tuple[int, int]) -> str:
        room = rooms.locate(cell)
        assert room is not None
        return room.kind

    assert [located(cell) for cell in ((3, 2), (4, 2), (5, 2), (4, 2))] == ["room", "room", "corridor", "corridor"]
    assert rooms.locate((30, 10)) is None


def test_what_lies_unseen_under_things_belongs_to_the_room_and_a_trap_to_either() -> None:
    rooms = graph()
    rooms.rebuild(level("|.?.|\n|.^.|"))
    assert [len(room.inside) for room in rooms.rooms] == [6]
    rooms = graph()
    rooms.rebuild(level("##^##"))
    assert [(room.kind, len(room.inside)) for room in rooms.rooms] == [("corridor", 5)]
