import assert from "node:assert/strict";
import {
  type AriGraphOptions,
  createAriGraph,
  formatTriplet,
  MEMORIES,
  type Memory,
  type Perception,
} from "../../../lib/mod.ts";
import { cueOf } from "./conformance.ts";
import { context, READER, section, shown, WALK } from "./house.ts";

function graphOf(memory: Memory): string[] {
  return memory.graph?.triplets().map(formatTriplet) ?? [];
}

async function walked(
  steps: number,
  options: AriGraphOptions = {},
  replies = READER,
): Promise<{ memory: Memory; asked: ReturnType<typeof context> }> {
  const asked = context(replies);
  const memory = createAriGraph(options)(asked);
  for (const perception of WALK.slice(0, steps)) {
    await memory.observe(perception);
    await memory.recall(cueOf(perception));
  }
  return { memory, asked };
}

function at(step: number): Perception {
  const perception = WALK[step - 1];
  assert(perception);
  return perception;
}

Deno.test("arigraph.asks() names the roles that a memory asks under the same options", async () => {
  const extracted = "hall, contains, chest; hall, has exit, north";
  const replies = {
    ...READER,
    "arigraph/extract-paragraph": () => extracted,
    "arigraph/question-entities": () => '{"hall": 1}',
  };
  for (const texts of ["observations", "paragraphs"] as const) {
    for (const stale of [true, false]) {
      for (const exploration of [true, false]) {
        const options = { texts, stale, exploration, staleAgainst: "extracted" as const };
        const asked = context(replies);
        const memory = createAriGraph(options)(asked);
        for (const perception of WALK) {
          await memory.observe(perception);
          await memory.recall({ ...cueOf(perception), plan: "Look for other rooms." });
        }
        const told = MEMORIES["arigraph"]?.asks?.(options).map(({ role }) => role) ?? [];
        assert.deepEqual(
          [...new Set(asked.requests.map(({ role }) => role))].sort(),
          told.toSorted(),
          JSON.stringify(options),
        );
      }
    }
  }
});

Deno.test("observe() extracts, removes stale triplets, adds new ones and links places, by hand", async () => {
  assert.deepEqual(graphOf((await walked(1)).memory), HALL);
  const second = [
    ...HALL,
    "key, is on, table",
    "kitchen, contains, table",
    "kitchen, has exit, south",
    "kitchen, is north of, hall",
    "hall, is south of, kitchen",
  ];
  assert.deepEqual(graphOf((await walked(2)).memory), second);
  const third = [...second.filter((line) => line !== "key, is on, table"), "key, is in, inventory"];
  assert.deepEqual(graphOf((await walked(3)).memory), third);
  assert.deepEqual(graphOf((await walked(4)).memory), third); // back where all is known
  const fifth = [
    "garden, contains, bbq",
    "garden, has exit, west",
    "garden, has exit, south",
    "garden, is east of, hall",
    "hall, is west of, garden",
  ];
  assert.deepEqual(graphOf((await walked(5)).memory), [...third, ...fifth]);
});

Deno.test("observe() adds an episode with all triplets of the observation, known ones included", async () => {
  const { memory } = await walked(4);
  const episode = memory.graph?.episodes[3];
  assert.deepEqual(episode?.triplets.map(formatTriplet), HALL);
  assert.equal(episode?.time, 4);
  assert(episode?.text.startsWith("Game step #4\n-= Hall =-\nYou see a chest."));
  assert(episode?.text.endsWith("\nInventory: You are carrying: a key."));
});

Deno.test("observe() links places without a direction after a portal, and not at all after a macro", async () => {
  const { memory } = await walked(1);
  await memory.observe({ ...at(2), action: "enter portal" });
  assert.deepEqual(graphOf(memory).slice(-2), [
    "kitchen, can be achieved from, hall",
    "hall, can be achieved from, kitchen",
  ]);
  const macro = (await walked(1)).memory;
  await macro.observe({ ...at(2), action: "go to north kitchen", macro: true });
  assert(!graphOf(macro).some((line) => line.includes(" of, ")));
});

Deno.test("observe() asks for stale triplets only if known ones lie one hop around new ones", async () => {
  const asked = async (options: AriGraphOptions): Promise<[number, number][]> => {
    const { requests } = (await walked(5, options)).asked;
    const count = (request: typeof requests[0], title: string): number =>
      section(request, title).split("\n").length;
    return requests.filter(({ role }) => role === "arigraph/outdate")
      .map((request) => [count(request, "Existing triplets"), count(request, "New triplets")]);
  };
  // step 1: nothing known; 2: nothing touches; 3: the key; 4: all of the hall; 5: "south" is an
  // entity as well
  assert.deepEqual(await asked({}), [[1, 1], [5, 3], [1, 3]]);
  assert.deepEqual(await asked({ staleAgainst: "new" }), [[1, 1], [1, 3]], "4: nothing new");
});

