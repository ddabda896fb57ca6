/**
 * Episode, graph and study as outputs of a notebook's cell. An output holds all its data and
 * survives saving; it is in a sandboxed frame.
 */

import { deflateSync } from "node:zlib";
import { UsageError } from "../../core/errors.ts";
import { markupText } from "../../core/foreign-text.ts";
import { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import type { Triplet } from "../../core/graph/triplet.ts";
import { display, displaySymbol, type MimeBundle, systemClock } from "../../core/platform.ts";
import { getEpisode } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { count, duration } from "../../core/text/amounts.ts";
import { tableMarkdown } from "../../core/text/written.ts";
import { EMBEDDED, HAND_OVER } from "./embedded.ts";
import { type GraphView, tripletIndex } from "./graph.ts";
import { type CallView, parsePlace, type StepView } from "./record.ts";
import type { EpisodeLine, StudySummary, StudyView } from "./studies.ts";

/** An output that Deno's kernel displays where it is the last value of a cell. */
export interface Displayed {
  /** The output's MIME bundle: HTML, and a line of text where that cannot be shown. */
  [displaySymbol](): MimeBundle;
}

/** Options of a view. */
export interface ViewOptions {
  /** Height of the frame, in px. @default {720 of an episode, 560 of a graph} */
  readonly height?: number;
}

/** Options of the view of an episode. */
export interface EpisodeViewOptions extends ViewOptions {
  /** The step that is shown first, as `step` or `pass.step`. @default {"1"} */
  readonly step?: string;
}

/** The most characters of an output; a larger one goes without prompts and replies. */
const MOST = 1_000_000;

/**
 * The page of an episode for a notebook: its steps with observations, what was recalled, calls and
 * the graph. Above a million characters it leaves out prompts and replies, and says so.
 *
 * @throws {StoreError} `missing` if the store holds no such episode, {@linkcode UsageError} if
 *   `step` is none.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { episodeView } from "labyrinth/view";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * await assert.rejects(episodeView(store, "0123456789abcdef"), { name: "StoreError" });
 * ```
 */
export async function episodeView(
  store: Store,
  id: string,
  options: EpisodeViewOptions = {},
): Promise<Displayed> {
  const { episodeData, picturesIn } = await import("./episode-data.ts");
  const episode = getEpisode(store, id);
  const data = episodeData(store, episode);
  const whole = [...data, ...picturesIn(store, data)].map(script);
  const isShort = whole.reduce((sum, { length }) => sum + length, 0) > MOST;
  const scripts = isShort
    ? [...data].map(([name, value]) =>
      script([name, name.startsWith("step/") ? withoutTexts(value) : value])
    )
    : whole;
  const place = parsePlace(options.step ?? "1");
  if (!place) {
    throw new UsageError(`"${options.step}" is not a step: give a number from 0, or pass.step`);
  }
  return await framed(`#/episode/${episode.id}/${place.pass}.${place.step}`, scripts, {
    height: options.height ?? 720,
    text: `episode ${episode.id} of ${episode.study}: ${episode.condition} in ${
      episode.label ?? episode.world
    }, ${episode.status}`,
  });
}

/**
 * A graph for a notebook, as a drawing that can be dragged and searched by clicks, and as a list.
 * Of a `KnowledgeGraph` a slider goes over the times at which it changed.
 *
 * @example
 * ```ts
 * import { displaySymbol } from "labyrinth";
 * import { graphView } from "labyrinth/view";
 * import assert from "node:assert/strict";
 *
 * const view = await graphView([{ subject: "key", relation: "is in", object: "locker" }]);
 * assert.match(String(view[displaySymbol]()["text/html"]), /^<iframe sandbox="allow-scripts"/);
 * ```
 */
export async function graphView(
  graph: KnowledgeGraph | readonly Triplet[],
  options: ViewOptions = {},
): Promise<Displayed> {
  const { triplets, indexOf } = tripletIndex();
  const view: GraphView = graph instanceof KnowledgeGraph
    ? {
      triplets,
      inherited: [],
      changes: graph.changes.map(({ op, time, triplet }) => ({
        pass: 0,
        step: time,
        op,
        triplet: indexOf(triplet),
      })),
    }
    : { triplets, inherited: graph.map(indexOf), changes: [] };
  const { length } = graph instanceof KnowledgeGraph ? graph.triplets() : graph;
  return await framed("#/graph", [script(["graph", view])], {
    height: options.height ?? 560,
    text: `a graph of ${length} triplets`,
  });
}

/**
 * Shows how a study stands as a table, and renews it each second until the run that is handed in
 * ends; returns what the run does.
 *
 * @param run the run, such as what `playStudy` returns; without one the table is shown once
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { studyView } from "labyrinth/view";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const run = Promise.resolve("what playStudy returns");
 * assert.equal(await studyView(store, "mine", run), "what playStudy returns");
 * ```
 */
export async function studyView<T = void>(
  store: Store,
  study: string,
  run?: Promise<T>,
): Promise<T> {
  const id = crypto.randomUUID();
  const ended = Promise.resolve(run).then(() => true, () => true); // before anything is awaited: a run may fail at once
  const [studies, { createTally }] = await Promise.all([
    import("./studies.ts"),
    import("./tally.ts"),
  ]);
  const tally = createTally(store);
  let last = "";
  const show = async (update: boolean): Promise<void> => {
    await tally.catchUp();
    const text = studyText(
      studies.readStudy(store, tally, study),
      studies.readStudies(store, tally, systemClock.now()),
      study,
    );
    if (text !== last) await display({ "text/markdown": text, "text/plain": text }, { id, update });
    last = text;
  };
  await show(false);
  while (!await Promise.race([ended, systemClock.sleep(PAUSE).then(() => false)])) await show(true);
  await show(true);
  return await (run as Promise<T>);
}

/** Time between two looks at the store, in ms. */
const PAUSE = 1000;

function studyText(
  study: StudyView | undefined,
  summaries: readonly StudySummary[],
  id: string,
): string {
  const summary = summaries.find((one) => one.id === id);
  if (!study || !summary) return `### ${id}\n\nNothing of it is recorded yet.\n`;
  const { counts, secondsLeft, spent } = summary;
  const games = [...new Set(study.episodes.map(({ game }) => game))].sort();
  const rows = [...Map.groupBy(study.episodes, ({ condition }) => condition)].map((
    [condition, episodes],
  ) => [
    condition,
    ...games.map((game) => cellText(episodes.filter((episode) => episode.game === game))),
  ]);
  const parts = [
    `${counts.completed} of ${study.episodes.length} episodes done`,
    ...(["running", "failed", "paused"] as const).flatMap((status) =>
      counts[status] > 0 ? [`${counts[status]} ${status}`] : []
    ),
    ...spent
      ? [
        `${count(spent.tokens)} tokens`,
        `$${spent.dollars.toFixed(2)}${spent.unpriced > 0 ? " and calls without a price" : ""}`,
      ]
      : [],
    ...secondsLeft === undefined ? [] : [`about ${duration(secondsLeft)} left`],
  ];
  const caption = `Mean share of the score, (done/planned). ${parts.join(", ")}.`;
  return tableMarkdown({
    title: study.title || id,
    caption,
    columns: ["condition", ...games],
    rows,
  });
}

function cellText(episodes: readonly EpisodeLine[]): string {
  if (episodes.length === 0) return "–";
  const shares = episodes.flatMap(({ score, maxScore }) =>
    score !== undefined && maxScore ? [score / maxScore] : []
  );
  const mean = shares.length === 0
    ? "–"
    : (shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(2);
  return `${mean} (${shares.length}/${episodes.length})`;
}

function packed(value: unknown): string {
  return deflateSync(JSON.stringify(value), { level: 9 }).toString("base64");
}

/** The script that hands a value over by name. */
function script([name, value]: readonly [string, unknown]): string {
  return `${HAND_OVER}(${JSON.stringify(name)}, "${packed(value)}")`;
}

const LEFT_OUT = "(left out, because this output would be too large: ./lab view shows it)";

function withoutTexts(value: unknown): unknown {
  const bare = (call: CallView): CallView => ({
    ...call,
    prompt: [],
    pictures: [],
    parsed: undefined,
    reply: LEFT_OUT,
  });
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, StepView>>).map((
      [place, step],
    ) => [place, { ...step, calls: step.calls.map(bare) }]),
  );
}

