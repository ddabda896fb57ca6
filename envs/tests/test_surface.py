"""What the notebook kernel answers before its language server is ready, out of `deno doc` of a small library."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from labyrinth_kernel.surface import Surface, renew
from tests.kernel_client import deno

LIBRARY = """
/** How a bridge is built. */
export interface BridgeOptions extends Pick<Site, "river" | "width"> {
  /** Number of spans, ≥ 1. */
  readonly spans: number;
  /** What bears it. */
  readonly kind?: Kind;
  readonly piers?: readonly { readonly depth: number; readonly wet: boolean }[];
}
/** A place. */
export interface Site {
  readonly river: string;
  readonly width: number;
  readonly mayor: string;
}
/** What bears a bridge. */
export type Kind = "arch" | "beam";
/** Builds a bridge.
 *
 * Beware: of floods.
 */
export function buildBridge(name: string, options: BridgeOptions): string {
  return `${name} ${options.spans}`;
}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAB_DENO", deno())
    (tmp_path / "lib" / "bridge").mkdir(parents=True)
    (tmp_path / "lib" / "bridge" / "mod.ts").write_text(LIBRARY)
    (tmp_path / "lib" / "mod.ts").write_text('export { buildBridge } from "./bridge/mod.ts";\n')
    imports = {"labyrinth": "./lib/mod.ts", "labyrinth/bridge": "./lib/bridge/mod.ts", "zod": "npm:zod@4"}
    exports = {".": "./lib/mod.ts", "./bridge": "./lib/bridge/mod.ts"}
    (tmp_path / "deno.json").write_text(json.dumps({"name": "@a/b", "exports": exports, "imports": imports}))
    past = time.time() - 60
    for file in ("deno.json", "lib/mod.ts", "lib/bridge/mod.ts"):
        os.utime(tmp_path / file, (past, past))
    return tmp_path


def completed(surface: Surface, code: str) -> list[str]:
    """What may stand at `|`."""
    return surface.complete(code.replace("|", ""), code.index("|"))[1]


def explained(surface: Surface, code: str) -> str:
    return surface.explain(code.replace("|", ""), code.index("|"))


def test_a_name_a_key_and_a_call_are_explained(root: Path) -> None:
    assert renew(root)
    surface = Surface(root)
    whole = "```ts\nfunction buildBridge(name: string, options: BridgeOptions): string\n```\n"
    whole += "Builds a bridge.\n\nBeware: of floods."
    for code in ("const b = build|Bridge", "buildBridge(|", 'buildBridge("a(", { spans: 2 }, |', "[buildBridge|"):
        assert explained(surface, code) == whole, code
    assert explained(surface, 'buildBridge("a", { spans|: 2 })').endswith("spans: number\n```\nNumber of spans, ≥ 1.")
    assert "river: string" in explained(surface, 'buildBridge("a", { spans: 2, river|')
    for code in ("own.buildBridge|", "// buildBridge|", '"buildBridge|', "const buildBridge = 1; buildBridge|", "own|"):
        assert explained(surface, code) == "", code


def test_modules_names_keys_and_values_are_completed(root: Path) -> None:
    assert renew(root)
    surface = Surface(root)
    assert completed(surface, 'import {} from "labyr|"') == ["labyrinth", "labyrinth/bridge"]
    assert completed(surface, 'import { B| } from "labyrinth/bridge"') == ["BridgeOptions"]
    assert completed(surface, 'import { | } from "labyrinth"') == ["buildBridge"]
    assert sorted(completed(surface, 'buildBridge("a", { | })')) == ["kind", "piers", "river", "spans", "width"]
    assert completed(surface, 'buildBridge("a", { spans: f(1, [2]), ki|') == ["kind"]
    assert completed(surface, 'buildBridge("a", { kind: "b|" })') == ["beam"]
    assert completed(surface, 'buildBridge("a", { piers: [{ depth: 1, w|') == ["wet"]
    for code in (
        "build|",
        "buildBridge({ |",
        'buildBridge("a", { spans: s|',
        '// buildBridge("a", { |',
        "{ s|",
        ")]} s|",
    ):
        assert completed(surface, code) == [], code


def test_the_surface_is_printed_again_only_after_a_change_and_kept_where_that_fails(root: Path) -> None:
    assert completed(Surface(root), "import {} from '|'") == []
    assert renew(root) and not renew(root)
    later = time.time() + 60
    file = root / "lib" / "bridge" / "mod.ts"
    file.write_text("export function (")
    os.utime(file, (later, later))
    assert not renew(root)
    assert "Builds a bridge" in explained(Surface(root), "buildBridge|")
    file.write_text("/** Other. */\nexport function buildBridge(): void {}\n")
    os.utime(file, (later, later))
    assert renew(root)
    assert explained(Surface(root), "buildBridge|") == "```ts\nfunction buildBridge(): void\n```\nOther."
    assert list((root / ".lab").iterdir()) == [root / ".lab" / "surface.txt"]
