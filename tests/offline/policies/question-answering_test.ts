import assert from "node:assert/strict";
import { createEncyclopedia } from "../../../lib/mod.ts";
import { readProse } from "../../../lib/offline/reading/encyclopedia-text.ts";
import { followQuestion, namesIn } from "../../../lib/offline/policies/question-answering.ts";

function facts(text: string): string[] {
  return readProse(text).map(({ subject, relation, object }) =>
    `${subject}, ${relation}, ${object}`
  );
}

Deno.test("prose is read whatever way a fact is said", () => {
  assert.deepEqual(
    facts(
      "The Old Man\nThe Old Man is a short novel written by Ann Lee in 1951. Its publisher was Hart & Sons.",
    ),
    [
      "the old man, written by, ann lee",
      "the old man, by, ann lee",
      "the old man, is, short novel",
      "the old man, publisher, hart",
    ],
  );
  assert.ok(
    facts("Ann Lee\nBorn in New York in 1901, Ann Lee studied at Ohio College and married Tom Ray.")
      .includes("ann lee, born in, new york"),
  );
  assert.ok(
    facts("Ann Lee\nAnn Lee (born 1901 in Bath) was a poet.").includes("ann lee, born in, bath"),
  );
  assert.ok(
    facts("Ohio College\nOhio College is a college. Ann Lee founded the college in 1930.").includes(
      "ann lee, founded, ohio college",
    ),
  );
  assert.ok(
    facts("Ohio\nOhio is a state. The dime is its currency.").includes("ohio, currency, dime"),
  );
  assert.deepEqual(facts(""), []);
  assert.deepEqual(facts("Ann Lee\nNobody knows."), []);
});

Deno.test("pronouns stand for the thing that the text is about, and for no other", () => {
  const told = facts(
    "Ann Lee\nAnn Lee was a poet. Her husband was Tom Ray. She was taught by May Fox.",
  );
  assert.deepEqual(told, [
    "ann lee, is, poet",
    "ann lee, husband, tom ray",
    "ann lee, taught by, may fox",
  ]);
});

Deno.test("questions are followed through nested phrases", () => {
  const known = [
    "the old man, was written by, ann lee",
    "ann lee, was born in, bath",
    "bath, lies in, england",
    "london, is the capital of, nowhere",
    "england, capital, london",
    "tom ray, husband of, ann lee",
    "tom ray, studied at, ohio college",
    "ohio college, was founded by, may fox",
  ].map((line) => {
    const [subject = "", relation = "", object = ""] = line.split(", ");
    return { subject, relation, object };
  });
  const cases: [string, string | undefined][] = [
    ["Who wrote The Old Man?", "ann lee"],
    ["Where was the author of The Old Man born?", "bath"],
    ["In which country was the author of The Old Man born?", "england"],
    [
      "What is the capital of the country in which the birthplace of the person who wrote The Old Man lies?",
      "london",
    ],
    ["Who founded the school where the husband of the author of The Old Man studied?", "may fox"],
    ["Who is The Old Man's author's husband?", "tom ray"],
    ["Where did the person married to Ann Lee study?", "ohio college"],
    ["Who wrote The Young Man?", undefined],
    ["How tall was Ann Lee?", undefined],
    ["", undefined],
  ];
  for (const [question, wanted] of cases) {
    assert.equal(followQuestion(question, known).answer, wanted, question);
  }
});

Deno.test("the names in a question are what it starts from", () => {
  assert.deepEqual(namesIn("Where was the author of The Old Man and the Sea born?"), [
    "The Old Man and the Sea",
  ]);
  assert.deepEqual(namesIn("How many people did Ann Lee meet in New York?"), [
    "Ann Lee",
    "New York",
  ]);
});

Deno.test("all questions of a fresh encyclopedia can be read, and all their facts stand in the prose", () => {
  for (const seed of [11, 12]) {
    for (const { question, answer, paragraphs } of createEncyclopedia({ seed }).questions) {
      const known = paragraphs.flatMap(({ title, text }) => readProse(`${title}\n${text}`));
      assert.equal(
        followQuestion(question, known).answer?.toLowerCase(),
        answer.toLowerCase(),
        question,
      );
    }
  }
});
