/** An episode and a step as they are shown: what `./lab show` prints and the run page lays out. */

import { brief } from "./brief.ts";
import { asBabyAiTruth, babyAiAreas, type BabyAiTruth } from "../../core/graph/babyai-truth.ts";
import { parseTriplets } from "../../core/graph/read-triplets.ts";
import { formatTriplet } from "../../core/graph/triplet.ts";
import { type CallRow, listCalls } from "../../lab/store/calls.ts";
import { type EpisodeRecord, findEpisode } from "../../lab/store/episodes.ts";
import { type EventRow, listEvents } from "../../lab/store/events.ts";
import type { Store } from "../../lab/store/open.ts";
import { StoreError } from "../../core/errors.ts";
import { getReplyRow } from "../../lab/store/replies.ts";
import {
  getTruth,
  getTurn,
  type GraphChangeRow,
  listGraphChanges,
  listTurns,
  type TruthRow,
  type TurnRow,
} from "../../lab/store/turns.ts";
import { problemOf } from "../../lab/store/verify.ts";
import { jsonObjectIn } from "../../core/text/json.ts";

export interface StepLine
  extends Pick<TurnRow, "pass" | "step" | "action" | "score" | "maxScore" | "graphSize" | "ended"> {
  readonly events: readonly string[];
}

export interface EpisodeView {
  readonly episode: EpisodeRecord;
  readonly steps: readonly StepLine[];
  /** Whether the world's truth is recorded after each step. */
  readonly hasTruth: boolean;
  /** What of it is not as it was recorded; absent where nothing is. */
  readonly problem?: string;
}

export interface Message {
  readonly role: string;
  readonly content: string;
}

export interface CallView extends
  Pick<
    CallRow,
    | "key"
    | "role"
    | "model"
    | "kind"
    | "vote"
    | "reAsk"
    | "promptTokens"
    | "completionTokens"
    | "dollars"
    | "latencyMs"
  > {
  readonly prompt: readonly Message[];
  readonly reply: string;
  /** The reply's JSON, triplets or tool calls; absent for plain text. */
  readonly parsed?: unknown;
  /** SHA-256 of each picture in the prompt, by which the store holds it. */
  readonly pictures: readonly string[];
}

export interface StepView {
  readonly episode: string;
  readonly turn: TurnRow;
  readonly calls: readonly CallView[];
  readonly changes: readonly Pick<GraphChangeRow, "op" | "subject" | "relation" | "object">[];
  readonly events: readonly Pick<EventRow, "kind" | "detail">[];
  /** The whole world after the step: BabyAI's map or NetHack's screen. */
  readonly world?: BabyAiTruth | readonly string[];
}

/** The place of a step in its episode. */
export type StepPlace = Pick<TurnRow, "pass" | "step">;

/** Parses `step` or `pass.step`, where no pass means 0; `undefined` for any other text. */
export function parsePlace(text: string): StepPlace | undefined {
  const [, pass = "0", step] = text.match(/^(?:(\d+)\.)?(\d+)$/) ?? [];
  return step === undefined ? undefined : { pass: Number(pass), step: Number(step) };
}

/**
 * Reads an episode with its steps; `undefined` if the store does not hold one of exactly this id.
 */
export function readEpisode(store: Store, id: string): EpisodeView | undefined {
  const episode = findEpisode(store, id);
  if (!episode) return undefined;
  const events = Map.groupBy(listEvents(store, id), ({ pass, step }) => `${pass}.${step}`);
  const steps = listTurns(store, id).map((
    { pass, step, action, score, maxScore, graphSize, ended },
  ) => ({
    ...{ pass, step, action: action && brief(action), score, maxScore, graphSize, ended },
    events: (events.get(`${pass}.${step}`) ?? []).map(({ kind }) => kind),
  }));
  const hasTruth =
    store.prepare("select 1 from truths where episode = ? limit 1").get(id) !== undefined;
  const problem = episode.status === "running" ? undefined : problemOf(store, id); // which looks at every row: too slow for each update of a run
  return { episode, steps, hasTruth, problem };
}

export function readStep(store: Store, episode: string, place: StepPlace): StepView | undefined {
  const turn = getTurn(store, { episode, ...place });
  if (!turn) return undefined;
  const here = <Row extends StepPlace>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.pass === place.pass && row.step === place.step);
  return {
    episode,
    turn,
    calls: once(callsOf(store, turn)).map((call) => callView(store, call)),
    changes: here(listGraphChanges(store, episode)).map(({ op, subject, relation, object }) => ({
      op,
      subject,
      relation,
      object,
    })),
    events: here(listEvents(store, episode)).map(({ kind, detail }) => ({ kind, detail })),
    world: worldOf(undamaged(() => getTruth(store, { episode, ...place }))),
  };
}

