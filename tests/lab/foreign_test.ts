/** Studies with memories in other processes: the same play, typed failures, one meter. */

import { withVariables } from "../environment.ts";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { BudgetError, UsageError } from "../../lib/core/errors.ts";
import { serverCommand } from "../../lib/core/env/server.ts";
import type { ChatRequest } from "../../lib/core/llm/chat-model.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { memoryOf } from "../../lib/core/memory/registry.ts";
import { checkoutRoot, env } from "../../lib/core/platform.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { PlannedEpisode, Study } from "../../lib/lab/study.ts";
import { listCalls } from "../../lib/lab/store/calls.ts";
import { listEvents } from "../../lib/lab/store/events.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { listTurns } from "../../lib/lab/store/turns.ts";
import "../../lib/offline/mod.ts";
import { wantsSlow } from "../slow.ts";
import { tinyWorlds as worlds } from "../core/agent/tiny-world.ts";
import { ownFolder } from "../folder.ts";

const FOLDER = join(checkoutRoot(), "tests", "core", "memory", "foreign");
const named = (file: string): string => `python:${join(FOLDER, file)}`;

/** A study of one chain for each memory, with its options. */
function studyOf(
  memories: readonly (readonly [string, Readonly<Record<string, unknown>>])[],
  world = "tiny",
): Study {
  const { chains, ...study } = experiment({ id: "mine", worlds: [world], memories: ["none"] });
  const [chain] = chains;
  const [episode] = chain?.episodes ?? [];
  const planned = memories.map(([memory, options], at) => ({
    id: `chain ${String(at).padStart(2, "0")}`,
    episodes: [{ ...episode as PlannedEpisode, memory, options: { memory: options } }],
  }));
  return { ...study, chains: planned };
}

function played(store: Store, episode: string): unknown[] {
  return listTurns(store, episode).map(({ action, observation, details }) => [
    action,
    observation,
    (details as { recalled?: unknown } | undefined)?.recalled,
  ]);
}

const WRAPPER = [
  process.execPath,
  "run",
  "--quiet",
  "--allow-all",
  "--no-check",
  "--cached-only",
  "--node-modules-dir=manual",
  `--config=${join(checkoutRoot(), "deno.json")}`,
  join(FOLDER, "wrapped.ts"),
];

Deno.test("a memory of ours, wrapped in Python, gives the same prompts, actions and recollections", async () => {
  const deno = env("DENO_DIR") ?? JSON.parse(
    execFileSync(process.execPath, ["info", "--json"], { encoding: "utf8" }),
  ).denoDir;
  const own = ["plain-notes", "rag", "full-history"];
  const wrapped = own.map((id) =>
    [named("wrapped.py"), { id, command: WRAPPER, deno, seconds: 60 }] as const
  );
  const isSlow = wantsSlow("wrapped memories in the real Treasure Hunt");
  const study = studyOf([...own.map((id) => [id, {}] as const), ...wrapped], "textworld/hunt");
  const short = study.chains.map(({ id, episodes }) => ({
    id,
    episodes: episodes.map((episode) => ({
      ...episode,
      options: { ...episode.options, method: { maxSteps: 8 } },
    })),
  }));
  using store = openStore(":memory:");
  const { completed, episodes } = await playStudy({ ...study, chains: short }, {
    store,
    ...(isSlow ? {} : { worlds }),
  });
  assert.equal(completed, 6, JSON.stringify(episodes.map((one) => one.failureMessage)));
  for (const [at] of own.entries()) {
    const [ours, theirs] = [episodes[at]?.id ?? "", episodes[at + own.length]?.id ?? ""];
    const turns = played(store, ours);
    assert.equal(turns.length, isSlow ? 9 : 5);
    assert.deepEqual(played(store, theirs), turns);
    const asked = (id: string): string[] => listCalls(store, id).map(({ key }) => key);
    assert.deepEqual(asked(theirs), asked(ours), "a key is the hash of the whole prompt");
  }
});

