/**
 * An encyclopedia as a world: `search[…]`, `lookup[…]`, `finish[…]` and `think[…]` with the answers
 * of ReAct's environment (Yao et al. 2023, arXiv 2210.03629, §3.1; code only: `wikienv.py` and
 * `wrappers.py` of the authors' repository).
 */

import { hashOf } from "../../text/canonical.ts";
import type { AnswerScore } from "../../text/qa-scores.ts";
import type { Document, EnvSpec, MeasuredEnvironment, Turn } from "../environment.ts";
import type { Question } from "./question.ts";
import { createTaskSession, truthOf } from "./task-session.ts";
import type { WikiPages } from "./wiki-index.ts";
import type { QuestionWorldOptions } from "./world.ts";

export interface WikiTask extends Pick<Question, "id" | "answer" | "aliases"> {
  readonly kind: "question" | "claim";
  readonly text: string;
  readonly supporting: readonly SupportingPage[];
}

export interface SupportingPage extends Document {
  /**
   * The sentences of it that the set marks as needed; absent if the set marks whole paragraphs
   * alone.
   */
  readonly sentences?: readonly string[];
}

export interface WikiWorldOptions extends Pick<QuestionWorldOptions, "id" | "parameters"> {
  readonly pages: WikiPages;
  /**
   * Texts shown with the task: none, as ReAct plays it, the needed sentences (chain of thought,
   * WESE §4.2.1), or the paragraphs around them.
   */
  readonly documents: "none" | "sentences" | "supporting";
  readonly scorer: (answer: string, task: WikiTask) => AnswerScore;
}

/** Version of this world's rules; each change of what it shows or scores gets a new one. */
const VERSION = "1";
/** Sentences of a page that a search shows, and titles that a miss names. */
const [SENTENCES, TITLES] = [5, 5];

/**
 * Opens a question or claim over pages. Every action is answered: text that is not an action gets
 * `Invalid action: …`. A failed search keeps the page before it; a successful one restarts its
 * look-ups. The last turn has the sections `answer` (as given), `em` and `f1`. Only `truth` shows
 * the gold answer.
 */
export function openWiki(task: WikiTask, options: WikiWorldOptions): MeasuredEnvironment {
  const { pages, scorer } = options;
  const text = `${task.kind === "claim" ? "Claim" : "Question"}: ${task.text}`;
  const asked: Turn = {
    goal: text,
    observation: text,
    sections: {},
    ...(options.documents === "none" ? {} : { documents: shownPages(task, options.documents) }),
    frames: [],
    score: 0,
    maxScore: 1,
  };
  let browser = openBrowser(pages);

  function answer(action: string): Turn {
    const [, verb, argument = ""] = action.match(/^(search|lookup|finish|think)\[([\s\S]*)\]$/) ??
      [];
    switch (verb) {
      case "search":
        return { ...asked, observation: browser.search(argument) };
      case "lookup":
        return { ...asked, observation: browser.lookup(argument) };
      case "think":
        return { ...asked, observation: "Nice thought." };
      case "finish":
        return finished(argument);
      default:
        return { ...asked, observation: `Invalid action: ${action}` };
    }
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

  return createTaskSession({
    spec: specOf(options, identityOf(task, options)),
    name: options.id,
    asked,
    begin: () => browser = openBrowser(pages),
    answer: (action) => answer(action.trim().replace(/^./s, (first) => first.toLowerCase())),
    truth: truthOf(task),
  });
}

function shownPages({ supporting }: WikiTask, documents: "sentences" | "supporting"): Document[] {
  return supporting.map(({ title, text, sentences }) => ({
    title,
    text: documents === "sentences" && sentences ? sentences.join(" ") : text,
  }))
    .filter(({ text }) => text !== "");
}

function identityOf(
  { supporting, ...task }: WikiTask,
  { pages, documents }: WikiWorldOptions,
): string {
  const paragraphs = supporting.map(({ title, text }) => ({ title, text }));
  const sentences = documents === "sentences"
    ? supporting.map(({ sentences }) => sentences)
    : undefined;
  return hashOf({
    task: { ...task, supporting: paragraphs },
    pages: pages.identity,
    documents,
    ...(sentences ? { sentences } : {}),
  });
}

function openBrowser(
  pages: WikiPages,
): { search(entity: string): string; lookup(keyword: string): string } {
  let page = "";
  let last:
    | { readonly keyword: string; readonly found: readonly string[]; next: number }
    | undefined;
  return {
    search(entity): string {
      const found = pages.find(entity);
      if (!found) {
        return `Could not find ${entity}. Similar: ${pythonList(pages.similar(entity, TITLES))}.`;
      }
      page = found.text;
      last = undefined;
      return sentencesOf(page).slice(0, SENTENCES).join(" ");
    },
    lookup(keyword): string {
      if (last?.keyword !== keyword) {
        const found = sentencesOf(page).filter((sentence) =>
          sentence.toLowerCase().includes(keyword.toLowerCase())
        );
        last = { keyword, found, next: 0 };
      }
      const sentence = last.found[last.next];
      if (sentence === undefined) return "No more results.\n";
      last.next += 1;
      return `(Result ${last.next} / ${last.found.length}) ${sentence}`;
    },
  };
}

/**
 * Splits a page into sentences as ReAct's environment does: at ". ", with a full stop put back
 * after each, so that a paragraph ends in two.
 */
function sentencesOf(page: string): string[] {
  return page.split("\n").flatMap((paragraph) => paragraph.trim().split(". "))
    .map((sentence) => sentence.trim()).filter((sentence) => sentence !== "").map((sentence) =>
      `${sentence}.`
    );
}

function pythonList(texts: readonly string[]): string {
  return `[${
    texts.map((text) => {
      const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
      return `${quote}${
        text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll(quote, `\\${quote}`)
      }${quote}`;
    }).join(", ")
  }]`;
}

function specOf({ id, parameters }: WikiWorldOptions, identity: string): EnvSpec {
  const form = (
    verb: string,
    param: string,
    description: string,
    explores: boolean,
  ): EnvSpec["actions"][number] => ({
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
      form(
        "search",
        "entity",
        "the first sentences of the page on it, or the titles of similar pages",
        true,
      ),
      form("lookup", "keyword", "the next sentence with it on the page found last", true),
      form(
        "finish",
        "answer",
        "give the answer (of a claim: SUPPORTS, REFUTES or NOT ENOUGH INFO) and end",
        false,
      ),
      form("think", "thought", "think", false),
    ],
    fallback: "think[]",
    identity,
  };
}
