/** Files that appear whole or not at all. */

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** An id as a file's name: what no name can hold (`Qwen/Qwen3-8B`) becomes a hyphen. */
export function fileName(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}._+@-]+/gu, "-");
}

export function pathOf(folder: string, id: string, ending: string): string {
  return join(folder, `${fileName(id)}.${ending}`);
}

/** Writes the files of an exhibit, and notes it in the manifest of its folder. */
export async function writeExhibit(
  file: string,
  caption: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string[]> {
  const [folder, name] = [dirname(file), basename(file)];
  const paths = await writeAll(folder, name, files);
  await noteExhibit(folder, fileName(name), {
    caption,
    files: paths.map((path) => basename(path)),
  });
  return paths;
}

export async function writeAll(
  folder: string,
  id: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [ending, content] of Object.entries(files)) {
    const path = pathOf(folder, id, ending);
    try {
      await writeFile(`${path}.part`, content);
      await rename(`${path}.part`, path);
    } catch (error) {
      await rm(`${path}.part`, { force: true });
      throw error;
    }
    paths.push(path);
  }
  return paths;
}

export interface ManifestEntry {
  readonly caption: string;
  readonly files: readonly string[];
}

/** Notes an exhibit in its folder's `manifest.json`, by name; other entries stay. */
export async function noteExhibit(
  folder: string,
  name: string,
  entry: ManifestEntry,
): Promise<void> {
  const path = join(folder, "manifest.json");
  const known = await readManifest(folder);
  const exhibits = {
    ...known["exhibits"] as object,
    [name]: { ...(known["exhibits"] as Record<string, object>)?.[name], ...entry },
  };
  const sorted = Object.fromEntries(Object.entries(exhibits).sort(([a], [b]) => a < b ? -1 : 1));
  await writeFile(`${path}.part`, `${JSON.stringify({ ...known, exhibits: sorted }, null, 2)}\n`);
  await rename(`${path}.part`, path);
}

/** The manifest of a folder; empty if none can be read. */
export async function readManifest(folder: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}