Deno.test("observe() compares known triplets with all extracted ones by default, those extracted again included", async () => {
  const { asked } = await walked(4);
  const last = asked.requests.findLast(({ role }) => role === "arigraph/outdate");
  assert(last);
  assert.deepEqual(section(last, "New triplets").split("\n").length, 3);
  assert.deepEqual(section(last, "Existing triplets").split("\n"), [
    ...HALL,
    "kitchen, is north of, hall",
    "hall, is south of, kitchen",
  ]);
});

const FORGETFUL = {
  ...READER,
  "arigraph/outdate": () =>
    "[[kitchen, is north of, hall -> x, y, z], [hall, has exit, east -> x, y, z], [never, was, there -> x, y, z], [a -> b]]",
};

Deno.test("observe() removes triplets between places unless keepPlaces is set, ignores unknown pairs and reports unreadable ones", async () => {
  assert(!graphOf((await walked(3, {}, FORGETFUL)).memory).includes("kitchen, is north of, hall"));
  const { memory, asked } = await walked(3, { keepPlaces: true }, FORGETFUL);
  assert(graphOf(memory).includes("kitchen, is north of, hall"));
  assert(!graphOf(memory).includes("hall, has exit, east"));
  assert.deepEqual(asked.events, ["unreadable-pair: arigraph/outdate: 1"]);
});

Deno.test("observe() offers no excluded triplets as stale when outdateFilter is set", async () => {
  const extracted = [
    "hall, has exit, east; stove, used for, frying; hall, associated with, chest; egg, to be, fried; hall, is, dark",
    "hall, is, bright; stove, is, hot; egg, is, raw",
  ];
  for (const [outdateFilter, wanted] of [[true, 1], [false, 5]] as const) {
    let step = 0;
    const asked = context({
      ...READER,
      "arigraph/extract": () => extracted[step++] ?? "",
    });
    const memory = createAriGraph({ outdateFilter })(asked);
    await memory.observe(at(1));
    await memory.observe({ ...at(1), step: 2 });
    const request = asked.requests.find(({ role }) => role === "arigraph/outdate");
    assert.equal(request && section(request, "Existing triplets").split("\n").length, wanted);
  }
});

Deno.test("observe() shows the triplets of the last recall as examples", async () => {
  const examples = async (options: AriGraphOptions): Promise<string[]> => {
    const { asked } = await walked(3, options);
    return shown(asked, "arigraph/extract", "Triplets extracted before");
  };
  const between = ["kitchen, is north of, hall", "hall, is south of, kitchen"];
  const [first, second, third] = await examples({ omitFresh: true });
  assert.deepEqual([first, second], ["", ""]);
  assert.deepEqual(new Set(third?.split("; ")), new Set([...HALL, ...between]));
  assert.equal((await examples({}))[1], HALL.join("; "));
});

/** A reader who finds these entities in a plan. */
const asking = (entities: string): typeof READER => ({
  ...READER,
  "arigraph/entities": () => entities,
});

const HALL = ["hall, contains, chest", "hall, has exit, north", "hall, has exit, east"];

Deno.test("recall() shows the triplets that were extracted on the same step, unless omitFresh is set", async () => {
  const { memory: paper } = await walked(1);
  assert.deepEqual(
    (await paper.recall(cueOf(at(1)))).sections["Relevant triplets from memory"]?.split("\n"),
    HALL,
  );
  const { memory } = await walked(1, { omitFresh: true });
  assert.deepEqual(
    (await memory.recall(cueOf(at(1)))).sections["Relevant triplets from memory"],
    "",
  );
  await memory.observe(at(2));
  const lines = (await memory.recall(cueOf(at(2)))).sections["Relevant triplets from memory"]
    ?.split("\n");
  assert.deepEqual(
    lines?.slice().sort(),
    [...HALL, "hall, is south of, kitchen", "kitchen, is north of, hall"].sort(),
  );
  const back = await walked(4, { omitFresh: true, width: 100 });
  const { sections } = await back.memory.recall(cueOf(at(4)));
  for (const line of HALL) assert(!sections["Relevant triplets from memory"]?.includes(line));
  assert(sections["Relevant past observations"]?.startsWith("Game step #1\n")); // yet they do lead to where they were seen before
});

