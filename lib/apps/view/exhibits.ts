/** The tables and figures that `./lab reproduce` wrote, as they stand. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A table or a figure that was written. */
export interface ExhibitFile {
  /** Its folder and its name, e.g. `arigraph-offline-fig3`. */
  readonly id: string;
  /** Its folder, `<paper>/<model>`; `other` outside of these. */
  readonly paper: string;
  readonly kind: "table" | "figure";
  /** Of a figure its caption; of a table the whole table as Markdown. */
  readonly text: string;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Matches the names of figure files; none of them leads to another folder. */
const FIGURE_FILE = /^[\w][\w.+-]*\.svg$/;

const TABLE_FILE = /^[\w][\w.+-]*\.md$/;

/**
 * Lists the tables and figures that the manifests of a folder and of those in it name; none if the
 * folder is missing.
 */
export function listExhibits(folder: string): ExhibitFile[] {
  return placesOf(folder).map(({ id, paper, kind, caption, path }) => {
    const text = kind === "figure" ? caption : readFileSync(path, "utf8");
    return { id, paper, kind, text, writtenAt: statSync(path).mtimeMs };
  });
}

/** The path of a figure's file, `<id>.svg`; `undefined` where there is none. */
export function findFigure(folder: string, name: string): string | undefined {
  return placesOf(folder).find(({ id, kind }) => kind === "figure" && `${id}.svg` === name)?.path;
}

interface Place extends Pick<ExhibitFile, "id" | "paper" | "kind"> {
  readonly caption: string;
  /** Of its picture, or of the table as Markdown. */
  readonly path: string;
}

function placesOf(folder: string): Place[] {
  return foldersOf(folder).flatMap(({ path: below, paper }) =>
    Object.entries(manifestOf(below)).flatMap(([name, { caption, files }]): Place[] => {
      const kind = files.some((file) => FIGURE_FILE.test(file)) ? "figure" : "table";
      const file = files.find((file) => (kind === "figure" ? FIGURE_FILE : TABLE_FILE).test(file));
      const path = join(below, file ?? "");
      const id = paper === "other" ? name : `${paper.replaceAll(/[\\/]/g, "-")}-${name}`;
      return file === undefined || !existsSync(path) ? [] : [{ id, paper, kind, caption, path }];
    })
  );
}

/** The exhibits that a folder's manifest names; none where it has none that can be read. */
function manifestOf(
  folder: string,
): Readonly<Record<string, { readonly caption: string; readonly files: readonly string[] }>> {
  try {
    return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).exhibits ?? {};
  } catch {
    return {};
  }
}

/** The folders with a manifest in a folder, by name, then the folder itself. */
function foldersOf(folder: string): { readonly path: string; readonly paper: string }[] {
  if (!existsSync(folder)) return [];
  const below = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /[\\/]manifest\.json$/.test(path)
  ).sort();
  const papers = below.map((path) => path.slice(0, -"/manifest.json".length));
  return [...papers.map((paper) => ({ path: join(folder, paper), paper })), {
    path: folder,
    paper: "other",
  }];
}
