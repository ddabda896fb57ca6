/** The tables and figures that `./lab reproduce` wrote, as they stand. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withoutMark } from "../report/provenance.ts";

/** A table or a figure that was written. */
export interface ExhibitFile {
  /** Its files' name without the ending, e.g. `arigraph-fig3-offline`. */
  readonly id: string;
  /** The paper that it belongs to: `evidence` where its id has the word, else the id's first word; `other` where fewer than three belong to it. */
  readonly paper: string;
  readonly kind: "table" | "figure";
  /** Of a figure its caption; of a table the whole table as Markdown. */
  readonly text: string;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Matches the names of figure files; none of them leads to another folder. */
export const FIGURE_FILE = /^[\w][\w.+-]*\.svg$/;

const TABLE_FILE = /^[\w][\w.+-]*\.md$/;

/** The page of a folder, which is no table. */
const PAGE = "README.md";

/** Lists the tables and figures of a folder by id; none if the folder is missing. */
export function listExhibits(folder: string): ExhibitFile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort().filter((file) => FIGURE_FILE.test(file) || (TABLE_FILE.test(file) && file !== PAGE));
  const paperOf = (name: string): string => /(^|-)evidence-/.test(name) ? "evidence" : name.split("-")[0] ?? "";
  const groups = Map.groupBy(files, paperOf);
  return files.map((file) => {
    const [id, kind] = [file.replace(/\.\w+$/, ""), FIGURE_FILE.test(file) ? "figure" : "table"] as const;
    const words = join(folder, kind === "figure" ? `${id}.txt` : file);
    const text = existsSync(words) ? withoutMark(readFileSync(words, "utf8")) : "";
    return {
      id,
      paper: (groups.get(paperOf(file))?.length ?? 0) < 3 ? "other" : paperOf(id),
      kind,
      text,
      writtenAt: statSync(join(folder, file)).mtimeMs,
    };
  });
}
