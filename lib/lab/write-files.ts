/** Files that appear whole or not at all. */

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The name under which a file stands; a backbone's id may hold what no file name can (`Qwen/Qwen3-8B`): that becomes a hyphen. */
export function fileName(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}._+@-]+/gu, "-");
}

export function pathOf(folder: string, id: string, ending: string): string {
  return join(folder, `${fileName(id)}.${ending}`);
}

/** Each file appears whole or not at all. */
export async function writeAll(folder: string, id: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
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
