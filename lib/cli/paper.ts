/**
 * `./lab paper [paper]`: all exhibits of played studies in one document, as LaTeX, HTML and Quarto.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import { resultOf } from "../lab/runner.ts";
import { PAPERS, USUAL_PAPERS } from "../papers/studies.ts";
import type { Section } from "../report/document.ts";
import { writeDocument } from "../report/document.ts";
import { type Preset, PRESETS } from "../report/presets.ts";
import { sectionOf } from "../report/study-report.ts";
import { complain, printResult, readOptions, userPath } from "./options.ts";
import { openNamedStore } from "./named-store.ts";
import { RUN_OPTIONS, shortfall, studyChoices } from "./run-study.ts";

const USAGE = `./lab paper [${Object.keys(PAPERS).join("|")} …] [--full] [--models <id|map|file>] [--embedder <name>] [--incomplete] ` +
  `[--preset ${Object.keys(PRESETS).join("|")}] [--to <folder>] [--store <file>] [--json]`;

/** Writes `paper.tex`, `paper.html`, `paper.qmd` and `figures/`, by default into `paper/` of the folder that the command is given in; plays nothing. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, USAGE, {
    ...{ store: RUN_OPTIONS.store, models: RUN_OPTIONS.models, embedder: RUN_OPTIONS.embedder, json: RUN_OPTIONS.json },
    full: { type: "boolean", default: false },
    incomplete: { type: "boolean", default: false },
    preset: { type: "string", default: "page" },
    to: { type: "string", default: "paper" },
  }, { min: 0, max: Infinity });
  const { models, embedder, full, incomplete, preset } = values;
  if (!Object.hasOwn(PRESETS, preset)) throw new UsageError(`unknown preset "${preset}"; there are ${Object.keys(PRESETS).join(", ")}`);
  const unknown = positionals.find((paper) => !Object.hasOwn(PAPERS, paper));
  if (unknown !== undefined) throw new UsageError(`unknown paper "${unknown}"; there are ${Object.keys(PAPERS).join(", ")}`);
  const papers = positionals.length > 0 ? positionals : USUAL_PAPERS;
  using store = openNamedStore(values.store, { create: false });
  const choices = { ...studyChoices({ models, embedder, replies: "record", retry: false, fresh: false }), full };
  const sections: Section[] = [];
  for (const paper of papers) {
    let ledger = true;
    for (const { study, report } of PAPERS[paper]?.(choices) ?? []) {
      const result = resultOf(store, study.id);
      const missing = shortfall(result);
      if (result.completed === 0 || (missing !== undefined && !incomplete)) {
        complain(`${study.id} is left out: ${result.planned === 0 ? "it was not played" : `${missing}; --incomplete shows what there is`}`);
        continue;
      }
      const { undrawn = [], ...section } = sectionOf(report, store, study, { allowIncomplete: incomplete, ledger });
      undrawn.forEach(complain);
      if (section.tables.length + section.figures.length > 0) sections.push(section);
      ledger = false; // one a paper, over all of its studies
    }
  }
  if (sections.length === 0) {
    throw new UsageError(
      `nothing of ${papers.join(", ")} is played in ${store.path}; ./lab reproduce ${papers[0]}${full ? " --full" : ""} plays it`,
    );
  }
  const title = `Tables and figures of ${papers.join(", ")}`;
  const { files, undrawn } = await writeDocument({ id: "paper", title, sections }, userPath(values.to), { preset: preset as Preset });
  undrawn.forEach(complain);
  printResult(
    { files },
    values.json,
    ({ files }) => files.filter((file) => !/[/\\]figures[/\\]/.test(file)).map((file) => `${file}\n`).join(""),
  );
  return undrawn.length === 0 ? 0 : 1;
}
