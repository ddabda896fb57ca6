/** `./lab reproduce`: plays or replays a paper's studies, then runs its notebooks. */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import type { Estimate } from "../../lab/estimate.ts";
import { keepServer } from "../../core/env/worlds.ts";
import { WorldError } from "../../core/errors.ts";
import { terminalText } from "../../core/foreign-text.ts";
import { priceStudy } from "../../lab/lab.ts";
import { resultOf, type StudyResult } from "../../lab/runner.ts";
import { fileName } from "../../lab/write-files.ts";
import { backboneOf } from "../../core/llm/roles.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { plannedClaims, plannedClaimsText } from "../../papers/claim-plan.ts";
import { PAPERS } from "../../papers/parts.ts";
import { command } from "./command.ts";
import { complain, printResult, userPath } from "./options.ts";
import { openNamedStore } from "./named-store.ts";
import { packedStudies, packOf, takeReplies } from "./packs.ts";
import { recordedParts, recordNotice, type ReproducedPart } from "./recorded.ts";
import { createProgressView } from "./progress.ts";
import {
  type Exported,
  exportNotebook,
  OWN_EXHIBITS,
  writeManifest,
  writeOverview,
} from "./reproduce-notebooks.ts";
import { RUN_OPTIONS, type RunValues, studyChoices } from "./run-options.ts";
import { playWithProgress, shardFile, unanswered } from "./run-study.ts";
import { shortfall } from "./shortfall.ts";
import { describeEstimate } from "./study.ts";

const PAPER_NAMES = Object.keys(PAPERS);

// a notebook takes no other embedder or wording: these make studies of their own, for ./lab study
const { embedder: _embedder, prompts: _prompts, ...PLAY_OPTIONS } = RUN_OPTIONS;

/** Plays and exports; status 1 if episodes or exhibits are missing. */
export const main = command({
  name: "reproduce",
  words: {
    "[papers...]": { description: "papers to reproduce (default: all)", choices: PAPER_NAMES },
  },
  options: {
    full: { description: "play as many trials as the paper (default: preset quick)" },
    dryRun: {
      description: "play nothing; estimate calls and price, list the claims that can be decided",
    },
    figures: {
      value: "folder",
      description: "write tables and figures there",
      defaultDescription: "figures/<paper>/<model>/ of the checkout, with --full <model>-full/",
    },
    ...PLAY_OPTIONS,
    models: { ...PLAY_OPTIONS.models, defaultDescription: "the record" },
  },
  notes: ["Example: ./lab reproduce arigraph --models gpt-4o --budget 20"],
}, async (values, words) => {
  const pack = await packOf(values.replies);
  const choices = {
    ...studyChoices({ ...values, models: namedModels(values) }, pack),
    full: values.full,
  };
  const papers = words.length > 0 ? words : PAPER_NAMES;
  const file = shardFile(values.shard);
  const isRecord = values.models === undefined && !pack && !values.dryRun;
  const asked = isRecord
    ? await recordedParts(values.full ? ["--full"] : papers) // quick presets alone
    : papers.flatMap((paper) =>
      (PAPERS[paper]?.(choices) ?? []).map((part): ReproducedPart => ({ ...part, paper }))
    );
  const parts = pack ? packedStudies(pack, asked, ({ study }) => study.id) : asked;
  if (isRecord) complain(recordNotice(parts));
  if (values.dryRun) return await price(parts, values, file);
  const outcomes: Outcome[] = [];
  let storePath: string;
  {
    using store = openNamedStore(values.store, { name: file });
    storePath = store.path;
    for (const one of [pack ?? [], parts.map(({ packs = [] }) => packs)].flat(2)) {
      takeReplies(store, one);
    }
    const options = { ...values, replies: parts[0]?.packs?.[0]?.path ?? values.replies };
    for (const { study } of parts) {
      const refusal = unanswered(study, store, options);
      if (refusal) throw refusal;
    }
    await using _server = keepServer();
    for (const part of parts) {
      const { result, interrupted } = await playWithProgress(part.study, store, options).catch(
        (error) => {
          if (!(error instanceof WorldError && error.kind === "unknown-world")) throw error;
          complain(`${part.study.id} is left out: ${error.message}`);
          return { result: resultOf(store, part.study.id), interrupted: undefined };
        },
      );
      outcomes.push({ ...part, result });
      const missing = shortfall(result);
      if (missing !== undefined) complain(missing);
      if (interrupted) throw interrupted;
    }
  }
  const exported = values.shard ? [] : await exportPapers(outcomes, { ...values, storePath });
  if (values.json) {
    const studies = outcomes.map(({ paper, notebooks, result }) => ({
      paper,
      notebooks,
      ...summary(result),
    }));
    printResult({ studies, files: exported.flatMap(({ files }) => files) }, true, String);
  }
  return outcomes.every(isWhole) && exported.every(({ failed }) => !failed) ? 0 : 1;
});

