/** What `weseTasks` measures of invented episodes: numbers counted by hand. */

import assert from "node:assert/strict";
import { rowsOf } from "../../../lib/lab/frame-of.ts";
import { alfworldTaskOf, WESE_MEASURES, weseTasks } from "../../../lib/papers/wese/tasks.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";
import { endEpisode, type PassRow, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { observationHash, putTurn } from "../../../lib/lab/store/turns.ts";

const STUDY = "wese-quick@strong+weak";

interface Put {
  readonly label: string;
  readonly place: string;
  readonly condition: string;
  /**
   * Rewards after each step of the exploitation, from the reset; absent: planned and not played.
   */
  readonly course?: readonly number[];
  readonly won?: boolean;
  readonly maxScore?: number;
  /** Triplets after each step of the exploration, from the reset. */
  readonly graph?: readonly number[];
  /**
   * Role → prompt and completion tokens of one call, and those of them that were cached and spent
   * on reasoning.
   */
  readonly calls?: Readonly<Record<string, readonly [number, number, number?, number?]>>;
  readonly study?: string;
  /** The model that answers where `weak` names none. @default {"offline"} */
  readonly model?: string;
  /** The model that explores, extracts and chooses for WESE. @default {"offline-weak"} */
  readonly weak?: string;
  readonly goal?: string;
  /** World and its parameters, as the study has them. */
  readonly from?: readonly [string, Readonly<Record<string, string>>];
}

/** Writes an episode as the lab does: WESE's with two passes, the others with one. */
function put(store: Store, options: Put): string {
  const {
    label,
    place,
    condition,
    course,
    won = false,
    maxScore = 1,
    graph,
    calls = {},
    study = STUDY,
    goal = "Do.",
    from,
  } = options;
  const { model: strong = "offline", weak = "offline-weak" } = options;
  const [world, worldParams] = from ??
    (label.startsWith("alfworld") ? ["alfworld", { set: "households" }] : ["w", {}]);
  const id = `${study} ${label} ${place} ${condition}`;
  const method = condition.split("-")[1] ?? condition;
  putEpisode(store, {
    ...{
      id,
      study,
      chain: `${label.split("/")[0]}/${place}|${condition}`,
      ordinal: 0,
      world,
      worldParams,
      label,
    },
    identity: {
      models: { "*": strong, "wese/*": `${weak} {"temperature":0}`, "wese/act": strong },
    },
    ...{ attempt: 1, seed: 1, method, memory: "", condition, backbone: "strong+weak" },
  });
  if (!course) return id;
  const turn = (pass: number, step: number, score: number, graphSize?: number): void => {
    const shown = { observation: "A room.", sections: {}, score };
    const rest = {
      goal,
      frames: [],
      maxScore,
      observationHash: observationHash(shown),
      details: {},
    };
    putTurn(store, {
      episode: id,
      pass,
      step,
      ...shown,
      ...rest,
      ...(graphSize === undefined ? {} : { graphSize }),
    });
  };
  for (const [step, size] of (graph ?? []).entries()) turn(0, step, step, size); // what the exploration earns does not count
  for (const [step, score] of course.entries()) turn(graph ? 1 : 0, step, score);
  for (const [role, [prompt, completion, cached = 0, reasoning = 0]] of Object.entries(calls)) {
    const usage = {
      promptTokens: prompt,
      cachedTokens: cached,
      completionTokens: completion,
      reasoningTokens: reasoning,
    };
    const model = /^wese\/(?!act)/.test(role) ? weak : strong;
    const call = {
      episode: id,
      role,
      model,
      key: `${id} ${role}`,
      ...usage,
      dollars: 0,
      latencyMs: 1,
      at: 0,
    };
    putCall(store, { ...call, kind: "paid" });
    putCall(store, { ...call, kind: "replayed" }); // as a resumed run writes it: it must not count twice
    putCall(store, { ...call, kind: "wasted", error: "timeout" });
  }
  const exploit = {
    score: won ? maxScore : course.at(-1) ?? 0,
    maxScore,
    steps: course.length - 1,
    end: won ? "won" : "limit",
  };
  const passes: PassRow[] = graph
    ? [{ kind: "explore", score: 0, maxScore, steps: graph.length - 1 }, {
      kind: "exploit",
      ...exploit,
    }]
    : [{ kind: "only", ...exploit }];
  endEpisode(store, id, { status: "completed", passes }, 0);
  return id;
}

function filled(put_: (store: Store) => void): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: 0 });
  put_(store);
  return store;
}

function tasksOf(store: Store): Record<string, unknown>[] {
  return rowsOf(weseTasks(store, STUDY));
}

