/**
 * `./lab show [episode] [step]`: what happened: the studies and episodes on record, the steps of an episode, or all of one step.
 *
 * @module
 */

import { styleText } from "node:util";
import { UsageError } from "../errors.ts";
import { type CallRow, listCalls } from "../store/calls.ts";
import { type EpisodeRecord, getEpisode, listEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { getReplyRow } from "../store/replies.ts";
import { type EventRow, listEvents } from "../store/events.ts";
import { getTurn, type GraphChangeRow, listGraphChanges, listTurns, type TurnRow } from "../store/turns.ts";
import { printResult, readOptions } from "./options.ts";
import { openNamedStore } from "./run-study.ts";

const USAGE = "./lab show [episode] [step | pass.step] [--store <file>] [--json]";

/** Shows what is asked for. */
export function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, USAGE, { store: { type: "string" }, json: { type: "boolean", default: false } }, {
    min: 0,
    max: 2,
  });
  const [id, place] = positionals;
  using store = openNamedStore(values.store, { create: false });
  if (id === undefined) printResult(listEpisodes(store), values.json, lines(describeEpisodes));
  else if (place === undefined) printResult(episodeOf(store, id), values.json, lines(describeEpisode));
  else printResult(stepOf(store, id, place), values.json, lines(describeStep));
  return Promise.resolve(0);
}

/** An episode with its steps. */
interface EpisodeView {
  readonly episode: EpisodeRecord;
  readonly steps: readonly (Pick<TurnRow, "pass" | "step" | "action" | "score" | "maxScore" | "graphSize" | "ended"> & {
    readonly events: readonly string[];
  })[];
}

/** One step with all that led to it. */
interface StepView {
  readonly episode: string;
  readonly turn: TurnRow;
  readonly calls: readonly {
    readonly role: string;
    readonly model: string;
    readonly kind: string;
    readonly prompt: readonly Said[];
    readonly reply: string;
  }[];
  readonly changes: readonly Pick<GraphChangeRow, "op" | "subject" | "relation" | "object">[];
  readonly events: readonly Pick<EventRow, "kind" | "detail">[];
}

interface Said {
  readonly role: string;
  readonly content: string;
}

function episodeOf(store: Store, id: string): EpisodeView {
  const episode = getEpisode(store, id);
  const events = listEvents(store, episode.id);
  const steps = listTurns(store, episode.id).map(({ pass, step, action, score, maxScore, graphSize, ended }) => ({
    ...{ pass, step, action, score, maxScore, graphSize, ended },
    events: events.filter((event) => event.pass === pass && event.step === step).map((event) => event.kind),
  }));
  return { episode, steps };
}

function stepOf(store: Store, id: string, text: string): StepView {
  const episode = getEpisode(store, id).id;
  const [, pass = "0", step] = text.match(/^(?:(\d+)\.)?(\d+)$/) ?? [];
  if (step === undefined) throw new UsageError(`"${text}" is no step, which is a number from 0, or pass.step; usage: ${USAGE}`);
  const place = { pass: Number(pass), step: Number(step) };
  const turn = getTurn(store, { episode, ...place });
  if (!turn) {
    const last = listTurns(store, episode).at(-1);
    throw new UsageError(`episode ${episode} has no step ${text}; ${last ? `its last is ${last.pass}.${last.step}` : "none is recorded"}`);
  }
  const here = <Row extends { pass: number; step: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.pass === place.pass && row.step === place.step);
  return {
    episode,
    turn,
    calls: once(listCalls(store, episode, place)).map(({ role, model, kind, key, error }) => (
      { role, model, kind, ...askedAndSaid(store, key, error) }
    )),
    changes: here(listGraphChanges(store, episode)).map(({ op, subject, relation, object }) => ({ op, subject, relation, object })),
    events: here(listEvents(store, episode)).map(({ kind, detail }) => ({ kind, detail })),
  };
}

/** The first call of each key: a resumed run is given the same answers again. Failed attempts stay. */
function once(calls: readonly CallRow[]): CallRow[] {
  const seen = new Set<string>();
  return calls.filter(({ kind, key }) => kind === "wasted" || (!seen.has(key) && seen.add(key)));
}

function askedAndSaid(store: Store, key: string, error: string | undefined): { prompt: Said[]; reply: string } {
  const row = getReplyRow(store, key);
  if (error !== undefined || !row) return { prompt: [], reply: error ?? "(not recorded)" };
  const messages = row.request.messages as { role: string; content: string | { text?: string; image?: string }[] }[];
  const reply = row.reply as { choices: { text: string; toolCalls?: unknown }[] };
  return {
    prompt: messages.map(({ role, content }) => ({
      role,
      content: typeof content === "string" ? content : content.map((part) => part.text ?? `(picture ${part.image})`).join("\n"),
    })),
    reply: reply.choices.map(({ text, toolCalls }) => toolCalls ? `${text}\n${JSON.stringify(toolCalls)}` : text).join("\n---\n"),
  };
}

function lines<T>(describe: (value: T) => string[]): (value: T) => string {
  return (value) => `${describe(value).join("\n")}\n`;
}

function describeEpisodes(episodes: readonly EpisodeRecord[]): string[] {
  if (episodes.length === 0) return ["nothing is recorded yet: ./lab reproduce plays"];
  return [...Map.groupBy(episodes, (episode) => episode.study)].flatMap(([study, rows]) => [
    styleText("bold", study),
    ...rows.map((row) => `  ${row.id}  ${row.lane}  ${describeEnd(row)}`),
  ]);
}

function describeEpisode({ episode, steps }: EpisodeView): string[] {
  return [
    `${styleText("bold", episode.id)}  ${episode.study}, ${episode.lane}`,
    `${episode.method} with ${episode.memory || "no memory"}, backbone ${episode.backbone}, attempt ${episode.attempt}: ${
      describeEnd(episode)
    }`,
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

function describeEnd({ status, score, maxScore, steps, ended, failureKind }: EpisodeRecord): string {
  if (status === "completed") return `${score} of ${maxScore} in ${steps} steps${ended === undefined ? "" : `, ${ended}`}`;
  return failureKind === undefined ? status : `${status} (${failureKind})`;
}

function describeStep({ episode, turn, calls, changes, events }: StepView): string[] {
  const { pass, step, action, observation, sections, details, score, maxScore, graphSize, ended } = turn;
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [styleText("bold", `== ${title}`), ...lines, ""];
  return [
    ...part(`Episode ${episode}, step ${pass > 0 ? `${pass}.` : ""}${step}`, [
      `action: ${action ?? "(reset)"}`,
      `score: ${score} of ${maxScore}${ended === undefined ? "" : `, ${ended}`}`,
      ...(graphSize === undefined ? [] : [`graph: ${graphSize} triplets`]),
    ]),
    ...calls.flatMap(({ role, model, kind, prompt, reply }) => [
      ...part(`${role}, ${model}, ${kind}: prompt`, prompt.flatMap((said) => [styleText("dim", `[${said.role}]`), said.content])),
      ...part(`${role}: reply`, [reply]),
    ]),
    ...part("Graph", changes.map(({ op, subject, relation, object }) => `${op === "add" ? "+" : "-"} ${subject}, ${relation}, ${object}`)),
    ...part("Events", events.map(({ kind, detail }) => `${kind}: ${detail}`)),
    ...part("Details", Object.keys(details).length === 0 ? [] : [JSON.stringify(details, null, 2)]),
    ...part("The world's answer", [observation, ...Object.entries(sections).map(([name, text]) => `${name}: ${text}`)]),
  ];
}