interface Outcome extends ReproducedPart {
  readonly result: StudyResult;
}

/** The models asked in place of each study's stand-ins. */
function namedModels({ models }: Pick<RunValues, "models">): string | undefined {
  return models === "offline" ? undefined : models;
}

function isWhole({ result: { completed, planned } }: Pick<Outcome, "result">): boolean {
  return completed > 0 && completed === planned;
}

type ExportValues = Pick<RunValues, "models" | "param"> & {
  readonly full: boolean;
  readonly figures?: string;
  readonly json: boolean;
  readonly storePath: string;
};

/** Runs the notebooks whose studies are whole, prints their tables, and keeps what they export. */
async function exportPapers(
  outcomes: readonly Outcome[],
  values: ExportValues,
): Promise<Exported[]> {
  const exported: Exported[] = [];
  const shown = outcomes.flatMap(({ notebooks, ...part }) =>
    notebooks.map((notebook) => ({ ...part, notebook }))
  );
  for (
    const [key, parts] of Map.groupBy(
      shown,
      ({ paper, notebook }) => JSON.stringify([paper, notebook]),
    )
  ) {
    const [paper, notebook] = JSON.parse(key) as [string, string];
    if (!parts.every(isWhole)) {
      complain(`${notebook} is not run: its studies are incomplete`);
      continue;
    }
    const { param = [] } = values;
    const models = namedModels(values);
    const map = parts[0]?.study.models ?? {};
    const player = parts[0]?.player ??
      (models === undefined ? "offline" : fileName(backboneOf(map)));
    const folder = values.figures === undefined
      ? join(checkoutRoot(), "figures", paper, values.full ? `${player}-full` : player)
      : userPath(values.figures);
    const parameters = {
      ...(models === undefined
        ? {}
        : { models: param.length > 0 || existsSync(models) ? JSON.stringify(map) : models }),
      ...(parts[0]?.packs ? {} : { preset: values.full ? "full" : "quick" }),
      ...{ storePath: values.storePath, folder },
    };
    const one = await exportNotebook(notebook, parameters);
    if (!values.json) {
      process.stdout.write(
        terminalText(
          `${one.text}${notebook} wrote into ${relative(".", folder)}: ${
            one.exhibits.join(", ")
          }\n\n`,
        ),
      );
    }
    if (one.failed) complain(`${notebook} failed; ${one.path} shows where`);
    await writeManifest(
      folder,
      {
        paper,
        notebook,
        command: commandOf(paper, values),
        studies: parts.map(({ study }) => study),
        listed: values.figures === undefined ? OWN_EXHIBITS : /./,
      },
      values.storePath,
      one,
    );
    exported.push(one);
  }
  if (values.figures === undefined && exported.length > 0) {
    await writeOverview(join(checkoutRoot(), "figures"));
  }
  return exported;
}

function commandOf(paper: string, { models, full }: ExportValues): string {
  return [
    "./lab reproduce",
    paper,
    ...(models === undefined ? [] : [`--models ${models}`]),
    ...(full ? ["--full"] : []),
  ].join(" ");
}

async function price(
  parts: readonly ReproducedPart[],
  values: RunValues & { readonly json: boolean },
  file: string | undefined,
): Promise<number> {
  using store = openNamedStore(values.store, { name: file });
  const estimates: (Estimate & { claims: object })[] = [];
  for (const { paper, study } of parts) {
    const estimate = await priceStudy(study, { store, onDelay: createProgressView().delay });
    const claims = plannedClaims(`${paper}_claims`, study);
    estimates.push({ ...estimate, claims });
    const text = [describeEstimate(estimate), ...plannedClaimsText(claims)].join("\n");
    if (!values.json) process.stdout.write(`${text}\n\n`);
  }
  const total = estimates.reduce((sum, { dollars = NaN }) => sum + dollars, 0);
  if (values.json) {
    printResult({ studies: estimates, dollars: Number.isNaN(total) ? null : total }, true, String);
  } else {process.stdout.write(
      `together  ${Number.isNaN(total) ? "an unknown price" : `about $${total.toFixed(2)}`}\n`,
    );}
  return 0;
}

/** What `--json` tells of an episode. */
const TOLD = ["attempt", "status", "failureKind", "score", "maxScore", "steps", "ended"] as const;

function summary({ episodes, ...result }: StudyResult): object {
  const told = episodes.map(({ id, chain, world, label, condition, ...episode }) => ({
    ...{ id, chain, game: label ?? world, condition },
    ...Object.fromEntries(TOLD.map((name) => [name, episode[name]])),
  }));
  return { ...result, episodes: told };
}
