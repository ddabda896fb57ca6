/** `./lab study <id> [--dry-run]`: runs one study, or says what it would take. */

import type { Estimate } from "../../lab/estimate.ts";
import { priceStudy } from "../../lab/lab.ts";
import type { StudyResult } from "../../lab/runner.ts";
import { findStudy, STUDIES } from "../../papers/studies.ts";
import type { PartChoices } from "../../papers/study-options.ts";
import { count } from "../../core/text/amounts.ts";
import { command } from "./command.ts";
import { complain, inColumns, printResult } from "./options.ts";
import { UsageError } from "../../core/errors.ts";
import { playOnRay, RAY_OPTIONS } from "./ray.ts";
import { foreignTo, packedStudies, packOf, takeReplies } from "./packs.ts";
import { createProgressView } from "./progress.ts";
import { openNamedStore } from "./named-store.ts";
import {
  playWithProgress,
  RUN_OPTIONS,
  shardFile,
  SIZE_OPTIONS,
  smaller,
  studyChoices,
} from "./run-study.ts";
import { reasonsText, shortfall } from "./shortfall.ts";

/**
 * Runs or prices the study. Status 1 if episodes are missing at the end, 130 where Ctrl-C is why
 * (143 and 129 for SIGTERM and SIGHUP).
 */
export const main = command({
  name: "study",
  words: {
    "<id>": { description: `the study, or <id>@<models>: ${Object.keys(STUDIES).join(", ")}` },
  },
  options: {
    dryRun: { description: "play nothing: say what is recorded, what is to pay, and a price" },
    only: {
      value: "names",
      description:
        "play these alone: games, layouts, tasks, sets or conditions, with commas between",
      multiple: true,
    },
    games: {
      value: "folder",
      description: "play games of yours, or official ones, in place of the lab's own",
    },
    ...SIZE_OPTIONS,
    ...RUN_OPTIONS,
    ...RAY_OPTIONS,
  },
}, async (values, [id = ""]) => {
  if (values.ray !== undefined) {
    if (values.shard || values.dryRun) {
      throw new UsageError("--ray plays all shards: leave --shard and --dry-run out");
    }
    findStudy(id, studyChoices(values, packOf(values.replies)));
    return await playOnRay(id, { ...values, ray: values.ray });
  }
  const pack = packOf(values.replies);
  const choices: PartChoices = {
    ...studyChoices(values, pack),
    only: values.only?.flatMap((names) => names.split(",")).map((name) => name.trim()),
    games: values.games,
    attempts: values.attempts,
  };
  const planned = smaller(findStudy(id, choices), values);
  const [study = planned] = pack ? packedStudies(pack, [planned], ({ id }) => id) : [];
  using store = openNamedStore(values.store, { name: shardFile(values.shard) });
  if (pack) takeReplies(store, pack);
  if (values.dryRun) {
    const estimate = await priceStudy(study, { store, onDelay: createProgressView().delay });
    printResult(estimate, values.json, (one) => `${describeEstimate(one)}\n`);
    return 0;
  }
  const { result, interrupted } = await playWithProgress(study, store, values);
  const missing = shortfall(result);
  if (missing !== undefined) complain(missing);
  const foreign = pack && foreignTo(pack, result.episodes);
  if (foreign !== undefined) complain(foreign);
  printResult(result, values.json, describeResult);
  if (interrupted && missing !== undefined) throw interrupted;
  return missing === undefined ? 0 : 1;
});

/** The estimate in words. */
export function describeEstimate(estimate: Estimate): string {
  const { study, planned, completed, toPlay, refused, refusals, callsRecorded, callsToPay } =
    estimate;
  const { promptTokens, completionTokens, dollars, conditions, unpriced, unknown } = estimate;
  const price = dollars === undefined
    ? [
      "unknown",
      ...unpriced.map((model) => `no price for ${model}`),
    ].join("; ")
    : `about $${dollars.toFixed(2)}, if answers are as long as those on record`;
  const width = Math.max(0, ...conditions.map(({ condition }) => condition.length));
  const parts = conditions.length < 2
    ? []
    : conditions.map(({ condition, toPlay, unknown, dollars }) => {
      const cost = dollars === undefined ? "unknown" : `$${dollars.toFixed(2)}`;
      return `          ${condition.padEnd(width)}  ${toPlay} to play, ${cost}${
        unknown > 0 ? ` (${unknown} without a measure)` : ""
      }`;
    });
  return [
    `study     ${study}`,
    `episodes  ${planned} planned, ${completed} completed, ${toPlay} to play`,
    ...(refused > 0
      ? [`          without ${refused} of broken games${reasonsText(refusals, 1)}`]
      : []),
    `calls     ${callsRecorded} recorded, about ${callsToPay} to pay`,
    `tokens    about ${count(promptTokens)} in, ${count(completionTokens)} out`,
    `price     ${price}`,
    ...parts,
    ...(unknown > 0
      ? [
        `          nothing on record compares with ${unknown} episodes: play a few of them first, with --episodes 1 or, for nothing, with --models offline`,
      ]
      : []),
  ].join("\n");
}

function describeResult({ episodes }: StudyResult): string {
  return inColumns(
    episodes.map(({ id, chain, status, score, maxScore, steps, ended, failureKind }) => [
      id,
      chain,
      status,
      score === undefined ? failureKind ?? "" : `${score}/${maxScore}`,
      steps === undefined ? "" : `${steps} steps`,
      ended ?? "",
    ]),
  );
}
