/** The questions of every role: short plays of the stand-in, whose questions are kept. */

import type { MethodEntry } from "../../core/agent/method.ts";
import { METHODS } from "../../core/agent/registry.ts";
import { connectWorlds } from "../../core/env/worlds.ts";
import { rolesOf } from "../../lab/choices.ts";
import { playStudy } from "../../lab/lab.ts";
import type { CustomMethod, Options, PlannedEpisode } from "../../lab/study.ts";
import type { Asker, AskOptions } from "../../core/llm/asker.ts";
import type { Prompt, PromptValues } from "../../core/llm/prompt.ts";
import "../../offline/mod.ts"; // registers the stand-in
import { localProvider } from "../../core/llm/providers.ts";
import { ROLE_MAPS } from "../../core/llm/roles.ts";
import { scripted } from "../../core/llm/scripted.ts";
import { shortened } from "../../papers/study-options.ts";
import { openStore } from "../../lab/store/open.ts";
import { TALK, withTalk } from "./reply-talk.ts";

/** A question as a method or memory puts it to a model. */
export interface Question {
  readonly prompt: Prompt;
  readonly values: PromptValues;
  readonly options: AskOptions<unknown>;
  /** The play in which it was asked, e.g. `ariadne + arigraph in textworld/hunt`. */
  readonly play: string;
}

/** A world, the parameters of its game of a number, and the number of games in a round. */
type Game = readonly [world: string, params: (number: number) => Options, inRound?: number];

const seeded = (world: string): Game => [world, (seed) => ({ seed })];
const [HUNT, COOKING] = [seeded("textworld/hunt"), seeded("textworld/cooking")];
const HOUSE: Game = ["alfworld", (number) => ({ game: (29 * number) % 134 })];
const TASKS = ["find-living-thing", "melt", "test-conductivity", "use-thermometer"];
const LABORATORY: Game = [
  "scienceworld",
  (number) => {
    const [task, index] = [TASKS[number % TASKS.length], Math.floor(number / TASKS.length)];
    // a task has at least nine variations to test with, and seven to develop with
    return index < 9
      ? { task, split: "test", index }
      : { task, split: "dev", index: (index - 9) % 7 };
  },
];
const WIKI: Game = ["wiki/encyclopedia", (number) => ({ index: number % 60 }), 2];
const QUESTIONS: Game = [
  "questions/encyclopedia",
  (number) => ({ index: (7 * number) % 60, paragraphs: 6 }),
  4,
];
const SENTENCES: Game = [
  "wiki/encyclopedia",
  (number) => ({ index: number % 60, documents: "sentences" }),
  10,
];
const FRIENDS: Game = [TALK, (number) => ({ number })];
const ROOMS: Game = [
  "babyai",
  (number) => ({ layout: `2x2-d1-${number % 5}`, seed: Math.floor(number / 5) }),
];

/** A method with its memory, in a game, with options that are not the usual ones. */
type Play = readonly [
  method: string,
  memory: string | undefined,
  game: Game,
  options?: PlannedEpisode["options"],
];

/** Together they ask in every role except SESE's, which are WESE's under another name. */
const PLAYS: readonly Play[] = [
  ["ariadne", "arigraph", HUNT],
  ["ariadne", "arigraph", COOKING],
  ["ariadne", "full-history", COOKING],
  ["ariadne", "summary", HUNT],
  ["ariadne", "simulacra", HUNT, { memory: { threshold: 20 } }],
  ["ariadne", "a-mem", HUNT],
  ["ariadne", "graphiti", HUNT, { memory: { refresh: 5 } }],
  ["ariadne", "hipporag", COOKING],
  ["ariadne", "mem0", HUNT, { memory: { graph: true, refresh: 5 } }],
  ["ariadne", "memgpt", HUNT, { memory: { window: 500 } }],
  ["reflexion", "rag", COOKING],
  ["act", undefined, HOUSE],
  ["act", undefined, WIKI],
  ["react", undefined, HOUSE],
  ["react", undefined, WIKI],
  ["saycan", undefined, LABORATORY],
  ["react-reflexion", undefined, HOUSE],
  ["wese", undefined, HOUSE],
  ["wese", undefined, WIKI],
  ["wese", undefined, LABORATORY],
  ["reasonplanner", undefined, [LABORATORY[0], LABORATORY[1], 4], {
    method: { coreference: "model" },
  }],
  ["graphmind", "room-graph", ROOMS, { method: { actor: "llm" } }],
  ["netplay", undefined, seeded("nethack")],
  ["cot", undefined, SENTENCES],
  ["answer", "arigraph", QUESTIONS, { memory: { texts: "paragraphs", exploration: false } }],
  ["answer", "hipporag", QUESTIONS, { memory: { texts: "paragraphs" } }],
  ["answer", "graphrag", QUESTIONS],
  ["converse", "a-mem", FRIENDS, { memory: { nPrev: 0 } }],
  ["converse", "graphiti", FRIENDS, { memory: { texts: "paragraphs" } }],
  ["converse", "mem0", FRIENDS, { memory: { graph: true } }],
  ["converse", "memgpt", FRIENDS, { memory: { nPrev: 0, window: 500 } }],
];