const FAULTS: Readonly<Record<string, readonly [string, RegExp]>> = {
  hang: ["memory-timeout", /gave no answer to recall within 1 s$/],
  leak: ["memory-raised", /recall wanted more memory than it may have$/],
  touch: ["memory-died", /has died \(status 1: it took \d+ MiB and may take 512/],
  raises: ["memory-raised", /recall raised RuntimeError: two lines$/],
  leaves: ["memory-died", /has died \(status 3/],
  megabytes: ["memory-reply", /recall gave \d+ bytes and may give 1048576$/],
  titles: ["memory-reply", /recalls no recollection: /],
  statuses: ["memory-reply", /recalls 600000 characters and may recall 500000$/],
  nothing: ["memory-reply", /recall gave NoneType, wanted is a Recollection$/],
  async_observe: ["memory-reply", /observe gave str, wanted is None/],
  "raise-at-once": ["memory-raised", /open raised ValueError: no such store$/],
};
const HARMLESS = ["none", "prints", "markup", "wrong_key", "daemon", "breaks_off"];

Deno.test("a memory with a fault fails its own episode in one line, without a score, and no other", async () => {
  const all = [...Object.keys(FAULTS), ...HARMLESS];
  const study = studyOf(
    all.map((fault) => {
      const limits = fault === "hang" ? { seconds: 1 } : { memoryMb: 512 };
      return [named("faulty.py"), { fault, ...limits }] as const;
    }),
  );
  using store = openStore(":memory:");
  const { episodes } = await playStudy(study, { store, worlds, retryPasses: 0, concurrency: 3 });
  const by = new Map(episodes.map((episode, at) => [all[at], episode]));
  for (const [fault, [kind, message]] of Object.entries(FAULTS)) {
    const { status, failureKind, failureMessage = "", score } = by.get(fault) ?? {};
    assert.deepEqual([fault, status, failureKind, score], [fault, "failed", kind, undefined]);
    assert.match(failureMessage, message);
    assert.ok(!failureMessage.includes("\n"));
  }
  const recalls = (fault: string): string =>
    JSON.stringify(listCalls(store, by.get(fault)?.id ?? "").length);
  for (const fault of HARMLESS) {
    assert.equal(by.get(fault)?.status, "completed", `${by.get(fault)?.failureMessage}`);
    assert.equal(recalls(fault), recalls("none"));
  }
  const [event, ...others] = listEvents(store, by.get("wrong_key")?.id ?? "");
  assert.deepEqual([event?.step, event?.kind, others], [2, "refused-request", []]);
  assert.match(event?.detail ?? "", /^the key is not that of this episode/);
  const processes = execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
  const left = processes.split("\n").filter((args) => args.includes(`serve ${FOLDER}`));
  assert.deepEqual(left, [], "no process is left");
  assert.ok(!processes.includes("sleep 4242"), "no daemon is left");
});

Deno.test("a memory sees no variable of the lab but where its models are", async () => {
  using store = openStore(":memory:");
  const study = studyOf([[named("faulty.py"), { fault: "environment" }]]);
  using _ = withVariables({ LAB_TEST_KEY: "sk-secret" });
  const { completed, episodes } = await playStudy(study, { store, worlds });
  assert.equal(completed, 1);
  const recalled = listTurns(store, episodes[0]?.id ?? "").map(({ details }) =>
    (details as { recalled?: unknown } | undefined)?.recalled
  );
  const [names] = recalled.flatMap((one) => (one as { names?: string[] } | undefined)?.names ?? []);
  assert.match(names ?? "", / OPENAI_API_KEY OPENAI_BASE_URL /);
  assert.doesNotMatch(names ?? "", /LAB_/);
});

/** The processes of the group of each memory that a process has started. */
function groupsOf(parent: number): string[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" })
    .trim().split("\n").map((line) => line.trim().split(/\s+/));
  const groups = rows.filter(([, ppid]) => ppid === String(parent)).map(([pid]) => pid);
  return rows.filter(([, , pgid, stat = ""]) => groups.includes(pgid) && !stat.startsWith("Z"))
    .map(([pid = ""]) => pid);
}

Deno.test("a lab that is killed leaves no process of a memory", async () => {
  const words = [...WRAPPER.slice(1, -1), join(FOLDER, "held.ts"), named("faulty.py")];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  let held: string[] = [];
  while (held.length < 3) { // the memory, what it has started and the guard
    held = groupsOf(child.pid ?? 0);
    await setTimeout(20);
  }
  child.kill("SIGKILL");
  const isThere = (pid: string): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  while (held.some(isThere)) await setTimeout(20);
});

/** A study with a memory that asks a model. */
const asking = (options: Readonly<Record<string, unknown>> = {}): Study => ({
  ...studyOf([[named("asks.py"), options]]),
  models: { "*": "offline", "python/asks": "mine" },
});

/** A model that answers each question of a memory otherwise, and counts. */
function answering(): { model: ReturnType<typeof scripted>; asked: () => number } {
  let asked = 0;
  const model = scripted({ "*": () => `fact ${++asked}` }, { id: "mine" });
  return { model, asked: () => asked };
}

Deno.test("what a memory asks is recorded under its role, and replayed without a call", async () => {
  const { model, asked } = answering();
  const study = asking();
  using store = openStore(":memory:");
  const first = await playStudy(study, { store, worlds, providers: [localProvider(model)] });
  const [{ id = "", status, failureMessage } = {}] = first.episodes;
  assert.equal(status, "completed", `${failureMessage}`);
  const calls = listCalls(store, id).filter(({ role }) => role === "python/asks");
  assert.deepEqual(
    calls.map(({ step, vote }) => [step, vote ?? 0]),
    [1, 2, 3, 4].flatMap((step) => [
      [step, 0],
      [step, 1],
    ]),
  );
  assert.equal(asked(), 8, "the second question of a step is another sample");
  const turns = played(store, id);

  const again = await playStudy({ ...study, id: "again" }, {
    store,
    worlds,
    cacheMode: "replay",
    providers: [localProvider(model)],
  });
  assert.equal(again.completed, 1, `${again.episodes[0]?.failureMessage}`);
  assert.deepEqual(played(store, again.episodes[0]?.id ?? ""), turns);
  assert.equal(asked(), 8, "nothing is asked again");
});

Deno.test("a slow model is no fault of the memory that waits for it, nor of a client that asks again", async () => {
  const { model, asked } = answering();
  const slow = {
    ...model,
    chat: async (request: ChatRequest) => {
      if (asked() === 0) await setTimeout(5500);
      return await model.chat(request);
    },
  };
  const study = asking({ seconds: 5, patience: 1 });
  using store = openStore(":memory:");
  const { episodes } = await playStudy(study, { store, worlds, providers: [localProvider(slow)] });
  assert.equal(episodes[0]?.status, "completed", `${episodes[0]?.failureMessage}`);
  assert.equal(asked(), 8, "a question that a client gave up is answered once");
});

Deno.test("what a memory has asked is stopped when its episode ends", async () => {
  let stopped = 0;
  const model = {
    id: "mine",
    chat: ({ signal }: ChatRequest) =>
      new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => (stopped++, reject(signal.reason)))
      ),
  };
  const study = asking({ patience: 0.2, times: 2 });
  using store = openStore(":memory:");
  const { episodes } = await playStudy(study, {
    store,
    worlds,
    retryPasses: 0,
    providers: [localProvider(model)],
  });
  const [{ failureKind, failureMessage } = {}] = episodes;
  assert.equal(failureKind, "memory-raised", `${failureMessage}`);
  assert.equal(stopped, 1);
});

