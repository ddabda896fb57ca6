/**
 * The run page as a folder that needs no server: opened from disk, or put on any web host.
 *
 * @module
 */

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { checkoutRoot } from "../platform.ts";
import { getPicture } from "../store/artefacts.ts";
import type { Store } from "../store/open.ts";
import { secretsOf } from "../store/secrets.ts";
import type { ExhibitFile } from "./exhibits.ts";
import { chunkOf, EXPORTED, fileName, HAND_OVER } from "./files.ts";
import { type EpisodeView, readStep, type StepView } from "./record.ts";
import { readData, type Source } from "./routes.ts";
import type { StudySummary, StudyView } from "./studies.ts";

/** How much an export has written. */
export interface Exported {
  readonly episodes: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes the page with the data of some studies, or of all, into a folder. What is shown first is small; steps lie in files of their own.
 * The data holds no path of this machine and no key.
 *
 * @throws {UsageError} for a study that the store does not hold.
 */
export async function exportPage(
  source: Source,
  page: ReadonlyMap<string, Uint8Array>,
  { folder, studies }: { readonly folder: string; readonly studies?: readonly string[] },
): Promise<Exported> {
  await source.tally.catchUp();
  const read = <T>(...path: string[]): T => readData(source, path, new URLSearchParams()) as T;
  const all = read<StudySummary[]>("studies");
  for (const id of studies ?? []) {
    if (!all.some((study) => study.id === id)) {
      throw new UsageError(`there is no study ${id}; choose from ${all.map((study) => study.id).join(", ")}`);
    }
  }
  const chosen = all.filter(({ id }) => !studies || studies.includes(id));
  const written = { episodes: 0, files: 0, bytes: 0 };
  const write = (name: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, name), content);
    written.files++;
    written.bytes += content.length;
  };
  const clean = cleaner(source.store, chosen.map(({ id }) => id));
  const put = (path: readonly string[], value: unknown): void => {
    const name = fileName(path);
    write(`data/${name}.js`, `${HAND_OVER}(${JSON.stringify(name)}, ${JSON.stringify(safeValue(safeValue(value), clean))})\n`);
  };

  for (const part of ["data", "figures", "pictures"]) mkdirSync(join(folder, part), { recursive: true });
  const mark = `<meta name="${EXPORTED}" content="">\n    <title>`;
  for (const [name, content] of page) {
    write(name, name === "index.html" ? new TextDecoder().decode(content).replace("<title>", mark) : content);
  }
  put(["studies"], chosen);
  const papers = new Set(chosen.map(({ id }) => id.split("-")[0]));
  const exhibits = read<ExhibitFile[]>("exhibits").filter(({ paper }) => papers.has(paper));
  put(["exhibits"], exhibits);
  for (const { id, kind } of exhibits) {
    if (kind === "figure") copyFileSync(join(source.figures, `${id}.svg`), join(folder, "figures", `${id}.svg`));
  }
  const pictures = new Set<string>();
  for (const { id } of chosen) {
    const study = read<StudyView>("study", id);
    put(["study", id], study);
    for (const { id: episode } of study.episodes) {
      const view = read<EpisodeView>("episode", episode);
      put(["episode", episode], view);
      put(["graph", episode], read("graph", episode));
      for (const [first, places] of Map.groupBy(view.steps, (step) => chunkOf(episode, step).join("/"))) {
        const steps = places.map((place) => readStep(source.store, episode, place) as StepView);
        put(first.split("/"), Object.fromEntries(steps.map((step) => [`${step.turn.pass}.${step.turn.step}`, step])));
        for (const hash of steps.flatMap(({ calls }) => calls.flatMap((call) => call.pictures))) pictures.add(hash);
      }
      written.episodes++;
    }
  }
  for (const hash of pictures) {
    const png = getPicture(source.store, hash);
    if (png) write(`pictures/${hash}.png`, png);
  }
  return written;
}

/** Makes the function that takes the folders of this machine and its keys out of a text. */
function cleaner(store: Store, studies: readonly string[]): (text: string) => string {
  const folders = [checkoutRoot(), `${homedir()}/`].filter((path) => path.length > 2);
  const secrets = secretsOf(store, studies);
  return (text) => {
    const short = folders.reduce((short, folder) => short.replaceAll(folder, ""), text);
    return secrets.reduce((clean, secret) => clean.replaceAll(secret.text, `(${secret.what})`), short);
  };
}
