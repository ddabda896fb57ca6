import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  countWords,
  hotpotScore,
  musiqueScore,
  normaliseAnswer,
  pooledScore,
} from "../../../lib/core/text/qa-scores.ts";
import type { WordCounts } from "../../../lib/mod.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";

const LOG = join(checkoutRoot(), "..", "shared", "arigraph", "logs", "musique_gpt_mini.txt");
const missing = !existsSync(LOG);
if (missing) process.stdout.write("skipped: the authors' MuSiQue log is not at hand\n");

Deno.test("normaliseAnswer() drops case, ASCII punctuation, articles as whole words and spare white space", () => {
  assert.equal(normaliseAnswer("  The\tAn-thology,  of a Theatre. "), "anthology of theatre");
  assert.equal(normaliseAnswer("U.S."), "us");
  assert.equal(normaliseAnswer("Vitamin A"), "vitamin");
  assert.equal(normaliseAnswer("Thé à la menthe – a drink"), "thé à la menthe – drink"); // neither accents nor long dashes
  assert.equal(normaliseAnswer("the"), "");
  assert.equal(normaliseAnswer("à_a a_b"), "àa ab"); // the underscore is punctuation and goes first
});

Deno.test("hotpotScore() gives no F1 where one side is yes, no or noanswer and the other is not", () => {
  const cases: [string, string, number, number][] = [
    ["yes", "Yes.", 1, 1],
    ["yes", "no", 0, 0],
    ["yes indeed", "yes", 0, 0],
    ["no", "no one", 0, 0],
    ["noanswer", "noanswer", 1, 1],
    ["yes we can", "yes they can", 0, 2 / 3], // only a whole answer is closed
    ["the Beatles", "Beatles", 1, 1],
    ["a red red rose", "red rose rose", 0, 2 / 3], // words count as often as both sides have them
    ["Paris", "London", 0, 0],
    ["", "", 1, 0], // nothing is shared
    ["", "Paris", 0, 0],
  ];
  for (const [answer, gold, em, f1] of cases) {
    assert.deepEqual(hotpotScore(answer, gold), { em, f1 }, `${answer} | ${gold}`);
  }
});

Deno.test("musiqueScore() takes the best over the aliases, each score for itself, and knows no closed answers", () => {
  const cases: [string, string[], number, number][] = [
    ["New York City", ["NYC", "New York City"], 1, 1],
    ["the York", ["NYC", "New York"], 0, 2 / 3],
    ["yes indeed", ["yes"], 0, 2 / 3],
    ["the", ["a"], 1, 1], // both are empty
    ["the", ["Paris"], 0, 0],
    ["Paris", ["the"], 0, 0],
    ["a b c", ["c", "b c d e"], 0, 2 / 3],
  ];
  for (const [answer, golds, em, f1] of cases) {
    assert.deepEqual(musiqueScore(answer, golds), { em, f1 }, `${answer} | ${golds}`);
  }
  assert.throws(() => musiqueScore("Paris", []), RangeError);
});

Deno.test("countWords() strips marks from both ends of words and keeps articles, as the authors' scorer", () => {
  const cases: [string, string, ReturnType<typeof countWords>][] = [
    ['Direct answer: x. Direct answer: "The U.S."', "the U.S.", {
      shared: 2,
      answered: 2,
      wanted: 2,
      equal: 1,
    }],
    ["The U.S.", "the US", { shared: 1, answered: 2, wanted: 2, equal: 0 }], // a dot within a word stays
    ["Direct answer: `Dovber` 'Schneuri'?", "Dovber Schneuri", {
      shared: 2,
      answered: 2,
      wanted: 2,
      equal: 1,
    }],
    ["in (London), England", "London, England", { shared: 1, answered: 3, wanted: 2, equal: 0 }], // other marks stay
    ["yes ? no", "yes no", { shared: 2, answered: 3, wanted: 2, equal: 0 }], // a mark alone is an empty word
    ["\ufeffParis now", "Paris", { shared: 0, answered: 2, wanted: 1, equal: 0 }], // U+FEFF is no white space in Python
  ];
  for (const [answer, gold, counts] of cases) {
    assert.deepEqual(countWords(answer, gold), counts, answer);
  }
  assert.deepEqual(countWords("the the cat", "The cat"), {
    shared: 2,
    answered: 3,
    wanted: 2,
    equal: 0,
  });
  assert.deepEqual(countWords("", ""), { shared: 0, answered: 0, wanted: 0, equal: 1 });
});

Deno.test("pooledScore() lets long answers weigh more than a mean over questions does", () => {
  const counts = [countWords("one two three", "one two three"), countWords("four", "five")];
  assert.deepEqual(pooledScore(counts), { em: 0.5, f1: 0.75, precision: 0.75, recall: 0.75 });
  assert.deepEqual(pooledScore([countWords("", "")]), {
    em: 1,
    f1: NaN,
    precision: NaN,
    recall: NaN,
  }); // 0 / 0 is nan in the logs
  assert.deepEqual(pooledScore([countWords("Rabbi Shneur", "Dovber")]), {
    em: 0,
    f1: NaN,
    precision: 0,
    recall: 0,
  });
  assert.throws(() => pooledScore([]), RangeError);
});

Deno.test({
  name: "pooledScore() is every score that the authors logged, to the last digit",
  ignore: missing,
  fn: () => {
    const log = readFileSync(LOG, "utf8").replaceAll("\r\n", "\n");
    const answers = log.matchAll(
      /^AGENT ANSWER: ([\s\S]*?)\nTRUE ANSWER: (.*)\nF1: (\S+), RECALL: (\S+), PRECISION: (\S+), EXACT MATCH: (\S+)$/gm,
    );
    const counts: WordCounts[] = [];
    for (const [, answer = "", gold = "", ...logged] of answers) {
      counts.push(countWords(answer, gold));
      const { f1, recall, precision, em } = pooledScore(counts);
      assert.deepEqual(
        [f1, recall, precision, em],
        logged.map(Number),
        `question ${counts.length}`,
      );
    }
    assert.equal(counts.length, 200);
    assert.equal(counts.length, log.match(/^F1: /gm)?.length);
  },
});