Deno.test("observe() compares what lies around all extracted triplets with the new ones", async () => {
  const asked = context({
    ...READER,
    "arigraph/extract": (request) =>
      section(request, "Observation").includes("#1")
        ? "kitchen, contains, table; kitchen, contains, fridge; cellar, is, wet"
        : "kitchen, contains, table; hall, is, dark",
  });
  const memory = createAriGraph({ staleAgainst: "new" })(asked);
  await memory.observe(at(1));
  await memory.observe({ ...at(1), step: 2 });
  const request = asked.requests.find(({ role }) => role === "arigraph/outdate");
  assert(request);
  const known = "kitchen, contains, table\nkitchen, contains, fridge";
  assert.equal(section(request, "Existing triplets"), known);
  assert.equal(section(request, "New triplets"), "hall, is, dark");
});

Deno.test("recall() searches to one depth, or as deep as an entity is important", async () => {
  const recalled = async (entities: string, options: AriGraphOptions): Promise<string[]> => {
    const { memory } = await walked(4, options, asking(entities));
    await memory.observe({ ...at(4), step: 8, observation: "Nothing happens.", action: "wait" });
    const { recalled } = await memory.recall({ ...cueOf(at(4)), step: 8 });
    return [...recalled?.["triplets"] ?? []];
  };
  const one = await recalled('{"chest": 1}', { width: 1, depth: "importance" });
  assert.deepEqual(one, ["hall, contains, chest"]);
  const two = await recalled('{"chest": 2}', { width: 1, depth: "importance" });
  assert.equal(two[0], "hall, contains, chest");
  assert(two.length === 2, String(two)); // hall's nearest is another one
  assert.deepEqual(await recalled('{"chest": 1}', { width: 1 }), two, "2 is the depth");
  assert.deepEqual(await recalled('{"chest": 2}', { width: 1, depth: 1 }), one);
  assert.deepEqual(await recalled('{"chest": 2}', { depth: 0 }), []);
  assert.equal((await recalled('{"chest": 1}', { width: 3, depth: "importance" })).length, 3);
  assert.deepEqual(await recalled('{"chest": 1.5}', { width: 1, depth: "importance" }), two); // 1.5 searches as 2
  assert.deepEqual(await recalled('{"chest": 9}', { width: 1, depth: "importance" }), two); // 2 is the deepest
});

Deno.test("recall() uses w = 6, d = 2, importance ≤ 2 and k = 2 by default; authors is the variant of the code", async () => {
  assert.deepEqual(MEMORIES["arigraph"]?.options.parse({ variant: "authors" }), {
    ...MEMORIES["arigraph"]?.options.parse({}),
    variant: "authors",
    depth: "importance",
    episodicScore: "authors",
    omitFresh: true,
    staleAgainst: "new",
    outdateFilter: true,
    keepPlaces: true,
  });
  const shallow = await walked(7, { depth: 1 }, asking('{"hall": 1}'));
  assert.equal((await shallow.memory.recall(cueOf(at(7)))).recalled?.["triplets"]?.length, 6); // of the 13 that stand
  const { memory } = await walked(7, {}, asking('{"hall": 1}'));
  assert.equal((await memory.recall(cueOf(at(7)))).recalled?.["triplets"]?.length, 12);
  const deep = (await walked(7, {}, asking('{"hall": 3}'))).memory;
  assert.deepEqual((await deep.recall(cueOf(at(7)))).recalled?.["entities"], ["hall: 2"]);
  await memory.observe({ ...at(7), step: 8 });
  await memory.observe({ ...at(7), step: 9 });
  const { recalled } = await memory.recall({ ...cueOf(at(7)), step: 9 });
  assert.deepEqual(recalled?.["episodes"]?.map((text) => text.slice(0, 12)), [
    "Game step #5",
    "Game step #4",
  ]); // of equal ones the younger
});

const ALL: AriGraphOptions = {
  width: 100,
  k: 3,
  nPrev: 2,
  omitFresh: true,
  episodicFilter: "before",
};

