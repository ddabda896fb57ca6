/** A-MEM by hand, and against a literal transcription of §3: notes, links, evolution and recall. */

import assert from "node:assert/strict";
import { type AMemOptions, createAMem, type Embedder, type Memory } from "../../../../lib/mod.ts";
import type { ScriptedResponder } from "../../../../lib/core/llm/scripted.ts";
import { createDraw } from "../../../../lib/core/random.ts";
import { under } from "../../agent/recording.ts";
import { context, section, shown, walk as see } from "../house.ts";
import { byWord } from "../vectors.ts";

interface Note {
  time: number;
  content: string;
  keywords: string[];
  context: string;
  tags: string[];
  links: number[];
}

const NOTHING = '{"links": [], "tags": [], "neighbours": []}';

/** A memory whose notes have no attributes and do not evolve, unless the replies say otherwise. */
function fresh(
  options: AMemOptions,
  replies: Readonly<Record<string, ScriptedResponder>> = {},
  embedder: Embedder = VECTORS,
): {
  readonly memory: Memory;
  readonly neighbours: () => readonly string[];
} {
  const asked = context(
    under("a-mem", {
      note: () => '{"keywords": [], "context": "", "tags": []}',
      evolve: () => NOTHING,
      ...replies,
    }),
    embedder,
  );
  return {
    memory: createAMem(options)(asked),
    neighbours: () => shown(asked, "a-mem/evolve", "Nearest neighbours"),
  };
}

async function walk(memory: Memory, seen: readonly string[]): Promise<Note[]> {
  await see(memory, seen);
  return memory.save().body as Note[];
}

async function recalled(memory: Memory, step: number): Promise<string[]> {
  const { recalled } = await memory.recall({
    step,
    goal: "",
    observation: "Fog.",
    plan: "the cue",
  });
  return (recalled?.["episodes"] ?? []).map((text) => text.split("\n")[1] ?? "");
}

// Cosines with the cue and with apple: apple 1, plum 0.8, pear 0.6, nut 0.
const VECTORS = byWord({ apple: [2, 0], plum: [4, 3], pear: [3, 4], nut: [0, 5], cue: [1, 0] });

Deno.test("createAMem() shows a new note its nearest earlier notes and lets it link to them and describe them anew", async () => {
  const attributes = ({ messages }: { messages: readonly { content: unknown }[] }): string => {
    const word = String(messages.at(-1)?.content).match(/(plum|pear|nut|apple)/)?.[1];
    return JSON.stringify({ keywords: [word], context: `About a ${word}.`, tags: ["fruit"] });
  };
  const evolve = (request: Parameters<ScriptedResponder>[0]): string =>
    section(request, "New note").includes("apple")
      ? JSON.stringify({
        links: [2, 7, 1.5, 2, 0],
        tags: ["red fruit"],
        neighbours: [{ number: 1, context: "Near an apple.", tags: ["sweet"] }, {
          number: 3,
          context: "Nobody.",
          tags: [],
        }],
      })
      : NOTHING;
  const { memory, neighbours } = fresh({ near: 2 }, { note: attributes, evolve });
  const notes = await walk(memory, ["a nut", "a pear", "a plum", "an apple"]);
  assert.equal(
    neighbours().at(-1),
    "Note 1\nGame step #3\na plum\nContext: About a plum.\nKeywords: plum\nTags: fruit\n\n" +
      "Note 2\nGame step #2\na pear\nContext: About a pear.\nKeywords: pear\nTags: fruit",
    "plum 0.8, pear 0.6; the nut is not among the two nearest",
  );
  assert.equal(neighbours().length, 3, "the first note has no neighbours and is not asked about");
  assert.deepEqual(
    notes.map(({ links }) => links),
    [[], [], [], [1]],
    "neighbour 2 is the pear, note 1 from 0; others do not exist",
  );
  assert.deepEqual(notes[3]?.tags, ["red fruit"]);
  assert.deepEqual(notes[2], {
    time: 3,
    content: "Game step #3\na plum",
    keywords: ["plum"],
    context: "Near an apple.",
    tags: ["sweet"],
    links: [],
  });
  assert.deepEqual(notes[1]?.context, "About a pear.");
});

Deno.test("createAMem() recalls the k nearest notes, each followed by the notes it links to, at most k of those", async () => {
  // The apple links to the nut and to the pear, the plum to the nut: neighbours are all earlier
  // notes, nearest first.
  const evolve = (request: Parameters<ScriptedResponder>[0]): string => {
    const neighbours = section(request, "Nearest neighbours").split(/^Note \d+$/m).slice(1);
    const at = (word: string): number[] =>
      neighbours.flatMap((text, index) => text.includes(word) ? [index + 1] : []);
    const fresh = section(request, "New note");
    const links = fresh.includes("apple")
      ? [...at("a nut"), ...at("a pear")]
      : fresh.includes("plum")
      ? at("a nut")
      : [];
    return JSON.stringify({ links, tags: [], neighbours: [] });
  };
  const seen = ["a nut", "a pear", "an apple", "a plum"];
  for (
    const [k, expected] of [
      [1, ["an apple", "a nut"]],
      [2, ["an apple", "a nut", "a pear", "a plum"]],
      [3, ["an apple", "a nut", "a pear", "a plum"]],
    ] as const
  ) {
    const { memory } = fresh({ k, nPrev: 0 }, { evolve });
    await walk(memory, seen);
    assert.deepEqual(await recalled(memory, 5), expected, `k = ${k}`);
  }
  const { memory } = fresh({ k: 1, nPrev: 3 }, { evolve });
  await walk(memory, seen);
  assert.deepEqual(
    await recalled(memory, 5),
    ["a nut"],
    "notes 2 to 4 are shown anyway, also where they are linked to",
  );
});

