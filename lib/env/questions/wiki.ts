/**
 * An encyclopedia as a world: `search[…]`, `lookup[…]`, `finish[…]` and `think[…]` with the answers of ReAct's environment (Yao et al. 2023,
 * arXiv 2210.03629, §3.1; code only: `wikienv.py` and `wrappers.py` of the authors' repository).
 *
 * @module
 */

import { WorldError } from "../../errors.ts";
import { hashOf } from "../../store/canonical.ts";
import type { AnswerScore } from "../../text/qa-scores.ts";
import type { Document, EnvSpec, MeasuredEnvironment, Turn } from "../environment.ts";
import type { WikiPages } from "./wiki-index.ts";

/** A question or claim, and what counts as right. */
export interface WikiTask {
  /** The set's own id. */
  readonly id: string;
  /** A claim is answered with a label. */
  readonly kind: "question" | "claim";
  /** As it is put. */
  readonly text: string;
  /** The gold answer or label. */
  readonly answer: string;
  /** Other answers that count as right. */
  readonly aliases: readonly string[];
  /** The paragraphs that the set marks as needed. */
  readonly supporting: readonly Document[];
}

/** How a task is put and scored. */
export interface WikiWorldOptions {
  /** In the catalogue, e.g. `wiki/hotpotqa`. */
  readonly id: string;
  /** All of them, defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What search and lookup find. */
  readonly pages: WikiPages;
  /** Paragraphs shown with the task: none, as ReAct plays it, or those that are needed (chain of thought, WESE §4.2.1). */
  readonly documents: "none" | "supporting";
  /** Scores an answer as the set does. */
  readonly scorer: (answer: string, task: WikiTask) => AnswerScore;
}

/** Of the rules of this world; a new one for each change of what it shows or scores. */
const VERSION = "1";
/** Sentences of a page that a search shows, and titles that a miss names. */
const [SENTENCES, TITLES] = [5, 5];

/**
 * Opens a question or claim over pages. Whatever is said is answered, never refused: what is no action with `Invalid action: …`. A search that
 * finds no page leaves the page before it open; one that finds a page begins its look-ups anew.
 *
 * Sections of the last turn: `answer` (as given), `em` and `f1`. The gold answer shows in `truth` alone.
 *
 * @example
 * ```ts
 * import { createWikiPages, openWiki } from "labyrinth/env";
 * import { hotpotScore } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const world = openWiki(
 *   { id: "q1", kind: "question", text: "Where does Tarn lie?", answer: "Ostrea", aliases: [], supporting: [] },
 *   {
 *     id: "wiki/own", parameters: {}, documents: "none",
 *     pages: createWikiPages([{ title: "Tarn", text: "Tarn is a town. It lies in Ostrea." }]),
 *     scorer: (answer, task) => hotpotScore(answer, task.answer),
 *   },
 * );
 * assert.equal((await world.reset()).observation, "Question: Where does Tarn lie?");
 * assert.equal((await world.step("search[Moor]")).observation, "Could not find Moor. Similar: [].");
 * assert.equal((await world.step("search[Tarn]")).observation, "Tarn is a town. It lies in Ostrea..");
 * assert.equal((await world.step("lookup[lies]")).observation, "(Result 1 / 1) It lies in Ostrea..");
 * assert.deepEqual((await world.step("finish[Ostrea]")).end, "won");
 * ```
 */
