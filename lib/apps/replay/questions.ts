/** Replays the published runs of AriGraph on questions (MuSiQue, HotpotQA). */

import { UsageError } from "../../core/errors.ts";
import { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import { parseEntities } from "../../core/memory/arigraph-replies.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { countWords, pooledScore, type WordCounts } from "../../core/text/qa-scores.ts";
import { itemsAsLogged, loggedAsker, tripletAsWritten } from "./answers.ts";
import { parseStrings } from "./python-value.ts";
import { faultsOf } from "./recalls.ts";
import { Findings, type LogReport } from "./report.ts";

/** Paragraphs of a question; some logs begin a question twice. */
const PARAGRAPHS = 20;
const DEEPEST = 3;

/** Whether a log is of questions: it begins with triplets, not with an attempt. */
export function isQuestionLog(text: string): boolean {
  return /^\s*New triplets: /.test(text);
}

/**
 * Replays a log of questions: our memory learns the logged triplets of each question's paragraphs,
 * and the logged recall is compared with it. The answers get the authors' pooled score, which is
 * the log's reward.
 *
 * @throws {UsageError} if a line in the middle cannot be read.
 */
export async function replayQuestions(text: string, file: string): Promise<LogReport> {
  const findings = new Findings();
  const lines = text.split(/\r?\n/);
  const last = lines.findLastIndex((line) => line.trim() !== "");
  let paragraphs: string[][] = [];
  let question = 0;
  let items: ReadonlyMap<string, number> = new Map();
  let answer: string[] | undefined;
  let gold = "";
  const counts: WordCounts[] = [];
  for (const [index, line] of lines.entries()) {
    const [, name, rest = ""] = line.match(FIELD) ?? [];
    if (name === "QUESTION") question++;
    if (name === "AGENT ANSWER") answer = [rest];
    else if (name === "TRUE ANSWER") gold = rest;
    else if (gold === "" && name === undefined) answer?.push(line);
    const here = findings.at(1, question);
    try {
      if (name === "New triplets") {
        paragraphs = [...paragraphs, parseStrings(rest)].slice(-PARAGRAPHS);
      }
      if (name === "CRUCIAL ITEMS") {
        items = itemsAsLogged(rest);
        const ours = parseEntities(DEEPEST)(rest);
        const wanted = [...items].map((
          [entity, importance],
        ): [string, number] => [entity.trim(), Math.ceil(importance)]);
        here.hold(
          "parsing",
          wanted.toSorted(),
          ours.kind === "ok" ? [...ours.value].sort() : ours.problem,
        );
      }
      if (name === "F1" && answer) {
        counts.push(countWords(answer.join("\n"), gold));
        const { f1, recall, precision, em } = pooledScore(counts);
        here.hold(
          "reward",
          line,
          `F1: ${float(f1)}, RECALL: ${float(recall)}, PRECISION: ${
            float(precision)
          }, EXACT MATCH: ${float(em)}`,
        );
        [answer, gold] = [undefined, ""];
      }
      if (name === "ASSOCIATED SUBGRAPH") {
        const [recalled, graph] = [parseStrings(rest), await learn(paragraphs)];
        here.hold(
          "recalled",
          faultsOf({ recalled, fresh: [], graph, items, length: undefined }).join("; "),
          "",
        );
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (index < last) {
        throw new UsageError(
          `cannot replay ${file}: line ${
            index + 1
          } cannot be read: ${error.message}; give the log as published`,
        );
      }
      here.note("recalled", line.slice(-40), error.message, "truncated-log");
    }
  }
  const about = { file, game: "", attempts: 1, versions: ["questions"], rewardRules: [] };
  return findings.report({ ...about, steps: question });
}

const FIELD =
  /^(New triplets|QUESTION|CRUCIAL ITEMS|ASSOCIATED SUBGRAPH|EPISODIC MEMORY|AGENT ANSWER|TRUE ANSWER|F1): (.*)$/;

function float(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** The graph of our memory after reading the paragraphs; nothing becomes stale among them. */
async function learn(paragraphs: readonly (readonly string[])[]): Promise<KnowledgeGraph> {
  let answers = {};
  const memory = createAriGraph({ stale: false, deepest: DEEPEST })({
    ask: loggedAsker(() => answers),
    embedder: createLexicalEmbedder(),
  });
  for (const [index, triplets] of paragraphs.entries()) {
    answers = { "arigraph/extract": triplets.map(tripletAsWritten) };
    await memory.observe({ step: index + 1, goal: "", observation: "" });
  }
  return memory.graph ?? new KnowledgeGraph();
}
