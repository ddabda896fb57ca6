"""The document that a notebook's cells are to the language server."""

from __future__ import annotations

from labyrinth_kernel.document import Cells


def test_cells_stand_in_blocks_within_each_other_and_imports_on_top() -> None:
    cells = Cells()
    cells.add('import { a, b as c } from "m";\nconst x = a; // last')
    cells.add('import { a } from "n"; const y = 1')
    document = cells.document('import type {\n  D,\n} from "d";\n"😀", x')
    top, *blocks = document.text.split(";{\n")
    assert [line for line in top.splitlines() if "labyrinth" not in line] == [
        'import { a, b as c } from "m";;',
        'import { a } from "n";;',
        *("import type {", "  D,", '} from "d";;'),
    ]
    assert blocks[0].strip() == "const x = a; // last" and blocks[1].strip() == "const y = 1"
    assert blocks[2].endswith("}}}\nexport {};\n")


def test_places_lead_into_the_document_and_back() -> None:
    cells = Cells()
    cells.add("const before = 1;")
    cell = 'const s = "😀"; s.at\nimport { D } from "d";\nlast'
    document = cells.document(cell)
    for offset in range(len(cell) + 1):
        assert document.offset(document.position(offset)) == offset
    line = document.position(cell.index("s.at"))
    assert (
        document.text.split("\n")[line["line"]].startswith("const s")
        and line["character"] == len('const s = "😀"; ') + 1
    )
    assert document.text.split("\n")[document.position(cell.index("D }"))["line"]].startswith("import { D }")
    assert document.offset({"line": 0, "character": 3}) is None
