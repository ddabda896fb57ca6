/** How a model answers every role: real questions, asked again. */

import { mean, sum } from "simple-statistics";
import { matchAction } from "../../core/agent/ground-action.ts";
import { ModelError } from "../../core/errors.ts";
import { createAsker } from "../../core/llm/asker.ts";
import type { ChatModel, ChatReply } from "../../core/llm/chat-model.ts";
import type { TextTable } from "../../core/text/written.ts";
import { type Question, questionsOf } from "./reply-plays.ts";

/** What came of one question of a play; tokens and seconds are of all requests for the answer. */
export interface Asked {
  readonly role: string;
  readonly play: string;
  /** The last reply, and what is wrong with it where it is malformed, or why there is none. */
  readonly reply: string;
  readonly problem?: string;
  readonly malformedAtFirst: boolean;
  readonly malformed: boolean;
  /** Whether a reply was cut at the ceiling. */
  readonly cut: boolean;
  /**
   * Whether an action is none of those that the prompt enumerates; absent where it enumerates none.
   */
  readonly impossible?: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly seconds: number;
}

/** Questions of each role until `isOver`; `onAsked` receives all answers so far. */
interface RepliesOptions {
  readonly roles: readonly string[];
  readonly asks: number;
  readonly signal?: AbortSignal;
  readonly isOver?: () => boolean;
  readonly onAsked?: (all: readonly Asked[]) => void;
  readonly onNotice?: (what: string) => void;
}

/** Most rounds of plays, and questions of a role taken from each, so that several games occur. */
const [ROUNDS, FROM_EACH] = [20, 10];
/** Questions of a role in a row: a server keeps their common instructions. */
const IN_A_ROW = 3;

/**
 * Asks questions of each role, spread over plays and steps, with the form, tools, re-asks and
 * reader of the role. The first questions are the same for any number of them.
 */
export async function measureReplies(model: ChatModel, options: RepliesOptions): Promise<Asked[]> {
  const { asks, signal, isOver, onAsked } = options;
  const questions = await collect(options);
  const all: Asked[] = [];
  for (let from = 0; from < asks; from += IN_A_ROW) {
    for (const list of questions) {
      for (const question of list.slice(from, Math.min(from + IN_A_ROW, asks))) {
        signal?.throwIfAborted();
        if (isOver?.()) return all;
        all.push(await askAgain(model, question, signal));
        onAsked?.(all);
      }
    }
  }
  return all;
}

/** The questions of each role, as many as are wanted where the rounds have them. */
async function collect({ roles, asks, signal, onNotice }: RepliesOptions): Promise<Question[][]> {
  const found = new Map<string, Map<string, Question>>(roles.map((role) => [role, new Map()]));
  for (let round = 0; round < ROUNDS; round++) {
    const wanting = new Set(roles.filter((role) => (found.get(role)?.size ?? 0) < asks));
    if (wanting.size === 0) break;
    onNotice?.(`round ${round + 1} of the stand-in's plays, for ${wanting.size} roles`);
    const asked = await questionsOf(round, wanting, { signal, onNotice });
    for (const role of wanting) {
      const own = found.get(role) as Map<string, Question>;
      const fresh = new Map((asked.get(role) ?? []).map((question) => [keyOf(question), question]));
      for (const key of own.keys()) fresh.delete(key);
      for (const [key, question] of spread([...fresh]).slice(0, FROM_EACH)) own.set(key, question);
    }
  }
  return Array.from(found.values(), (own) => [...own.values()]);
}

function keyOf({ prompt, values, options: { extra } }: Question): string {
  return JSON.stringify([prompt, values, extra]);
}

/** Reorders items by the golden section, so that the first few are far apart. */
export function spread<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap((_, index) =>
    left.splice(Math.floor((index * GOLDEN) % 1 * left.length), 1)
  );
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

async function askAgain(
  model: ChatModel,
  question: Question,
  signal?: AbortSignal,
): Promise<Asked> {
  const { prompt, values, options, play } = question;
  const replies: ChatReply[] = [];
  const watched: ChatModel = {
    id: model.id,
    chat: async (request) => {
      const reply = await model.chat(request);
      replies.push(reply);
      return reply;
    },
  };
  const answer = await createAsker({ model: watched, signal })(prompt, values, {
    ...options,
    vote: undefined,
  }).catch((error) => {
    if (error instanceof ModelError && error.kind !== "no-endpoint") {
      return { kind: "none", problem: error.message, text: "", asked: 1 } as const;
    }
    throw error;
  });
  const total = (count: (reply: ChatReply) => number): number => sum(replies.map(count));
  return {
    role: prompt.role,
    play,
    reply: answer.text,
    problem: answer.kind === "ok" ? undefined : answer.problem,
    malformedAtFirst: answer.asked > 1 || answer.kind === "malformed",
    malformed: answer.kind === "malformed",
    cut: replies.some(({ choices }) => choices.some(({ finish }) => finish === "length")),
    impossible: answer.kind === "ok" ? isImpossible(values["actions"], answer.value) : undefined,
    promptTokens: total(({ usage }) => usage.prompt),
    completionTokens: total(({ usage }) => usage.completion),
    seconds: total(({ latencyMs = 0 }) => latencyMs) / 1000,
  };
}

/**
 * Whether an action is not among the listed ones; `undefined` where forms (`go to {place}`) or
 * nothing is listed.
 */
export function isImpossible(
  listed: string | readonly string[] | undefined,
  value: unknown,
): boolean | undefined {
  const lines = [listed ?? []].flat().flatMap((text) => text.split("\n"));
  if (lines.length === 0 || lines.some((line) => line.includes("{"))) return undefined;
  const possible = lines.map((line) => line.split(": ")[0] as string);
  const { action, actions = action ?? value } = (value ?? {}) as {
    readonly action?: unknown;
    readonly actions?: unknown;
  };
  const wanted = [actions].flat().filter((one) => typeof one === "string");
  return wanted.some((one) => matchAction(one, possible) === undefined);
}

export function repliesTable(all: readonly Asked[], model: string): TextTable {
  const rows = [...Map.groupBy(all, ({ role }) => role)].sort(([a], [b]) => a < b ? -1 : 1).map(
    ([role, own]) => {
      const count = (is: (asked: Asked) => boolean | undefined): string =>
        `${own.filter(is).length}`;
      const average = (value: (asked: Asked) => number, digits = 0): string =>
        mean(own.map(value)).toFixed(digits);
      const enumerates = own.some(({ impossible }) => impossible !== undefined);
      return [
        ...[
          role,
          `${own.length}`,
          count((asked) => asked.malformedAtFirst),
          count((asked) => asked.malformed),
          count((asked) => asked.cut),
        ],
        ...[
          enumerates ? count((asked) => asked.impossible) : "–",
          count(({ problem, malformed }) => problem !== undefined && !malformed),
        ],
        ...[
          average((asked) => asked.promptTokens),
          average((asked) => asked.completionTokens),
          average((asked) => asked.seconds, 1),
        ],
      ];
    },
  );
  return {
    ...{ title: `Replies of ${model} by role`, rows },
    columns: [
      ...[
        "role",
        "asks",
        "malformed at first",
        "malformed after re-asks",
        "cut at the ceiling",
        "impossible actions",
        "without reply",
      ],
      ...["tokens in", "tokens out", "seconds"],
    ],
    caption:
      "Questions from short plays of the stand-in, put again with the form, tools, re-asks and reader of each role. Impossible: of " +
      "enumerated actions. Tokens and seconds: means of a question, re-asks included.",
  };
}
