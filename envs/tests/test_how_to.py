"""The Python of the how-to pages runs; what needs a package of another environment is said to be skipped."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "how-to").glob("*.md"))
BLOCKS = {
    f"{page.name}:{number}": block
    for page in PAGES
    for number, block in enumerate(
        re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf8"), flags=re.M | re.S), 1
    )
}


@pytest.mark.parametrize("name", BLOCKS)
def test_block_of_a_how_to_page_runs(name: str) -> None:
    code = BLOCKS[name]
    packages = {match[1] for match in re.finditer(r"^(?:import|from) (\w+)", code, flags=re.M)}
    missing = sorted(package for package in packages if find_spec(package) is None)
    if missing:
        pytest.skip(f"skipped: {name} needs {', '.join(missing)}")
    exec(compile(code, name, "exec"), {"__name__": "page"})
