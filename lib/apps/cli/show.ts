/**
 * `./lab show`: the studies and episodes on record, the steps of an episode, or all of one step.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { UsageError } from "../../core/errors.ts";
import { getPicture } from "../../lab/store/artefacts.ts";
import { type EpisodeRecord, getEpisode, listEpisodes } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { listTurns } from "../../lab/store/turns.ts";
import { excludeBroken } from "../../lab/store/damage.ts";
import { problemOf } from "../../lab/store/verify.ts";
import {
  type EpisodeView,
  parsePlace,
  readEpisode,
  readStep,
  type StepView,
} from "../view/record.ts";
import { command } from "./command.ts";
import { complain, printResult } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

export const main = command({
  name: "show",
  words: {
    "[episode]": {
      description: "episode id or prefix, or a study id (default: list all)",
    },
    "[step]": { description: "step from 0, or pass.step" },
  },
  options: {
    pictures: { value: "folder", description: "write the pictures of the step to a folder" },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, (values, words) => {
  if (values.pictures !== undefined && words.length < 2) {
    throw new UsageError(
      "--pictures writes those of one step: name it, ./lab show <episode> <step> --pictures <folder>",
    );
  }
  const [id, place] = words;
  using store = openNamedStore(values.store, { create: false });
  const study = id !== undefined && listStudies(store).includes(id) ? id : undefined;
  if (study !== undefined && place !== undefined) {
    throw new UsageError(
      `${study} is a study, which has no steps: ./lab show ${
        /\s/.test(study) ? `"${study}"` : study
      } lists its episodes, which do`,
    );
  }
  problemsOf(store, study === undefined ? id : undefined, study).forEach(complain);
  if (id === undefined || study !== undefined) {
    printResult(
      listEpisodes(store, study === undefined ? {} : { study }),
      values.json,
      lines(describeEpisodes),
    );
  } else if (place === undefined) {
    printResult(
      readEpisode(store, getEpisode(store, id).id) as EpisodeView,
      values.json,
      lines(describeEpisode),
    );
  } else {
    const step = stepOf(store, id, place);
    if (values.pictures !== undefined) writePictures(store, step, values.pictures);
    printResult(step, values.json, lines(describeStep));
  }
  return 0;
});

/** What is not as it was recorded in what is to be shown: an episode, or the list of all. */
function problemsOf(store: Store, id?: string, study?: string): string[] {
  if (id === undefined) {
    return (study === undefined ? listStudies(store) : [study]).flatMap((each) =>
      excludeBroken(store, each)
    );
  }
  return [problemOf(store, getEpisode(store, id).id) ?? []].flat();
}

/** Writes the pictures of a step's requests into a folder, each as `<hash>.png`. */
function writePictures(store: Store, { calls }: StepView, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hash of new Set(calls.flatMap(({ pictures }) => pictures))) {
    const png = getPicture(store, hash);
    if (png) writeFileSync(join(folder, `${hash}.png`), png);
  }
}

function stepOf(store: Store, id: string, text: string): StepView {
  const episode = getEpisode(store, id).id;
  const place = parsePlace(text);
  if (!place) throw new UsageError(`"${text}" is not a step: give a number from 0, or pass.step`);
  const step = readStep(store, episode, place);
  if (step) return step;
  const last = listTurns(store, episode).at(-1);
  throw new UsageError(
    `episode ${episode} has no step ${text}; ${
      last ? `its last is ${last.pass}.${last.step}` : "none is recorded"
    }`,
  );
}

function lines<T>(describe: (value: T) => string[]): (value: T) => string {
  return (value) => `${describe(value).join("\n")}\n`;
}

function describeEpisodes(episodes: readonly EpisodeRecord[]): string[] {
  if (episodes.length === 0) return ["nothing is recorded yet: ./lab reproduce plays"];
  return [...Map.groupBy(episodes, (episode) => episode.study)].flatMap(([study, rows]) => [
    styleText("bold", study),
    ...rows.map((row) => `  ${row.id}  ${row.chain}  ${describeEnd(row)}`),
  ]);
}

function describeEpisode({ episode, steps }: EpisodeView): string[] {
  return [
    `${styleText("bold", episode.id)}  ${episode.study}, ${episode.chain}`,
    `${episode.method} with ${
      episode.memory || "no memory"
    }, model ${episode.backbone}, attempt ${episode.attempt}: ${describeEnd(episode)}`,
    ...(episode.failureMessage === undefined ? [] : [episode.failureMessage]),
    "",
    ...steps.map(({ pass, step, action = "(reset)", score, graphSize, ended, events }) =>
      [
        `${pass > 0 ? `${pass}.` : ""}${step}`.padStart(5),
        action.padEnd(40),
        `score ${score}`,
        ...(graphSize === undefined ? [] : [`${graphSize} triplets`]),
        ...(ended === undefined ? [] : [ended]),
        ...(events.length === 0 ? [] : [`! ${events.join(", ")}`]),
      ].join("  ")
    ),
  ];
}

function describeEnd(
  { status, score, maxScore, steps, ended, failureKind }: EpisodeRecord,
): string {
  if (status === "completed") {
    return `${score} of ${maxScore} in ${steps} steps${ended === undefined ? "" : `, ${ended}`}`;
  }
  return failureKind === undefined ? status : `${status} (${failureKind})`;
}

function describeStep({ episode, turn, calls, changes, events }: StepView): string[] {
  const { pass, step, action, observation, sections, details, score, maxScore, graphSize, ended } =
    turn;
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [styleText("bold", `== ${title}`), ...lines, ""];
  return [
    ...part(`Episode ${episode}, step ${pass > 0 ? `${pass}.` : ""}${step}`, [
      `action: ${action ?? "(reset)"}`,
      `score: ${score} of ${maxScore}${ended === undefined ? "" : `, ${ended}`}`,
      ...(graphSize === undefined ? [] : [`graph: ${graphSize} triplets`]),
    ]),
    ...calls.flatMap(({ role, model, kind, prompt, reply }) => [
      ...part(
        `${role}, ${model}, ${kind}: prompt`,
        prompt.flatMap((said) => [styleText("dim", `[${said.role}]`), said.content]),
      ),
      ...part(`${role}: reply`, [reply]),
    ]),
    ...part(
      "Graph",
      changes.map(({ op, subject, relation, object }) =>
        `${op === "add" ? "+" : "-"} ${subject}, ${relation}, ${object}`
      ),
    ),
    ...part("Events", events.map(({ kind, detail }) => `${kind}: ${detail}`)),
    ...part("Details", Object.keys(details).length === 0 ? [] : [JSON.stringify(details, null, 2)]),
    ...part("The world's answer", [
      observation,
      ...Object.entries(sections).map(([name, text]) => `${name}: ${text}`),
    ]),
  ];
}
