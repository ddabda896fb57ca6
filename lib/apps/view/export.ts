/** The run page as a folder that needs no server: opened from disk, or put on any web host. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { safeValue } from "../../core/foreign-text.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { getPicture } from "../../lab/store/artefacts.ts";
import { excludeBroken } from "../../lab/store/damage.ts";
import type { Store } from "../../lab/store/open.ts";
import { secretsOf } from "../../lab/store/secrets-of.ts";
import { checkName, didYouMean } from "../../core/text/did-you-mean.ts";
import { deflateSync } from "node:zlib";
import { chunkOf, EXPORTED, fileName, HAND_OVER, STEP_KINDS } from "./files.ts";
import { type EpisodeView, readStep, type StepPlace, type StepView } from "./record.ts";
import { readData, type Source } from "./routes.ts";
import type { StudySummary, StudyView } from "./studies.ts";
import { truthReader } from "./truth.ts";

export interface Exported {
  readonly episodes: number;
  readonly files: number;
  readonly bytes: number;
  /** Damaged episodes, one line each; they are shown as failed. */
  readonly broken: readonly string[];
}

export interface ExportChoice {
  /** Ids of studies. @default all of the store */
  readonly studies?: readonly string[];
  /** Ids of episodes in them. @default all of the studies */
  readonly episodes?: readonly string[];
}

/**
 * Writes the page with the data of some studies and episodes, or of all, into a folder. The first
 * page is small; steps are in files of their own. The data holds no path of this machine and no
 * key.
 *
 * An earlier export in the folder is removed: what is not chosen any more is not published.
 * `index.html` comes last: without it nothing is shown of an export that was cut short.
 *
 * @throws {UsageError} for a study or an episode that the store does not hold, and for a folder
 *   with another page.
 */
export async function exportPage(
  source: Source,
  page: ReadonlyMap<string, Uint8Array>,
  { folder, ...choice }: ExportChoice & { readonly folder: string },
): Promise<Exported> {
  const broken = chosenStudies(source, choice).flatMap(({ id }) => excludeBroken(source.store, id));
  await source.tally.catchUp();
  const studies = chosenStudies(source, choice);
  const written = {
    broken,
    episodes: studies.reduce((sum, { episodes }) => sum + episodes.length, 0),
    files: 0,
    bytes: 0,
  };
  const write = (name: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, name), content);
    written.files++;
    written.bytes += content.length;
  };
  const script = scriptWriter(source.store, studies.map(({ id }) => id));
  const put = (path: readonly string[], value: unknown): void =>
    write(`data/${fileName(path)}.js`, `${script(path, value)}\n`);

  const index = join(folder, "index.html");
  const part = `${index}.part`;
  if (existsSync(index) && !readFileSync(index, "utf8").includes(`name="${EXPORTED}"`)) {
    throw new UsageError(
      `${folder} holds another page, whose index.html would be overwritten: name a folder that is new, or of an export`,
    );
  }
  const isOurs = existsSync(index) || existsSync(part);
  mkdirSync(folder, { recursive: true });
  writeFileSync(part, "");
  rmSync(index, { force: true });
  for (const name of ["data", "pictures"]) {
    if (isOurs) rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, name), { recursive: true });
  }
  const mark = `<meta name="${EXPORTED}" content="page">\n    <title>`;
  for (const [name, content] of page) {
    if (name === "index.html") {
      write("index.html.part", new TextDecoder().decode(content).replace("<title>", mark));
    } else write(name, content);
  }
  put(["studies"], summaries(source, studies));
  const pictures = new Set<string>();
  for (const study of studies) {
    put(["study", study.id], study);
    for (const { id } of study.episodes) {
      for (const { path, value } of episodeData(source, id)) {
        put(path, value);
        for (const hash of picturesIn(value)) pictures.add(hash);
      }
    }
  }
  for (const hash of pictures) {
    const png = getPicture(source.store, hash);
    if (png) write(`pictures/${hash}.png`, png);
  }
  renameSync(part, index);
  return written;
}

function read<T>(source: Source, ...path: string[]): T {
  return readData(source, path, new URLSearchParams()) as T;
}