/** Numbers of the steps recalled on step 7. */
async function episodesOf(options: AriGraphOptions): Promise<number[]> {
  const { memory } = await walked(7, options);
  const text = (await memory.recall(cueOf(at(7)))).sections["Relevant past observations"] ?? "";
  return [...text.matchAll(/Game step #(\d+)/g)].map((match) => Number(match[1]));
}

Deno.test("recall() ranks episodes by Eq. 1, with the filter before without the last nPrev", async () => {
  // All triplets are recalled, but what was new on step 7: none. n/N·ln N: steps 1, 4, 5: ln 3; 2:
  // (2/3)·ln 3 (the key has left the table); 3, 6, 7: a lone triplet, 0. Steps 5 and 6 are shown
  // anyway. Of equals the younger first.
  assert.deepEqual(await episodesOf(ALL), [4, 1, 2]);
  assert.deepEqual(await episodesOf({ ...ALL, k: 1 }), [4]);
  assert.deepEqual(await episodesOf({ ...ALL, nPrev: 5 }), [1]);
  assert.deepEqual(await episodesOf({ ...ALL, k: 0 }), []);
});

Deno.test("recall() scores by the last step's triplets and text similarity with the authors' score", async () => {
  let entities = '{"bbq": 1}';
  const replies = { ...READER, "arigraph/entities": () => entities };
  const { memory: turned } = await walked(
    6,
    { width: 1, k: 1, nPrev: 0, episodicScore: "authors" },
    replies,
  );
  await turned.recall(cueOf(at(6))); // recalls the bbq, which is in the garden
  entities = '{"key": 1}';
  await turned.observe({ ...at(7), step: 7, observation: "It is dark.", inventory: "" });
  const dark = { step: 7, goal: "", observation: "zzz", plan: "" };
  assert.match(
    (await turned.recall(dark)).sections["Relevant past observations"] ?? "",
    /^Game step #5\n/,
  ); // counted against the bbq
  assert.match(
    (await turned.recall(dark)).sections["Relevant past observations"] ?? "",
    /^Game step #[237]/,
  ); // and now against the key
  const { memory } = await walked(3, { ...ALL, nPrev: 0, episodicScore: "authors" });
  await memory.observe({
    ...at(4),
    observation: "-= Kitchen =-\nYou see a key on the table. There is an exit to the south.",
  });
  const text = (await memory.recall({
    ...cueOf(at(4)),
    observation: at(2).observation,
    plan: at(2).observation,
  }))
    .sections["Relevant past observations"];
  assert(text?.startsWith("Game step #2\n")); // by Eq. 1 it would be step 1, all of which is recalled
});

Deno.test("recall() lists the unexplored exits of all places when the plan calls for exploring", async () => {
  const { memory } = await walked(5);
  const { exits, recalled } = await memory.recall(cueOf(at(5)));
  assert.deepEqual(exits, ["garden: south"]); // hall and kitchen are explored: their lines are left out
  assert.deepEqual(recalled?.["explore"], ["True"]);
  const early = (await walked(2)).memory;
  assert.deepEqual((await early.recall(cueOf(at(2)))).exits, ["hall: east"]);
  const settled = (await walked(5, {}, { ...READER, "arigraph/explore": () => "False" })).memory;
  assert.deepEqual((await settled.recall(cueOf(at(5)))).exits, []);
  const { asked } = await walked(1);
  assert(!asked.requests.some(({ role }) => role === "arigraph/explore")); // there is no plan yet
});

Deno.test("recall() neither shows nor asks what an ablation takes away", async () => {
  const { memory, asked } = await walked(5, { episodic: false, exploration: false });
  const { sections, exits, recalled } = await memory.recall(cueOf(at(5)));
  assert.deepEqual(Object.keys(sections), ["Relevant triplets from memory"]);
  assert.equal(exits, undefined);
  assert.deepEqual(Object.keys(recalled ?? {}), ["entities", "triplets"]);
  assert(!asked.requests.some(({ role }) => role === "arigraph/explore"));
});

Deno.test("observe() and recall() embed and ask no more on step 1,000 than on step 10", async () => {
  let embedded = 0;
  const asked = context({
    ...READER,
    "arigraph/extract": (request) => {
      const step = Number(section(request, "Observation").match(/#(\d+)/)?.[1]);
      return `thing ${step}, is in, room ${step % 12}; room ${
        step % 12
      }, has exit, north; thing ${step}, is, red`;
    },
    "arigraph/outdate": () => "[]",
    "arigraph/entities": () => '{"room 1": 2, "red": 1}',
  });
  const { embedder } = asked;
  const memory = createAriGraph()({
    ...asked,
    embedder: { ...embedder, embed: (texts) => (embedded += texts.length, embedder.embed(texts)) },
  });
  const counts: number[] = [];
  for (let step = 1; step <= 1000; step++) {
    const before = embedded;
    const perception = {
      step,
      goal: "",
      observation: `step ${step}`,
      location: `room ${step % 12}`,
      action: "go north",
    };
    await memory.observe(perception);
    await memory.recall({ ...perception, plan: "p" });
    counts.push(embedded - before);
  }
  assert(memory.graph && memory.graph.size > 2000);
  const [early, late] = [counts.slice(20, 40), counts.slice(-20)].map((part) => Math.max(...part));
  assert((late ?? Infinity) <= (early ?? 0), `${early} texts at first, ${late} at last`);
});