/** Keeps what the scripts hand over, and begins the page. */
const BEGIN = `
const given = new Map();
globalThis.${HAND_OVER} = Object.assign((name, value) => void given.set(name, value), { given });
async function begin(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  document.head.append(Object.assign(document.createElement("script"), { textContent }));
}
`;

/** The deflated page with its data in a sandboxed frame. */
async function framed(
  hash: string,
  scripts: readonly string[],
  { height, text }: { readonly height: number; readonly text: string },
): Promise<Displayed> {
  const page = await (await import("./bundle.ts")).bundlePage();
  const [css, js] = ["page.css", "page.js"].map((name) => new TextDecoder().decode(page.get(name)));
  const html = [
    "<!DOCTYPE html>",
    `<html lang="en"><meta charset="utf-8"><base href="about:srcdoc"><meta name="color-scheme" content="light dark">`,
    `<meta name="${EMBEDDED}"><title>Labyrinth</title><style>${css}</style><div id="page"></div>`,
    `<script>${BEGIN}${scripts.join(";\n")};\nlocation.hash ||= ${JSON.stringify(hash)};\nbegin("${
      packed(js)
    }")</script></html>`,
  ].join("\n");
  const escaped = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const frame =
    `<iframe sandbox="allow-scripts" srcdoc="${escaped}" title="Labyrinth" style="width: 100%; height: ${height}px; border: 0"></iframe>`;
  const caption = `<small>${
    markupText(text)
  }; where no frame is above, the notebook is not trusted yet</small>`;
  return { [displaySymbol]: () => ({ "text/html": `${frame}\n${caption}`, "text/plain": text }) };
}