/** The summaries of studies over the exported episodes. */
function summaries(source: Source, studies: readonly StudyView[]): StudySummary[] {
  const chosen = new Map(studies.map(({ id, episodes }) => [id, episodes]));
  return read<StudySummary[]>(source, "studies").flatMap((summary) => {
    const episodes = chosen.get(summary.id);
    const counts = { planned: 0, running: 0, completed: 0, failed: 0, paused: 0 };
    for (const { status } of episodes ?? []) counts[status]++;
    return episodes
      ? [{ ...summary, counts, spent: source.tally.spent(episodes.map(({ id }) => id)) }]
      : [];
  });
}

function chosenStudies(source: Source, { studies, episodes }: ExportChoice): StudyView[] {
  const all = read<StudySummary[]>(source, "studies").map(({ id }) => id);
  for (const id of studies ?? []) checkName("study", id, all);
  const chosen = all.filter((id) => !studies || studies.includes(id)).map((id) =>
    read<StudyView>(source, "study", id)
  );
  if (!episodes) return chosen;
  const ids = new Set(episodes);
  const found = chosen.map((study) => ({
    ...study,
    episodes: study.episodes.filter(({ id }) => ids.delete(id)),
  }));
  if (ids.size > 0) {
    const near = didYouMean(
      [...ids][0] ?? "",
      chosen.flatMap((study) => study.episodes.map(({ id }) => id)),
    );
    throw new UsageError(
      `there is no episode ${
        [...ids].join(", ")
      } in these studies${near}; ./lab show lists them, with their ids in full`,
    );
  }
  return found.filter((study) => study.episodes.length > 0);
}

export function* episodeData(
  source: Source,
  id: string,
): Generator<{ readonly path: readonly string[]; readonly value: unknown }> {
  const view = read<EpisodeView>(source, "episode", id);
  yield { path: ["episode", id], value: view };
  yield { path: ["graph", id], value: read(source, "graph", id) };
  const readers = {
    step: (place: StepPlace) => readStep(source.store, id, place),
    truth: truthReader(source.store, view.episode),
  };
  for (const kind of STEP_KINDS) {
    if (kind === "truth" && !view.hasTruth) continue;
    for (
      const [address, places] of Map.groupBy(
        view.steps,
        (step) => chunkOf(kind, id, step).join("/"),
      )
    ) {
      const steps = places.map((place) =>
        [`${place.pass}.${place.step}`, readers[kind](place)] as const
      );
      yield { path: address.split("/"), value: Object.fromEntries(steps) };
    }
  }
}

/** The hashes of the pictures in the prompts of some steps; none of other data. */
export function picturesIn(value: unknown): string[] {
  const steps = Object.values(value as Readonly<Record<string, Partial<StepView> | undefined>>);
  return steps.flatMap((step) => step?.calls?.flatMap(({ pictures }) => pictures) ?? []);
}

/** Makes the function that writes a value as a script, without this machine's folders and keys. */
export function scriptWriter(
  store: Store,
  studies: readonly string[],
): (path: readonly string[], value: unknown) => string {
  const clean = cleaner(store, studies);
  return (path, value) => {
    const text = JSON.stringify(safeValue(safeValue(value), clean));
    return `${HAND_OVER}(${JSON.stringify(fileName(path))}, "${
      deflateSync(text, { level: 9 }).toString("base64")
    }")`;
  };
}

/** Makes the function that takes the folders of this machine and its keys out of a text. */
function cleaner(store: Store, studies: readonly string[]): (text: string) => string {
  const folders = [checkoutRoot(), `${homedir()}/`, ...gameFolders(store, studies)].filter((path) =>
    path.length > 2
  );
  const secrets = secretsOf(store, studies);
  return (text) => {
    const short = folders.reduce((short, folder) => short.replaceAll(folder, ""), text);
    return secrets.reduce(
      (clean, secret) => clean.replaceAll(secret.text, `(${secret.what})`),
      short,
    );
  };
}

/** The folders from which games of one's own were played, the inner ones of a folder first. */
function gameFolders(store: Store, studies: readonly string[]): string[] {
  const params = store.prepare(
    "select distinct world_params as params from episodes where study in (select value from json_each(?))",
  )
    .all(JSON.stringify(studies)).flatMap((row) =>
      Object.values(JSON.parse(String(row["params"])) as object)
    );
  const paths = params.filter((value): value is string =>
    typeof value === "string" && isAbsolute(value)
  );
  return [...new Set(paths.map((path) => `${dirname(path)}/`))].sort((a, b) => b.length - a.length);
}
