/**
 * The catalogue and the specifications of opened games, remembered between runs. It saves the start
 * of the world server when nothing is played.
 */

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { env } from "../platform.ts";
import { canonicalJson, sha256 } from "../text/canonical.ts";
import type { EnvSpec, WorldEntry } from "./environment.ts";

interface Remembered {
  readonly catalogue?: readonly WorldEntry[];
  readonly specs: Readonly<Record<string, EnvSpec>>;
}

export interface WorldsCache {
  catalogue(): readonly WorldEntry[] | undefined;
  rememberCatalogue(catalogue: readonly WorldEntry[]): void;
  spec(id: string, params: Readonly<Record<string, unknown>>): EnvSpec | undefined;
  rememberSpec(id: string, params: Readonly<Record<string, unknown>>, spec: EnvSpec): void;
  save(): void;
}

/** Sets of households that come with the worlds or are made from a seed. */
const OWN_SETS: readonly unknown[] = [undefined, "households", "fresh"];

export function openWorldsCache(root: string): WorldsCache {
  const folder = join(root, ".lab", "worlds");
  const file = join(folder, `${worldsVersion(root)}.json`);
  let kept = read(file);
  let fresh: Remembered = { specs: {} };
  const keyOf = (id: string, params: Readonly<Record<string, unknown>>): string =>
    canonicalJson([id, params]);

  return {
    catalogue: () => fresh.catalogue ?? kept.catalogue,
    rememberCatalogue: (catalogue) => {
      if (catalogue.every(({ problem }) => problem === undefined)) fresh = { ...fresh, catalogue };
    },
    spec: (id, params) => fresh.specs[keyOf(id, params)] ?? kept.specs[keyOf(id, params)],
    rememberSpec: (id, params, spec) => {
      const isOwn = params["path"] === undefined &&
        (id !== "alfworld" || OWN_SETS.includes(params["set"]));
      if (isOwn) fresh = { ...fresh, specs: { ...fresh.specs, [keyOf(id, params)]: spec } };
    },
    save: () => {
      if (!fresh.catalogue && Object.keys(fresh.specs).length === 0) return;
      const all = read(file); // another process may have added to it
      kept = { ...all, ...fresh, specs: { ...all.specs, ...fresh.specs } };
      fresh = { specs: {} };
      write(folder, file, JSON.stringify(kept));
    },
  };
}

function read(file: string): Remembered {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Remembered;
  } catch {
    return { specs: {} }; // nothing is remembered, or it was cut short
  }
}

function write(folder: string, file: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const part = `${file}.${process.pid}`;
    writeFileSync(part, text);
    renameSync(part, file);
    for (const name of readdirSync(folder)) {
      if (name.endsWith(".json") && join(folder, name) !== file) rmSync(join(folder, name));
    }
  } catch { /* the next run asks the server again */ }
}

/**
 * Computes the version of a checkout's worlds: a hash of their files, the lock file, and the state
 * of the installed packages.
 */
function worldsVersion(root: string): string {
  const worlds = join(root, "envs", "src", "labyrinth_envs");
  const files = readdirSync(worlds, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.\w+$/.test(name) && !name.endsWith(".pyc")
  )
    .sort();
  const contents = files.map((name) => [name, sha256(readFileSync(join(worlds, name)))]);
  const lock = sha256(readFileSync(join(root, "envs", "uv.lock")));
  return sha256(canonicalJson([contents, lock, installed(join(root, "envs", ".venv"))])).slice(
    0,
    16,
  );
}

/**
 * When packages were installed or removed last, by the folders that hold them, with which Python,
 * and where it looks before these.
 */
function installed(venv: string): unknown {
  try {
    const folders = readdirSync(join(venv, "lib")).map((python) =>
      join(venv, "lib", python, "site-packages")
    );
    return [
      env("PYTHONPATH") ?? "",
      readFileSync(join(venv, "pyvenv.cfg"), "utf8"),
      folders.map((folder) => [folder, statSync(folder).mtimeMs]),
    ];
  } catch {
    return null; // the Python worlds are not installed
  }
}