Deno.test("an exhausted budget pauses the episode, though the memory swallows the error", async () => {
  const model = {
    id: "mine",
    chat: () => Promise.reject(new BudgetError("the study's cap is spent: raise it")),
  };
  const study = asking();
  using store = openStore(":memory:");
  const { episodes } = await playStudy(study, {
    store,
    worlds,
    providers: [localProvider(model)],
  });
  const { status, failureKind, failureMessage } = episodes[0] ?? {};
  assert.deepEqual([status, failureKind], ["paused", "budget"]);
  assert.match(failureMessage ?? "", /cap is spent/);
});

Deno.test("editing the file of a memory plays its episodes again, moving it does not", async () => {
  using own = ownFolder();
  const folder = own.path;
  const file = join(folder, "faulty.py");
  copyFileSync(join(FOLDER, "faulty.py"), file);
  const { id, version } = memoryOf(named("faulty.py"));
  assert.deepEqual(memoryOf(`python:${file}`).version, version);
  assert.deepEqual([memoryOf(`python:${file}`).id, id], ["python:faulty.py", "python:faulty.py"]);
  using store = openStore(":memory:");
  const said: string[] = [];
  const play = async (name: string): Promise<unknown> =>
    (await playStudy(studyOf([[name, {}]]), {
      store,
      worlds,
      onNotice: (what) => said.push(what),
    }))
      .completed;
  assert.deepEqual([await play(named("faulty.py")), await play(`python:${file}`)], [1, 1]);
  assert.deepEqual(said, []);
  writeFileSync(file, `${readFileSync(file, "utf8")}\n# edited\n`);
  assert.notEqual(memoryOf(`python:${file}`).version, version);
  assert.equal(await play(`python:${file}`), 1);
  assert.match(
    said.join(),
    /faulty.py or what it uses was edited: 1 recorded episode of mine is/,
  );
  assert.throws(() => memoryOf(`python:${folder}/none.py`), UsageError);
  assert.throws(() => memoryOf("python:no.such.module:Memory"), /cannot find no\.such\.module/);
  assert.match(memoryOf("python:labyrinth_memory.types:Memory").version, /sha256:[0-9a-f]{64}$/);
});

