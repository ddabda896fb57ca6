import assert from "node:assert/strict";
import { createEncyclopedia } from "../../../../lib/mod.ts";

const SEEDS = [0, 1, 2, 3, 4];

Deno.test("createEncyclopedia() is the same for the same seed, and another for another", () => {
  assert.deepEqual(createEncyclopedia({ seed: 1 }), createEncyclopedia({ seed: 1 }));
  assert.notDeepEqual(createEncyclopedia({ seed: 1 }).pages, createEncyclopedia({ seed: 2 }).pages);
});

Deno.test("every question has its paragraphs once each, as many supporting ones as hops, and 2, 3, 4 hops in turn", () => {
  for (const seed of SEEDS) {
    const { questions, pages } = createEncyclopedia({ seed });
    assert.equal(questions.length, 60);
    assert.equal(new Set(pages.map(({ title }) => title)).size, pages.length);
    assert.equal(
      new Set(questions.map(({ question, answer }) => `${question} ${answer}`)).size,
      60,
      "no question twice",
    );
    for (const [index, { hops, chain, paragraphs }] of questions.entries()) {
      assert.equal(hops, 2 + index % 3);
      assert.equal(new Set(paragraphs.map(({ title }) => title)).size, 20);
      const supporting = paragraphs.filter((paragraph) => paragraph.supporting).map(({ title }) =>
        title
      );
      assert.deepEqual(new Set(supporting), new Set(chain.slice(0, -1)));
    }
  }
});

Deno.test("each supporting page tells the next thing of the chain, and the question gives away the first alone", () => {
  for (const seed of SEEDS) {
    for (const { question, chain, paragraphs, answer } of createEncyclopedia({ seed }).questions) {
      for (const [at, title] of chain.slice(0, -1).entries()) {
        const page = paragraphs.find((paragraph) => paragraph.title === title);
        assert.ok(page?.text.includes(chain[at + 1] as string), `${title} tells ${chain[at + 1]}`);
      }
      assert.equal(answer, chain.at(-1));
      assert.ok(question.includes(chain[0] as string));
      for (const later of chain.slice(1)) {
        assert.ok(!question.includes(later), `${question} gives away ${later}`);
      }
    }
  }
});

Deno.test("createEncyclopedia() refuses sizes out of range", () => {
  for (
    const wrong of [{ questions: 0 }, { questions: 1.5 }, { paragraphs: 3 }, { paragraphs: 41 }]
  ) {
    assert.throws(() => createEncyclopedia({ seed: 1, ...wrong }), RangeError);
  }
});