/** In place of the stand-in's critic, which has nothing to object to within a few steps. */
const OBJECTOR = scripted({
  "*": () => JSON.stringify({ replan: true, reason: "It came otherwise than predicted." }),
}, { id: "objector" });

const STEPS = 12;

export function playsOf(round: number): (PlannedEpisode & { readonly method: string })[] {
  return PLAYS.flatMap(([method, memory, [world, params, inRound = 1], options]) =>
    Array.from({ length: inRound }, (_, i) => ({
      ...{
        method,
        memory,
        options,
        world,
        params: params(round * inRound + i),
        attempt: 1,
        seed: round * inRound + i + 1,
      },
    }))
  );
}

/**
 * Plays a round, but for the plays that ask in none of the wanted roles, and returns what was
 * asked, by role: play by play, in the order of each.
 *
 * @param options `onNotice` is told in one line why a play failed; what was asked before counts
 */
export async function questionsOf(
  round: number,
  wanted: ReadonlySet<string>,
  options: { readonly signal?: AbortSignal; readonly onNotice?: (what: string) => void } = {},
): Promise<Map<string, Question[]>> {
  const { signal, onNotice } = options;
  const asked: Question[][] = [];
  const short = shortened({
    id: `replies-${round}@offline`,
    title: "What every role is asked",
    models: { ...ROLE_MAPS.offline, "reasonplanner/critic": OBJECTOR.id },
    chains: playsOf(round).flatMap((episode, place) =>
      rolesOf(episode).some((role) => wanted.has(role))
        ? [{ id: `${place}`, episodes: [episode] }]
        : []
    ),
  }, STEPS);
  const chains = short.chains.map((chain) => ({
    ...chain,
    episodes: chain.episodes.map((episode) => overheard(episode, asked[Number(chain.id)] ??= [])),
  }));
  using store = openStore(":memory:");
  const worlds = connectWorlds({ signal: signal && (() => signal) });
  try {
    await playStudy({ ...short, chains }, {
      store,
      worlds: withTalk(worlds),
      signal,
      progress: false,
      providers: [localProvider(OBJECTOR)],
      onFailure: ({ id }, error) =>
        onNotice?.(
          `a play failed (${id}): ${error instanceof Error ? error.message : String(error)}`,
        ),
    });
  } finally {
    await worlds.close();
  }
  return Map.groupBy(
    asked.filter((list) => list !== undefined).flat(),
    ({ prompt }) => prompt.role,
  );
}

/** The episode with its registered method, whose questions are noted. */
function overheard(episode: PlannedEpisode, notes: Question[]): PlannedEpisode {
  const { method: id, memory, world, options } = episode;
  const play = `${id}${memory === undefined ? "" : ` + ${memory}`} in ${world}`;
  const entry = METHODS[id as string] as MethodEntry;
  const method: CustomMethod = {
    ...{ id: entry.id, isVersioned: true, prompts: entry.prompts },
    create: (memory) => {
      const own = entry.create({ ...options?.method, ...(memory && { memory }) });
      return {
        id: own.id,
        run: (given) =>
          own.run({
            ...given,
            ask: overhear(given.ask, (question) => void notes.push({ ...question, play })),
          }),
      };
    },
  };
  return { ...episode, method, options: { memory: options?.memory } };
}

/** The same asker; what it is asked, in whatever step, is told before it is. */
function overhear(ask: Asker, tell: (question: Omit<Question, "play">) => void): Asker {
  const heard = (...[prompt, values, options]: Parameters<Asker>): ReturnType<Asker> => {
    tell({
      prompt,
      values: structuredClone(values),
      options: { ...options, extra: structuredClone(options.extra) },
    });
    return ask(prompt, values, options);
  };
  return Object.assign(heard as Asker, {
    model: ask.model,
    sample: ask.sample,
    at: (sample: Asker["sample"]) => overhear(ask.at(sample), tell),
  });
}