export function openWiki(task: WikiTask, options: WikiWorldOptions): MeasuredEnvironment {
  const { pages, scorer } = options;
  const text = `${task.kind === "claim" ? "Claim" : "Question"}: ${task.text}`;
  const asked: Turn = {
    goal: text,
    observation: text,
    sections: {},
    ...(options.documents === "supporting" ? { documents: task.supporting } : {}),
    frames: [],
    score: 0,
    maxScore: 1,
  };
  let last: Turn | undefined;
  let closed = false;
  let page = "";
  let lookup: { readonly keyword: string; readonly found: readonly string[]; next: number } | undefined;

  function answered(action: string): Turn {
    const [, verb, argument = ""] = action.match(/^(search|lookup|finish|think)\[([\s\S]*)\]$/) ?? [];
    switch (verb) {
      case "search":
        return say(search(argument));
      case "lookup":
        return say(lookUp(argument));
      case "think":
        return say("Nice thought.");
      case "finish":
        return finished(argument);
      default:
        return say(`Invalid action: ${action}`);
    }
  }

  function say(observation: string): Turn {
    return { ...asked, observation };
  }

  function search(entity: string): string {
    const found = pages.find(entity);
    if (!found) return `Could not find ${entity}. Similar: ${pythonList(pages.similar(entity, TITLES))}.`;
    page = found.text;
    lookup = undefined;
    return sentencesOf(page).slice(0, SENTENCES).join(" ");
  }

  function lookUp(keyword: string): string {
    if (lookup?.keyword !== keyword) {
      const found = sentencesOf(page).filter((sentence) => sentence.toLowerCase().includes(keyword.toLowerCase()));
      lookup = { keyword, found, next: 0 };
    }
    const sentence = lookup.found[lookup.next];
    if (sentence === undefined) return "No more results.\n";
    lookup.next += 1;
    return `(Result ${lookup.next} / ${lookup.found.length}) ${sentence}`;
  }

  function finished(answer: string): Turn {
    const { em, f1 } = scorer(answer, task);
    return {
      ...asked,
      observation: `Episode finished, reward = ${em}\n`,
      sections: { answer, em: String(em), f1: String(f1) },
      score: em,
      end: em === 1 ? "won" : "lost",
    };
  }

  function checkOpen(): void {
    if (closed) throw new WorldError("unknown-session", `${options.id} has been closed; open it anew`);
  }

  return {
    spec: specOf(options, hashOf({ task, pages: pages.identity, documents: options.documents })),
    reset: () =>
      attempt(() => {
        checkOpen();
        [page, lookup, last] = ["", undefined, asked];
        return asked;
      }),
    step: (action) =>
      attempt(() => {
        checkOpen();
        if (!last) throw new WorldError("out-of-order", `${options.id} has not been reset; call reset first`);
        if (last.end) throw new WorldError("ended", `${options.id} has been answered; reset it to answer again`);
        const said = action.trim();
        last = answered(said.slice(0, 1).toLowerCase() + said.slice(1));
        return last;
      }),
    validActions: () => attempt(() => void checkOpen()),
    truth: () =>
      attempt(() => {
        checkOpen();
        return { id: task.id, answer: task.answer, aliases: task.aliases, supporting: task.supporting.map(({ title }) => title) };
      }),
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

/** A page's sentences as ReAct's environment parts them: at ". ", each ended by a full stop again, the last of a paragraph by one more. */
function sentencesOf(page: string): string[] {
  return page.split("\n").flatMap((paragraph) => paragraph.trim().split(". "))
    .map((sentence) => sentence.trim()).filter((sentence) => sentence !== "").map((sentence) => `${sentence}.`);
}

/** A list of texts as Python prints it. */
function pythonList(texts: readonly string[]): string {
  return `[${
    texts.map((text) => {
      const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
      return `${quote}${text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll(quote, `\\${quote}`)}${quote}`;
    }).join(", ")
  }]`;
}

function specOf({ id, parameters }: WikiWorldOptions, identity: string): EnvSpec {
  const form = (verb: string, param: string, description: string, explores: boolean): EnvSpec["actions"][number] => ({
    name: `${verb}[{${param}}]`,
    params: [param],
    description,
    explores,
  });
  return {
    id,
    version: VERSION,
    parameters,
    sections: ["answer", "em", "f1"],
    actions: [
      form("search", "entity", "the first sentences of the page on it, or the titles of similar pages", true),
      form("lookup", "keyword", "the next sentence with it on the page found last", true),
      form("finish", "answer", "give the answer (of a claim: SUPPORTS, REFUTES or NOT ENOUGH INFO) and end", false),
      form("think", "thought", "think", false),
    ],
    fallback: "think[]",
    identity,
  };
}

/** A promise of what the function gives or throws. */
function attempt<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => resolve(act()));
}