Deno.test("the next episode of a chain starts from what the memory saved", async () => {
  const study = studyOf([[named("faulty.py"), {}]]);
  const [chain] = study.chains;
  const twice = [{ id: "two", episodes: [...chain?.episodes ?? [], ...chain?.episodes ?? []] }];
  using store = openStore(":memory:");
  const { completed, episodes } = await playStudy({ ...study, chains: twice }, { store, worlds });
  assert.equal(completed, 2, episodes.map((one) => one.failureMessage).join());
  assert.equal(episodes[1]?.artefactIn, episodes[0]?.artefactOut);
  assert.ok(episodes[0]?.artefactOut);
});

const SERVER = `mcp:${serverCommand()} ${join(FOLDER, "mcp_server.py")}`;

Deno.test("an MCP server is a memory: what a tool wrote another one finds, in the next episode too", async () => {
  const [chain] = studyOf([[SERVER, {}]]).chains;
  const study = studyOf([]);
  const twice = [{ id: "two", episodes: [...chain?.episodes ?? [], ...chain?.episodes ?? []] }];
  using store = openStore(":memory:");
  const { episodes } = await playStudy({ ...study, chains: twice }, { store, worlds });
  assert.deepEqual(
    episodes.map(({ status, memory, failureMessage }) => [status, memory, failureMessage]),
    [1, 2].map(() => ["completed", "mcp:python mcp_server.py", undefined]),
  );
  const lines = episodes.map(({ id }) =>
    listTurns(store, id).map(({ details }) =>
      (details as { recalled?: { memory: string[] } } | undefined)?.recalled?.memory ?? []
    )
  );
  assert.match(lines[0]?.[1]?.[0] ?? "", /"name": "step 1".*Hall/);
  assert.equal(lines[0]?.[1]?.length, 1);
  assert.ok((lines[1]?.[1]?.length ?? 0) > 1, "the second episode starts from the first");
});

Deno.test("a mapping names tools, is part of the identity, and a tool that there is not fails the episode", async () => {
  const mapping = {
    environment: { MEMORY_FILE_PATH: "{folder}/m" },
    write: { tool: "fly", arguments: {} },
    search: { tool: "search_nodes", arguments: { query: "{plan}" } },
  };
  using own = ownFolder();
  const folder = own.path;
  writeFileSync(join(folder, "mapping.json"), JSON.stringify(mapping));
  const entry = memoryOf(SERVER);
  const read = entry.options.parse({ mapping: join(folder, "mapping.json") });
  assert.deepEqual(read.mapping, mapping);
  assert.throws(() => entry.options.parse({ mapping: folder }), /cannot read the mapping/);
  using store = openStore(":memory:");
  const { episodes } = await playStudy(studyOf([[SERVER, { mapping }]]), { store, worlds });
  assert.equal(episodes[0]?.failureKind, "memory-raised");
  assert.match(episodes[0]?.failureMessage ?? "", /the tool fly failed: there is no such tool/);
});
