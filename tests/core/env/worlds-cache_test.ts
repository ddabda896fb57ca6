import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorldsCache } from "../../../lib/core/env/worlds-cache.ts";

const SPEC = {
  id: "maze",
  version: "1",
  parameters: {},
  sections: [],
  actions: [],
  fallback: "look",
  identity: "f",
};
const ENTRY = { id: "maze", doc: "A maze", parameters: {} };

/** A checkout with one world. */
function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), "worlds-cache-"));
  const worlds = join(root, "envs", "src", "labyrinth_envs");
  mkdirSync(worlds, { recursive: true });
  writeFileSync(join(worlds, "maze.py"), "class Maze: ...");
  writeFileSync(join(root, "envs", "uv.lock"), "version = 1");
  return root;
}

Deno.test("openWorldsCache() remembers catalogue and specifications until the worlds, the lock file or the packages change", () => {
  const root = checkout();
  try {
    const cache = openWorldsCache(root);
    cache.rememberCatalogue([ENTRY]);
    cache.rememberSpec("maze", { seed: 1, size: 2 }, SPEC);
    const remembered =
      (): unknown[] => [cache.catalogue(), cache.spec("maze", { seed: 1, size: 2 })];
    assert.deepEqual(
      remembered(),
      [[ENTRY], SPEC],
      "the next study of the same run opens nothing again",
    );
    cache.save();
    assert.deepEqual(remembered(), [[ENTRY], SPEC]);
    const other = openWorldsCache(root);
    other.rememberSpec("maze", { seed: 2 }, SPEC);
    other.save();
    const again = openWorldsCache(root);
    assert.deepEqual([
      again.catalogue(),
      again.spec("maze", { size: 2, seed: 1 }),
      again.spec("maze", { seed: 3 }),
    ], [
      [ENTRY],
      SPEC,
      undefined,
    ]);
    const changes = [
      () =>
        writeFileSync(join(root, "envs", "src", "labyrinth_envs", "maze.py"), "class Maze: pass"),
      () => writeFileSync(join(root, "envs", "uv.lock"), "version = 2"),
      () => {
        const packages = join(root, "envs", ".venv", "lib", "python3.11", "site-packages");
        mkdirSync(packages, { recursive: true });
        writeFileSync(join(root, "envs", ".venv", "pyvenv.cfg"), "version = 3.11");
      },
    ];
    for (const change of changes) {
      change();
      const changed = openWorldsCache(root);
      assert.deepEqual([changed.catalogue(), changed.spec("maze", { seed: 2 })], [
        undefined,
        undefined,
      ]);
      changed.rememberCatalogue([ENTRY]);
      changed.rememberSpec("maze", { seed: 2 }, SPEC);
      changed.save();
      assert.equal(
        readdirSync(join(root, ".lab", "worlds")).length,
        1,
        "other versions are removed",
      );
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});

Deno.test("openWorldsCache() remembers no world with a problem and no game of a user's file, and survives a file cut short", () => {
  const root = checkout();
  try {
    const cache = openWorldsCache(root);
    cache.rememberCatalogue([ENTRY, { ...ENTRY, id: "other", problem: "a library is missing" }]);
    for (const params of [{ path: "mine.z8" }, { set: "valid_seen", game: 1 }]) {
      cache.rememberSpec("alfworld", params, SPEC);
    }
    cache.save();
    assert.equal(openWorldsCache(root).catalogue(), undefined);
    cache.rememberSpec("alfworld", { game: 1 }, SPEC);
    cache.save();
    const kept = openWorldsCache(root);
    assert.deepEqual(
      [{ path: "mine.z8" }, { set: "valid_seen", game: 1 }, { game: 1 }].map((params) =>
        kept.spec("alfworld", params)
      ),
      [
        undefined,
        undefined,
        SPEC,
      ],
    );
    const [file = ""] = readdirSync(join(root, ".lab", "worlds"));
    writeFileSync(join(root, ".lab", "worlds", file), '{"specs": {');
    assert.equal(openWorldsCache(root).spec("alfworld", { game: 1 }), undefined);
    rmSync(join(root, ".lab"), { recursive: true });
    writeFileSync(join(root, ".lab"), "no folder");
    kept.rememberSpec("alfworld", { game: 2 }, SPEC);
    kept.save(); // cannot be written, which is no error
  } finally {
    rmSync(root, { recursive: true });
  }
});