/** The value read; `undefined` where its row is damaged. */
function undamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.kind === "damaged") return undefined;
    throw error;
  }
}

/** Rows of a screen, and parts of a map, that are shown: a map of megabytes would stop the page. */
const MOST = 10_000;

function worldOf(truth: TruthRow["truth"] | undefined): StepView["world"] {
  const screen = truth?.map;
  if (Array.isArray(screen)) return screen.slice(0, MOST / 100).map((row) => brief(String(row)));
  const map = asBabyAiTruth(truth);
  if (!map) return undefined;
  const rooms = map.rooms.map((room) => ({ ...room, areas: babyAiAreas(map.grid, room) }));
  const parts = rooms.flatMap(({ areas }) => areas).length + map.doors.length + map.objects.length +
    map.trace.length;
  return parts <= MOST ? { ...map, rooms } : undefined;
}

/** The calls of a step; the last step of a pass also has those made after it. */
function callsOf(store: Store, { episode, pass, step, ended }: TurnRow): CallRow[] {
  const isLast =
    store.prepare("select 1 from turns where episode = ? and pass = ? and step > ? limit 1").get(
      episode,
      pass,
      step,
    ) === undefined;
  // Until the pass is over, later calls belong to the step under way.
  const isOver = ended !== undefined || findEpisode(store, episode)?.status === "completed" ||
    store.prepare("select 1 from turns where episode = ? and pass > ? limit 1").get(
        episode,
        pass,
      ) !== undefined;
  return isLast && isOver
    ? listCalls(store, episode, { pass }).filter((call) => (call.step ?? step) >= step)
    : listCalls(store, episode, { pass, step });
}

/** The first call of each key, because a resumed run repeats answers; failed attempts stay. */
function once(calls: readonly CallRow[]): CallRow[] {
  const seen = new Set<string>();
  return calls.filter(({ kind, key }) => kind === "wasted" || (!seen.has(key) && seen.add(key)));
}

function callView(store: Store, { key, error, ...call }: CallRow): CallView {
  const { role, model, kind, vote, reAsk, promptTokens, completionTokens, dollars, latencyMs } =
    call;
  const shown = {
    key,
    role,
    model,
    kind,
    vote,
    reAsk,
    promptTokens,
    completionTokens,
    dollars,
    latencyMs,
  };
  const row = undamaged(() => getReplyRow(store, key) ?? null);
  if (error !== undefined || !row) {
    const why = row === null ? "(not recorded)" : "(its record is damaged: ./lab verify says more)";
    return { ...shown, prompt: [], reply: error ?? why, pictures: [] };
  }
  const messages = row.request.messages as {
    role: string;
    content: string | { text?: string; image?: string }[];
    toolCalls?: unknown;
  }[];
  const { choices } = row.reply as { choices: { text: string; toolCalls?: unknown }[] };
  return {
    ...shown,
    prompt: messages.map(({ role, content, toolCalls }) => {
      const text = typeof content === "string"
        ? content
        : content.map((part) => part.text ?? `(picture ${part.image})`).join("\n");
      return { role, content: withTools({ text, toolCalls }) };
    }),
    pictures: messages.flatMap(({ content }) =>
      typeof content === "string" ? [] : content.flatMap(({ image }) => image ?? [])
    ),
    reply: choices.map(withTools).join("\n---\n"),
    parsed: choices.length === 1
      ? choices[0]?.toolCalls ?? parsedReply(choices[0]?.text ?? "")
      : undefined,
  };
}

/** What a model said, with the tools that it called. */
export function withTools(
  { text, toolCalls }: { readonly text: string; readonly toolCalls?: unknown },
): string {
  return toolCalls ? `${text}\n${JSON.stringify(toolCalls)}`.trimStart() : text;
}

function parsedReply(text: string): unknown {
  if (/^\s*\{/.test(text)) return jsonObjectIn(text); // three members of an object are no triplet
  const triplets = parseTriplets(text);
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== "");
  return triplets.length > 0 && triplets.length === parts.length
    ? triplets.map(formatTriplet)
    : jsonObjectIn(text);
}