Deno.test("createAMem() keeps a note without readable attributes, and changes nothing where the evolution is unreadable", async () => {
  const asked = context({ "a-mem/*": () => "I would rather not." });
  const memory = createAMem()(asked);
  const notes = await walk(memory, ["a nut", "a pear"]);
  assert.deepEqual(notes[1], {
    time: 2,
    content: "Game step #2\na pear",
    keywords: [],
    context: "",
    tags: [],
    links: [],
  });
  assert.deepEqual(asked.events.map((event) => event.split(":")[1]), [
    " a-mem/note",
    " a-mem/note",
    " a-mem/evolve",
  ]);
});

Deno.test("createAMem() is the literal algorithm of §3 on 40 random walks", async () => {
  for (let seed = 0; seed < 40; seed++) {
    const draw = createDraw(`a-mem ${seed}`);
    const words = ["key", "chest", "hall", "lamp", "stove"];
    const some = (): string[] => words.filter(() => draw.next() < 0.4);
    const script: {
      note: Pick<Note, "keywords" | "context" | "tags">;
      evolution: {
        links: number[];
        tags: string[];
        neighbours: { number: number; context: string; tags: string[] }[];
      };
    }[] = [];
    for (let i = 0; i < 12; i++) {
      const numbers = [1, 2, 3].slice(0, i).filter(() => draw.next() < 0.5);
      script.push({
        note: { keywords: some(), context: `of ${some().join(" ")}`.trim(), tags: some() },
        evolution: {
          links: numbers,
          tags: some(),
          neighbours: numbers.map((number) => ({
            number,
            context: `of ${some().join(" ")}`.trim(),
            tags: some(),
          })),
        },
      });
    }
    const observations = script.map(() => some().join(" and "));
    let [noted, evolved] = [0, 0];
    const { memory } = fresh({ near: 3 }, {
      note: () => JSON.stringify(script[noted++]?.note),
      evolve: () => JSON.stringify(script[++evolved]?.evolution), // the first note is not asked about
    }, counts(words));
    assert.deepEqual(
      await walk(memory, observations),
      literal(observations, script, words),
      `seed ${seed}`,
    );
  }
});

/** Vectors of word counts. */
function counts(words: readonly string[]): Embedder {
  return {
    id: "counts",
    dimensions: words.length,
    embed: (texts) =>
      Promise.resolve(texts.map((text) => Float32Array.from(countsOf(text, words)))),
  };
}

function countsOf(text: string, words: readonly string[]): number[] {
  return words.map((word) => text.split(word).length - 1);
}

/**
 * §3, Eq. 1 to 7, with neighbours chosen from all notes by full comparison; of equal ones the
 * later.
 */
function literal(
  observations: readonly string[],
  script: readonly {
    note: Pick<Note, "keywords" | "context" | "tags">;
    evolution: {
      links: number[];
      tags: string[];
      neighbours: { number: number; context: string; tags: string[] }[];
    };
  }[],
  words: readonly string[],
): Note[] {
  const notes: Note[] = [];
  const vector = ({ content, keywords, tags, context }: Note): number[] =>
    countsOf([content, ...keywords, ...tags, context].join(" "), words);
  const cosine = (a: readonly number[], b: readonly number[]): number => {
    const dot = (x: readonly number[], y: readonly number[]): number =>
      x.reduce((sum, value, i) => sum + value * (y[i] as number), 0);
    const length = Math.sqrt(dot(a, a) * dot(b, b));
    return length === 0 ? 0 : Math.round(1e5 * dot(a, b) / length);
  };
  for (const [i, observation] of observations.entries()) {
    const { note, evolution } = script[i] as (typeof script)[number];
    const fresh: Note = {
      time: i + 1,
      content: `Game step #${i + 1}\n${observation}`,
      ...structuredClone(note),
      links: [],
    };
    const near = notes.map((other, index) => ({ index, s: cosine(vector(fresh), vector(other)) }))
      .sort((a, b) => b.s - a.s || b.index - a.index).slice(0, 3);
    if (near.length > 0) {
      fresh.links = evolution.links.flatMap((number) => near[number - 1]?.index ?? []);
      if (evolution.tags.length > 0) fresh.tags = evolution.tags;
      for (const { number, context, tags } of evolution.neighbours) {
        const neighbour = notes[near[number - 1]?.index ?? -1];
        if (neighbour) [neighbour.context, neighbour.tags] = [context, tags];
      }
    }
    notes.push(fresh);
  }
  return notes;
}
