/** `./lab study <id> [--dry-run]`: runs one study, or says what it would take. */

import type { Estimate } from "../../lab/estimate.ts";
import { priceStudy } from "../../lab/lab.ts";
import type { StudyResult } from "../../lab/runner.ts";
import { plannedClaims, plannedClaimsText } from "../../papers/claim-plan.ts";
import { PAPERS } from "../../papers/parts.ts";
import { withMemory } from "../../lab/with-memory.ts";
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
import { RUN_OPTIONS, SIZE_OPTIONS, smaller, studyChoices } from "./run-options.ts";
import { playWithProgress, shardFile } from "./run-study.ts";
import { reasonsText, shortfall } from "./shortfall.ts";

export const main = command({
  name: "study",
  words: {
    "<id>": { description: `study, or <id>@<models>: ${Object.keys(STUDIES).join(", ")}` },
  },
  options: {
    dryRun: { description: "play nothing; estimate calls, price and which claims it can decide" },
    only: {
      value: "names",
      description: "limit to these games, layouts, tasks, sets or conditions, e.g. hunt,arigraph",
      multiple: true,
    },
    games: {
      value: "folder",
      description: "play the games of a folder, or official ones, in place of the lab's",
    },
    memory: {
      value: "name",
      description:
        "play this memory in place of the study's: arigraph, …, python:FILE.py or python:MODULE:Class",
    },
    ...SIZE_OPTIONS,
    ...RUN_OPTIONS,
    ...RAY_OPTIONS,
  },
  notes: ["Example: ./lab study arigraph-quick --models gpt-4o --only hunt --dry-run"],
}, async (values, [id = ""]) => {
  if (values.ray !== undefined) {
    if (values.shard || values.dryRun) {
      throw new UsageError("--ray plays all shards: remove --shard and --dry-run");
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
  const found = smaller(findStudy(id, choices), values);
  const planned = values.memory === undefined ? found : withMemory(found, values.memory);
  const [study = planned] = pack ? packedStudies(pack, [planned], ({ id }) => id) : [];
  using store = openNamedStore(values.store, { name: shardFile(values.shard) });
  if (pack) takeReplies(store, pack);
  if (values.dryRun) {
    const estimate = await priceStudy(study, { store, onDelay: createProgressView().delay });
    const paper = Object.keys(PAPERS).find((name) => study.id.startsWith(`${name}-`));
    const claims = paper === undefined ? [] : plannedClaims(`${paper}_claims`, study);
    const text = [describeEstimate(estimate), ...plannedClaimsText(claims)].join("\n");
    printResult({ ...estimate, claims }, values.json, () => `${text}\n`);
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
