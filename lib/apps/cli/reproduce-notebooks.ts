/** Runs the notebooks of a paper for `./lab reproduce`, and writes manifests and an overview. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { about } from "../../lab/about.ts";
import { digestOf } from "../../lab/digest.ts";
import type { Study } from "../../lab/study.ts";
import { type ManifestEntry, readManifest } from "../../lab/write-files.ts";
import { backboneOf } from "../../core/llm/roles.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { CHECKED_STORE } from "../../lab/store/damage.ts";
import { openStore } from "../../lab/store/open.ts";
import { main as runNotebook } from "./notebook.ts";

export interface Exported {
  readonly path: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly exhibits: readonly string[];
  readonly failed: boolean;
}

export interface NotebookParameters {
  /** As `--models` takes them. @default what the notebook says */
  readonly models?: string;
  readonly preset?: string;
  /** Absolute path of the store that holds the studies. */
  readonly storePath: string;
  readonly folder: string;
}

/** Runs a notebook with parameters in a folder of its own; the notebook itself stays as it is. */
export async function exportNotebook(
  name: string,
  parameters: NotebookParameters,
): Promise<Exported> {
  const to = join(checkoutRoot(), "data", "runs", "notebooks");
  const given = Object.entries(parameters).flatMap(([key, value]) =>
    value === undefined ? [] : ["-p", `${key}=${JSON.stringify(value)}`]
  );
  await mkdir(parameters.folder, { recursive: true });
  const others = await forgetOwn(parameters.folder, basename(name, ".ipynb"));
  process.env[CHECKED_STORE] = parameters.storePath;
  const failed = await runNotebook(["--run", "--fresh", "--to", to, ...given, name])
    .finally(() => delete process.env[CHECKED_STORE]) !== 0;
  const path = join(to, `${basename(name, ".ipynb")}.ipynb`);
  const after = await exhibitsOf(parameters.folder);
  const exhibits = Object.keys(after).filter((id) => !others.includes(id));
  const files = exhibits.flatMap((id) => after[id]?.files ?? []).map((file) =>
    relative(checkoutRoot(), join(parameters.folder, file))
  );
  return { path, text: existsSync(path) ? tablesIn(path) : "", files, exhibits, failed };
}

async function exhibitsOf(
  folder: string,
): Promise<Record<string, ManifestEntry & { readonly notebook?: string }>> {
  return (await readManifest(folder))["exhibits"] as Record<string, ManifestEntry> ?? {};
}

/** Removes a notebook's exhibits from the manifest, and returns the names of the others. */
async function forgetOwn(folder: string, notebook: string): Promise<string[]> {
  const kept = Object.entries(await exhibitsOf(folder)).filter(([, entry]) =>
    entry.notebook !== notebook
  );
  const manifest = { ...await readManifest(folder), exhibits: Object.fromEntries(kept) };
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return kept.map(([id]) => id);
}

interface StoredCell {
  readonly cell_type: string;
  readonly outputs?: readonly {
    readonly data?: Readonly<Record<string, string | readonly string[]>>;
  }[];
}

function cellsOf(path: string): readonly StoredCell[] {
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as { readonly cells: readonly StoredCell[] }).cells
    : [];
}

function tablesIn(path: string): string {
  const shown = cellsOf(path).flatMap(({ outputs = [] }) =>
    outputs.map(({ data }) => [data?.["text/markdown"] ?? ""].flat().join(""))
  );
  return shown.filter((text) => text.startsWith("| ")).map((text) => `${text.trimEnd()}\n\n`).join(
    "",
  );
}

export interface ManifestOptions {
  readonly paper: string;
  readonly notebook: string;
  /** The command that makes them again. */
  readonly command: string;
  readonly studies: readonly Study[];
  /** Names of the exhibits that it lists. @default all */
  readonly listed?: RegExp;
}

/** Names of the papers' own tables and figures, which stay in the repository (`.gitignore`). */
export const OWN_EXHIBITS = /^(table|fig)/;

/**
 * Writes into a folder's manifest which notebook and studies its exhibits are made of, without
 * dates.
 */
export async function writeManifest(
  folder: string,
  { paper, notebook, command, studies, listed = /./ }: ManifestOptions,
  storePath: string,
  { exhibits }: Pick<Exported, "exhibits">,
): Promise<void> {
  using store = openStore(storePath, { create: false });
  const told = Object.fromEntries(
    studies.map((
      { id, models },
    ) => [id, {
      models: backboneOf(models),
      played: about(store, id),
      digest: digestOf(store, id),
    }]),
  );
  const known = await readManifest(folder);
  const entries = await exhibitsOf(folder);
  const ids = studies.map(({ id }) => id);
  const named = Object.entries(entries).filter(([name]) => listed.test(name)).map((
    [name, entry],
  ) => [name, exhibits.includes(name) ? { ...entry, notebook, studies: ids } : entry]);
  const manifest = {
    paper,
    command,
    studies: { ...known["studies"] as object, ...told },
    exhibits: Object.fromEntries(named),
  };
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes `README.md` of the figures: tables and figures of the papers with their captions. */
export async function writeOverview(root: string): Promise<void> {
  const folders = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("manifest.json")
  ).sort();
  const sections = await Promise.all(folders.map(async (path) => {
    const folder = path.slice(0, -"/manifest.json".length);
    const own = Object.entries(await exhibitsOf(join(root, folder))).filter(([name]) =>
      OWN_EXHIBITS.test(name)
    );
    const exhibits = own.map(([name, { caption, files }]) => {
      const picture = files.find((file) => file.endsWith(".svg"));
      const linked = `[${name}](${folder}/${picture ?? files[0]})`;
      return picture
        ? `- **${linked}** ${caption}\n\n  ![${name}](${folder}/${picture})`
        : `- **${linked}** ${caption}`;
    });
    return [`## ${folder}`, "", exhibits.join("\n\n"), ""].join("\n");
  }));
  const head =
    "# Tables and figures\n\nMade by `./lab reproduce`, which runs the papers' notebooks; what is changed here is lost. The folder's name says who played:\n" +
    "`offline` is the stand-in, a rule-based player and no language model (`docs/explanation/stand-in.md`). `manifest.json` says of which studies an exhibit is made.\n";
  await writeFile(join(root, "README.md"), [head, ...sections].join("\n"));
}
