/** The tables and figures that `./lab reproduce` wrote, as they stand. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withoutMark } from "../report/provenance.ts";

/** A table or a figure that was written. */
export interface ExhibitFile {
  /** Its files' name without the ending, e.g. `arigraph-fig3-offline`. */
  readonly id: string;
  /** The paper that it belongs to, whose folder holds it; `other` outside of these. */
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

/** The page of a folder, which is no table. */
const PAGE = "README.md";

/** Lists the tables, and the figures with a caption, of a folder and of those in it, each of which holds a paper's; none if the folder is missing. */
export function listExhibits(folder: string): ExhibitFile[] {
  return foldersOf(folder).flatMap(({ path, paper }) =>
    readdirSync(path).sort().flatMap((file): ExhibitFile[] => {
      const kind = FIGURE_FILE.test(file) ? "figure" : TABLE_FILE.test(file) && file !== PAGE ? "table" : undefined;
      const id = file.replace(/\.\w+$/, "");
      const words = join(path, kind === "figure" ? `${id}.txt` : file);
      if (kind === undefined || !existsSync(words)) return [];
      return [{ id, paper, kind, text: withoutMark(readFileSync(words, "utf8")), writtenAt: statSync(join(path, file)).mtimeMs }];
    })
  );
}

/** The path of a figure's file in a folder or in those in it; `undefined` where there is none. */
export function findFigure(folder: string, name: string): string | undefined {
  if (!FIGURE_FILE.test(name)) return undefined;
  return foldersOf(folder).map(({ path }) => join(path, name)).find((path) => existsSync(path));
}

/** The folders of the papers in a folder, by name, then the folder itself. */
function foldersOf(folder: string): { readonly path: string; readonly paper: string }[] {
  if (!existsSync(folder)) return [];
  const papers = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  return [...papers.map((paper) => ({ path: join(folder, paper), paper })), { path: folder, paper: "other" }];
}
