import assert from "node:assert/strict";
import {
  type AriadneOptions,
  type ChatRequest,
  createAriadne,
  createAriGraph,
  createFullHistory,
  createRag,
  type EpisodeEvent,
  type Outcome,
  scripted,
  type StepRecord,
} from "../../../lib/mod.ts";
import { ariadnePrompts } from "../../../lib/core/agent/ariadne.prompts.ts";
import { sectionsOf as sections } from "../memory/house.ts";
import { recording, worldless } from "./recording.ts";
import { type TinyWorld, tinyWorld } from "./tiny-world.ts";

const PLAN = JSON.stringify({
  main_goal: "wait",
  plan_steps: [{ sub_goal_1: "Go up", reason: "The attic is up." }],
  your_emotion: {},
});

interface Played {
  readonly outcome: Outcome;
  readonly steps: StepRecord[];
  readonly events: EpisodeEvent[];
  readonly requests: readonly ChatRequest[];
  readonly world: TinyWorld;
}

/** Plays with an actor that says these things in order, and then waits. */
async function play(
  said: readonly string[],
  options: Partial<AriadneOptions> & {
    world?: TinyWorld;
    plans?: readonly string[];
    signal?: AbortSignal;
  } = {},
): Promise<Played> {
  const { world = tinyWorld(), plans = [], signal, memory = createAriGraph(), ...rest } = options;
  let acts = 0;
  let planned = 0;
  const model = scripted({
    "arigraph/extract": (request) => {
      const observation = sections(request)["Observation"] ?? "";
      const room = observation.match(/-= (.+) =-/)?.[1];
      const exits = observation.match(/\b(north|south)\b/g) ?? [];
      return room ? exits.map((exit) => `${room}, has exit, ${exit}`).join("; ") : "[]";
    },
    "arigraph/entities": () => '{"attic": 2}',
    "arigraph/outdate": () => "[]",
    "arigraph/explore": () => "True",
    "ariadne/plan": () => plans[planned++] ?? PLAN,
    "ariadne/act": () => {
      const text = said[acts++] ?? "wait";
      return text.startsWith("!")
        ? text.slice(1)
        : JSON.stringify({ reason_for_action: "Because.", action_to_take: text });
    },
  });
  const record = recording();
  const outcome = await createAriadne({ memory, ...rest }).run({
    world: () => Promise.resolve(world),
    ...worldless(model, record, 0),
    ...(signal ? { signal } : {}),
  });
  return { outcome, world, requests: model.requests, ...record };
}

/** The sections of the nth prompt of a role, from 1. */
function prompt(
  requests: readonly ChatRequest[],
  role: string,
  nth: number,
): Record<string, string> {
  const request = requests.filter((request) => request.role === role)[nth - 1];
  assert(request, `${role} was asked less than ${nth} times`);
  return sections(request);
}

/** The title of the history in the order that a server can cache. */
const HISTORY = "History of observations and actions, up to the current one";

function kinds(events: readonly EpisodeEvent[]): string[] {
  return events.map(({ step, kind }) => `${step} ${kind}`);
}

Deno.test("createAriadne() orders the working memory as the authors' prompts do", async () => {
  const { requests } = await play(["go north", "look", "wait"], { order: "paper" });
  const working = ["Main goal", "History of observations and actions", "Current observation"];
  const recalled = ["Relevant triplets from memory", "Relevant past observations"];
  assert.deepEqual(Object.keys(prompt(requests, "ariadne/plan", 3)), [
    ...working,
    ...recalled,
    "Previous plan",
    "Unexplored exits",
  ]);
  const last = [...working, ...recalled, "Current plan", "Unexplored exits", "Possible actions"];
  assert.deepEqual(Object.keys(prompt(requests, "ariadne/act", 3)), last);
});