function pick(row: Record<string, unknown> | undefined, names: string): unknown[] {
  return names.split(" ").map((name) => row?.[name]);
}

const MEASURED =
  "reward success steps explored triplets strong_prompt strong_completion weak_prompt weak_completion";

Deno.test("weseTasks() measures the exploitation and counts a request once when it was replayed", () => {
  using store = filled((store) => {
    put(store, {
      ...{
        label: "fever/claim",
        place: "claims-3",
        condition: "act-wese",
        course: [0, 0, 0, 1],
        graph: [0, 4, 9],
        won: true,
      },
      calls: {
        "wese/explore": [1000, 10],
        "wese/extract": [200, 20],
        "wese/task-entities": [50, 5],
        "wese/act": [3000, 30],
      },
    });
    put(store, {
      ...{
        label: "fever/claim",
        place: "claims-3",
        condition: "act-sese",
        course: [0, 0],
        graph: [0, 1],
      },
      calls: { "sese/explore": [70, 7], "sese/act": [30, 3] },
    });
    put(store, { label: "fever/claim", place: "claims-3", condition: "act" });
  });
  const [wese, sese, planned] = tasksOf(store);
  assert.deepEqual(pick(wese, MEASURED), [100, 1, 3, 2, 9, 3000, 30, 1250, 35]);
  assert.equal(wese?.["expense"], 3030 * 0.02 / 1000);
  assert.deepEqual(pick(wese, "world task place method base variant"), [
    ..."fever claim claims-3 Act-WESE Act WESE".split(" "),
  ]);
  // SESE explores with the strong model; a failure has no steps
  assert.deepEqual(pick(sese, MEASURED), [0, 0, null, 1, 1, 100, 10, 0, 0]);
  assert.deepEqual(pick(planned, `status ${MEASURED}`), [
    "planned",
    ...MEASURED.split(" ").map(() => null),
  ]);
});

Deno.test("weseTasks() counts ScienceWorld's steps to the first reward after the reset, whatever comes later", () => {
  using store = filled((store) => {
    const courses = [[5, 5, 9, 40], [8, 8, 8, 8]]; // some is given for where one stands at first
    for (const [at, course] of courses.entries()) {
      put(store, {
        label: "scienceworld/melt",
        place: `melt-${at}`,
        condition: "react",
        maxScore: 100,
        course,
      });
    }
  });
  assert.deepEqual(tasksOf(store).map((row) => pick(row, "steps reward success")), [[2, 40, 0], [
    null,
    8,
    0,
  ]]);
  assert.deepEqual([...WESE_MEASURES.steps(store, STUDY).values()], [2]);
  assert.deepEqual([...WESE_MEASURES.expense(store, STUDY).values()], [0, 0]);
});

Deno.test("weseTasks() says where one model explores and acts, and gives it all tokens", () => {
  for (
    const [weak, isOne, prompts] of [["offline", true, [8500, 0]], ["offline-weak", false, [
      500,
      8000,
    ]]] as const
  ) {
    using store = filled((store) => {
      const at = { label: "fever/claim", place: "claims-0", course: [0, 1], won: true, weak };
      put(store, { ...at, condition: "act", calls: { "act/act": [1000, 100] } });
      put(store, {
        ...at,
        condition: "act-wese",
        graph: [0, 3],
        calls: { "wese/act": [500, 50], "wese/extract": [8000, 200] },
      });
    });
    const [act, wese] = tasksOf(store);
    assert.deepEqual([act?.["one_model"], wese?.["one_model"]], [false, isOne]);
    assert.deepEqual(pick(wese, "strong_prompt weak_prompt"), prompts);
  }
});

Deno.test("alfworldTaskOf() reads the type of an official game from its goal", () => {
  // the forms of ALFWorld's own sentences
  const goals = {
    "put a mug in shelf.": "put",
    "examine the book with the desklamp.": "examine",
    "look at bowl under the desklamp.": "examine",
    "put a clean knife in countertop.": "clean",
    "clean some apple and put it in fridge.": "clean",
    "heat some egg and put it in garbagecan.": "heat",
    "put a cool pan in stoveburner.": "cool",
    "find two pillow and put them in sofa.": "puttwo",
  };
  assert.deepEqual(Object.keys(goals).map(alfworldTaskOf), Object.values(goals));
  using store = filled((store) => {
    put(store, {
      label: "alfworld/unseen",
      place: "0",
      condition: "act",
      course: [0, 1],
      won: true,
      goal: "put a hot potato in fridge.",
    });
  });
  assert.equal(tasksOf(store)[0]?.["task"], "heat");
});
