/** `./lab paper [paper]`: all exhibits of played studies in one document, as LaTeX, HTML and Quarto. */

import { UsageError } from "../errors.ts";
import { resultOf } from "../lab/runner.ts";
import { PAPERS, USUAL_PAPERS } from "../papers/studies.ts";
import type { Section } from "../report/document.ts";
import { writeDocument } from "../report/document.ts";
import { type Preset, PRESETS } from "../report/presets.ts";
import { sectionOf } from "../report/study-report.ts";
import { command } from "./command.ts";
import { complain, printResult, userPath } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";
import { MODEL_OPTIONS, SIZE_OPTIONS, smaller, studyChoices, USUAL_READER } from "./run-study.ts";
import { shortfall } from "./shortfall.ts";

/** Writes `paper.tex`, `paper.html`, `paper.qmd` and `figures/`, by default into `paper/` of the folder that the command is given in; plays nothing. */
export const main = command({
  name: "paper",
  words: { "[papers...]": { says: "the papers, all unless told", choices: Object.keys(PAPERS) } },
  options: {
    full: { says: "the exhibits of the form with the paper's number of trials" },
    ...SIZE_OPTIONS,
    incomplete: { says: "show also what is not played to its end" },
    preset: { value: "preset", says: "the size of figures and texts", choices: Object.keys(PRESETS) as Preset[], default: "page" },
    to: { value: "folder", says: "where the document goes", default: "paper" },
    ...MODEL_OPTIONS,
    models: { ...MODEL_OPTIONS.models, defaultSays: USUAL_READER },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, async ({ models, embedder, full, incomplete, preset, ...values }, words) => {
  const papers = words.length > 0 ? words : USUAL_PAPERS;
  using store = openNamedStore(values.store, { create: false });
  const choices = { ...studyChoices({ models, embedder }), full, attempts: values.attempts };
  const sections: Section[] = [];
  for (const paper of papers) {
    let ledger = true;
    for (const { study: whole, report } of PAPERS[paper]?.(choices) ?? []) {
      const study = smaller(whole, values);
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
  const names = papers.map((id) => sections.find(({ title }) => title.toLowerCase().startsWith(id))?.title.slice(0, id.length) ?? id);
  const title = `Tables and figures of ${names.join(", ")}`;
  const { files, undrawn } = await writeDocument({ id: "paper", title, sections }, userPath(values.to), { preset });
  undrawn.forEach(complain);
  printResult(
    { files },
    values.json,
    ({ files }) => files.filter((file) => !/[/\\]figures[/\\]/.test(file)).map((file) => `${file}\n`).join(""),
  );
  return undrawn.length === 0 ? 0 : 1;
});