Deno.test("createAriadne() shows the last nPrev observations, in the order for caches up to 2 nPrev − 1, or as many as slide says", async () => {
  const looks = Array.from({ length: 8 }, () => "look");
  async function past(options: Partial<AriadneOptions>): Promise<number[]> {
    const { requests } = await play(looks, {
      maxSteps: 8,
      nPrev: 3,
      memory: createRag({ k: 0 }),
      ...options,
    });
    return requests.filter(({ role }) => role === "ariadne/act").map(sections).map((shown) =>
      (`${shown[HISTORY] ?? ""}${shown["History of observations and actions"] ?? ""}`.match(
        /^Game step #/gm,
      ) ?? []).length -
      (HISTORY in shown ? 1 : 0)
    );
  }
  assert.deepEqual(await past({}), [0, 1, 2, 3, 3, 3, 3, 3]);
  assert.deepEqual(await past({ slide: 2 }), [0, 1, 2, 3, 4, 3, 4, 3]);
  assert.deepEqual(await past({ order: "cacheable" }), [0, 1, 2, 3, 4, 5, 3, 4]);
  assert.deepEqual(await past({ order: "cacheable", slide: 1 }), [0, 1, 2, 3, 3, 3, 3, 3]);
  assert.deepEqual(await past({ nPrev: 0 }), [0, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("createAriadne() shows each past observation with the action taken after it, or with the one before it", async () => {
  const shown = async (options: Partial<AriadneOptions>): Promise<string[]> => {
    const { requests } = await play(["go north", "look", "wait"], {
      memory: createRag({ k: 0 }),
      maxSteps: 3,
      ...options,
    });
    const text = Object.values(prompt(requests, "ariadne/act", 3)).join("\n");
    return text.match(/Game step #\d|^Action .*/gm) ?? [];
  };
  const after = [
    "Game step #1",
    "Action taken: go north",
    "Game step #2",
    "Action taken: look",
    "Game step #3",
  ];
  const led = "Action that led to this observation:";
  const before = ["Game step #1", "Game step #2", `${led} go north`, "Game step #3", `${led} look`];
  assert.deepEqual(await shown({}), after);
  assert.deepEqual(await shown({ actionLine: "before" }), before);
  assert.deepEqual(await shown({ order: "cacheable" }), before);
  assert.deepEqual(
    await shown({ memory: createFullHistory() }),
    before,
    "a whole history is the memory's own text",
  );
  assert.deepEqual(
    await shown({ nPrev: 0 }),
    ["Game step #3", `${led} look`],
    "else the last action would be in no prompt",
  );
});

Deno.test("createAriadne() asks the actor at the authors' temperatures, or at a given one", async () => {
  async function temperatures(options: Parameters<typeof play>[1]): Promise<unknown[]> {
    const { requests } = await play(["look"], { maxSteps: 1, ...options });
    const { maxTokens } = requests.find(({ role }) => role === "ariadne/act")?.sampling ?? {};
    assert.ok(
      maxTokens !== undefined &&
        maxTokens ===
          ariadnePrompts("cacheable", { fixed: false, goTo: true }).act.sampling?.maxTokens,
      "the prompt's other parameters stay",
    );
    return ["ariadne/plan", "ariadne/act"].map((role) =>
      requests.find((request) => request.role === role)?.sampling?.temperature
    );
  }
  assert.deepEqual(await temperatures({}), [0.2, 0.2]);
  for (const memory of [createFullHistory(), createRag(), createAriGraph({ exploration: false })]) {
    assert.deepEqual(await temperatures({ memory }), [0.2, 1]);
  }
  assert.deepEqual(await temperatures({ memory: createRag(), temperature: 0.7 }), [0.2, 0.7]);
});

Deno.test("planner and actor are shown goal, history, observation, plan and what the memory recalls", async () => {
  const { requests } = await play([
    "go north",
    "look",
    "go north",
    "look",
    "look",
    "look",
    "look",
    "wait",
  ], { order: "paper" });
  const first = prompt(requests, "ariadne/plan", 1);
  assert.deepEqual(first, {
    "Main goal": "Wait in the attic",
    "History of observations and actions": "",
    "Current observation":
      "Game step #1\n-= Hall =-\nThere is an exit to the north.\nInventory: You are carrying nothing.",
    "Previous plan": first["Previous plan"],
    "Unexplored exits": "hall: north",
    "Relevant triplets from memory": "hall, has exit, north",
    "Relevant past observations": "",
  });
  const begun = [{ sub_goal_1: "Start the game", reason: "" }];
  assert.deepEqual(
    JSON.parse(first["Previous plan"] ?? "").plan_steps,
    begun,
    "as the authors' code begins",
  );
  const third = prompt(requests, "ariadne/act", 3);
  assert.equal(third["Unexplored exits"], "kitchen: north");
  assert(third["Current plan"]?.includes('"sub_goal_1": "Go up"'));
  assert.equal(third["Possible actions"], "go north\ngo south\nlook\nwait\ngo to hall");
  assert(third["Current observation"]?.endsWith("Inventory: You are carrying nothing."));
  assert(third["Relevant triplets from memory"]?.includes("kitchen, is north of, hall"));
  const last = prompt(requests, "ariadne/act", 8);
  const shown = [...last["History of observations and actions"]?.matchAll(/Game step #(\d)/g) ?? []]
    .map((match) => match[1]);
  assert.deepEqual(shown, ["3", "4", "5", "6", "7"]);
  assert(last["History of observations and actions"]?.includes("Game step #4\n-= Attic =-"));
  assert.equal(last["Relevant past observations"]?.match(/Game step #\d/g)?.length, 2);
});

Deno.test("go to walks the whole way inside one step of the agent", async () => {
  const { outcome, steps, events, world } = await play([
    "go north",
    "go north",
    "go to Hall",
    "go to attic",
    "wait",
  ]);
  assert.deepEqual(world.taken, [
    "go north",
    "go north",
    "go south",
    "go south",
    "go north",
    "go north",
    "wait",
  ]);
  assert.equal(outcome.passes[0]?.steps, 5);
  const macro = steps[3];
  assert.equal(macro?.action, "go to hall");
  assert.deepEqual(
    macro?.turn.frames.map(({ action, sections }) => [action, sections["location"]]),
    [["go south", "Kitchen"], [
      "go south",
      "Hall",
    ]],
  );
  assert.equal(macro?.turn.sections["location"], "Hall");
  assert.equal(macro?.details?.["macro"], "arrived");
  assert.deepEqual(events, []);
});

Deno.test("a refused macro takes no step of the game, says why and is counted", async () => {
  const { outcome, steps, events, world, requests } = await play([
    "go north",
    "go to kitchen",
    "go to cellar",
    "go to attic",
    "go north",
    "wait",
  ]);
  assert.deepEqual(world.taken, ["go north", "go north", "wait"]);
  assert.equal(outcome.passes[0]?.steps, 6);
  assert.match(steps[2]?.turn.observation ?? "", /already/);
  assert.match(steps[3]?.turn.observation ?? "", /no known way/);
  assert.equal(steps[3]?.turn.sections["location"], "Kitchen");
  assert.deepEqual(kinds(events), ["2 refused-macro", "3 refused-macro", "4 refused-macro"]);
  assert.match(
    prompt(requests, "ariadne/plan", 4)["Current observation"] ?? "",
    /There is no known way to "cellar"/,
  );
});

Deno.test("without go to there are no macros; a baseline may have them by a map of its own walks", async () => {
  const off = await play(["go north", "go to hall"], { goTo: false, maxSteps: 2 });
  assert.deepEqual(kinds(off.events), ["2 invalid-action", "2 fallback"]);
  const system = ({ requests }: Played): string =>
    String(requests.find(({ role }) => role === "ariadne/act")?.messages[0]?.content);
  assert.doesNotMatch(system(off), /go to/, "what is not offered is not spoken of");
  assert(!prompt(off.requests, "ariadne/act", 2)["Possible actions"]?.includes("go to"));
  const baseline = await play(["go north", "go to hall"], {
    memory: createFullHistory(),
    maxSteps: 2,
  });
  assert.deepEqual(kinds(baseline.events), ["2 invalid-action", "2 fallback"]);
  const mapped = await play(["go north", "go north", "go to hall"], {
    memory: createFullHistory(),
    goTo: true,
    maxSteps: 3,
  });
  assert.equal(mapped.steps[3]?.turn.sections["location"], "Hall");
  assert.deepEqual(mapped.events, []);
});

Deno.test("createAriadne() matches actions but for case, spaces and quotes, and tells the model of one that is not possible", async () => {
  for (const options of [{}, { impossible: "fallback" }] as const) {
    const { world, steps, events, requests } = await play(['"Go  NORTH."', "go up", "open door"], {
      maxSteps: 3,
      ...options,
    });
    assert.deepEqual(world.taken, ["go north", "look", "look"]);
    assert.deepEqual(kinds(events), [
      "2 invalid-action",
      "2 fallback",
      "3 invalid-action",
      "3 fallback",
    ]);
    assert.equal(steps[2]?.details?.["fallback"], "invalid-action");
    assert.equal(steps[2]?.action, "look");
    const told = prompt(requests, "ariadne/plan", 3)["Current observation"] ?? "";
    assert.match(
      told,
      /^Game step #3\n"go up" was not possible: .+ "look" was done in its place\.\n-= Kitchen =-/,
    );
  }
});

Deno.test("createAriadne() enforces one of the possible actions, unless prompts are to be cached or there are too many", async () => {
  const formOf = async (options: Partial<AriadneOptions>, request = 2): Promise<unknown> => {
    const { requests } = await play(["go north", "wait"], { maxSteps: 2, ...options });
    const { schema } = requests.filter(({ role }) => role === "ariadne/act")[request - 1] ?? {};
    return (schema?.schema["properties"] as Record<string, { enum?: unknown }>)["action_to_take"]
      ?.enum;
  };
  assert.deepEqual(await formOf({}), ["go north", "go south", "look", "wait", "go to hall"]);
  assert.deepEqual(await formOf({ goTo: false }), ["go north", "go south", "look", "wait"]);
  assert.equal(await formOf({ order: "cacheable" }), undefined);
});

Deno.test("the authors' variant offers every known place, asks once and uses a plan as it stands", async () => {
  const plans = [PLAN, "Find the attic first."];
  const { requests, events } = await play(["go north", "!no", "wait"], {
    variant: "authors",
    plans,
    maxSteps: 3,
  });
  assert.deepEqual(kinds(events), ["2 malformed-reply", "2 malformed-reply", "2 fallback"]);
  assert.equal(prompt(requests, "ariadne/act", 2)["Current plan"], "Find the attic first.");
  assert.match(
    prompt(requests, "ariadne/act", 2)["Possible actions"] ?? "",
    /go to hall\ngo to kitchen$/,
  );
  const asked = requests.filter(({ role }) => role.startsWith("ariadne/")).length;
  assert.equal(asked, 6, "nothing is asked again");
  const own = await play(["go north", "!no", "wait"], {
    variant: "authors",
    reAsks: 1,
    maxSteps: 2,
  });
  assert.deepEqual(kinds(own.events), [], "an option next to the variant holds over it");
});

Deno.test("createAriadne() asks again, then takes the fallback when the actor answers nonsense", async () => {
  for (
    const nonsense of [
      "I think I should go north.",
      "x".repeat(100_000),
      '{"action": "go north"}',
      '{"action_to_take": ""}',
      '{"action_to_take": 7}',
    ]
  ) {
    const { world, events, requests, outcome } = await play([
      `!${nonsense}`,
      `!${nonsense}`,
      `!${nonsense}`,
      "go north",
    ], { maxSteps: 2 });
    assert.deepEqual(world.taken, ["look", "go north"]);
    assert.deepEqual(kinds(events), ["1 malformed-reply", "1 fallback"]);
    assert.equal(requests.filter(({ role }) => role === "ariadne/act").length, 4);
    assert.equal(outcome.passes[0]?.steps, 2);
    for (const { detail } of events) assert(detail.length < 500);
  }
  const { requests } = await play(["!no", "go north"], { maxSteps: 2, reAsks: 0 });
  assert.equal(requests.filter(({ role }) => role === "ariadne/act").length, 2);
});

Deno.test("a plan that stays unreadable is used as it stands, or leaves the plan as it was", async () => {
  const other = PLAN.replace("Go up", "Stay");
  const nonsense = "up, I think";
  const plans = [other, nonsense, nonsense, nonsense, PLAN];
  for (
    const [unreadablePlan, shown] of [[undefined, /^up, I think$/], ["stays", /Stay/]] as const
  ) {
    const options = { plans, maxSteps: 3, ...unreadablePlan && { unreadablePlan } };
    const { events, requests } = await play(["look", "look", "look"], options);
    assert.deepEqual(kinds(events), ["2 malformed-reply"]);
    assert.match(prompt(requests, "ariadne/act", 2)["Current plan"] ?? "", shown);
    assert.match(prompt(requests, "ariadne/act", 3)["Current plan"] ?? "", /Go up/);
  }
});

Deno.test("createAriadne() tries any action when text is free, and falls back when it is refused", async () => {
  const { world, events, requests } = await play(["go north", "sing", "x".repeat(3000)], {
    world: tinyWorld({ text: true }),
    maxSteps: 3,
  });
  assert.deepEqual(world.taken, ["go north", "look", "look"]);
  assert.deepEqual(kinds(events), [
    "2 invalid-action",
    "2 fallback",
    "3 invalid-action",
    "3 fallback",
  ]);
  assert.equal(prompt(requests, "ariadne/act", 1)["Possible actions"], "(any)");
});
