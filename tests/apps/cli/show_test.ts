import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import { localProvider } from "../../../lib/core/llm/providers.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putEvents } from "../../../lib/lab/store/events.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { lab } from "./captured.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("show lists studies and episodes, the steps of one, and all of one step", () =>
  inFolder(async (path) => {
    const list = await lab("show", "--store", path);
    assert.equal(list.status, 0, list.err);
    assert.match(list.out, /a study\n/);
    assert.match(list.out, / {2}abcd1234 {2}chain 1 {2}3 of 5 in 2 steps, won/);
    assert.match(list.out, / {2}abff5678 {2}chain 2 {2}paused \(quota\)/);

    const episode = await lab("show", "abcd", "--store", path);
    assert.match(
      episode.out,
      /ariadne with arigraph, model offline, attempt 1: 3 of 5 in 2 steps, won/,
    );
    assert.match(episode.out, / 0 {2}\(reset\) +score 0/);
    assert.match(episode.out, / 1 {2}go north +score 3 {2}3 triplets {2}! fallback/);

    const step = await lab("show", "abcd", "1", "--store", path);
    for (
      const shown of [
        /action: go north/,
        /score: 3 of 5/,
        /ariadne\/act, mine, paid: prompt/,
        /\[system\]\S*\nChoose\./,
        /### Observation\nA hall\./,
        /reply\S*\n\{"action_to_take": "go north"\}/,
        /\+ hall, is north of, room/,
        /fallback: look/,
        /"why": "because"/,
        /You are in a room\./,
      ]
    ) assert.match(step.out, shown);
  }));

Deno.test("show lists the episodes of a study whose id it is given, and no others", () =>
  inFolder(async (path) => {
    {
      using store = openStore(path);
      for (const id of ["abcd1234", "empty"]) putStudy(store, { id, spec: {}, createdAt: 0 }); // the former is an episode's id, too
      putEpisode(store, samplePlan({ id: "eeee5678", study: "abcd1234", chain: "chain 3" }));
    }
    const { status, out, err } = await lab("show", "a study", "--store", path);
    assert.deepEqual([status, err, out.match(/\w{4}\d{4}/g)], [0, "", ["abcd1234", "abff5678"]]);
    assert.match(out, / {2}abff5678 {2}chain 2 {2}paused \(quota\)\n$/);
    assert.deepEqual(
      (JSON.parse((await lab("show", "abcd1234", "--store", path, "--json")).out) as {
        id: string;
      }[]).map(({ id }) => id),
      [
        "eeee5678",
      ],
    );
    assert.match((await lab("show", "empty", "--store", path)).out, /nothing is recorded yet/);
    const step = await lab("show", "a study", "1", "--store", path);
    assert.deepEqual([step.status, step.out], [2, ""]);
    assert.match(
      step.err,
      /a study is a study, which has no steps: \.\/lab show "a study" lists its episodes, which do\n$/,
    );
  }));

Deno.test("show --json prints one JSON value", () =>
  inFolder(async (path) => {
    const json = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await lab("show", ...args, "--store", path, "--json")).out);
    assert.deepEqual((await json() as { id: string }[]).map((row) => row.id), [
      "abcd1234",
      "abff5678",
    ]);
    const { episode, steps } = await json("abcd1234") as {
      episode: { score: number };
      steps: { action?: string }[];
    };
    assert.deepEqual([episode.score, steps.map((step) => step.action)], [3, [
      undefined,
      "go north",
    ]]);
    const step = await json("abcd1234", "0.1") as {
      calls: { role: string; reply: string; prompt: { role: string }[] }[];
      changes: unknown[];
    };
    assert.deepEqual(
      step.calls.map(({ role, prompt }) => [role, prompt.map((said) => said.role)]),
      [["ariadne/act", ["system", "user"]]],
    );
    assert.equal(step.changes.length, 1);
  }));

Deno.test("show names the pictures of a step, and writes them with --pictures", () =>
  inFolder(async (path) => {
    const folder = join(dirname(path), "pictures");
    const { out } = await lab("show", "abcd", "1", "--store", path, "--pictures", folder);
    assert.match(out, new RegExp(`\\(picture ${PICTURE_HASH}\\)`));
    assert.deepEqual(readdirSync(folder), [`${PICTURE_HASH}.png`]);
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, `${PICTURE_HASH}.png`))), PICTURE);
    assert.match(
      (await lab("show", "abcd", "--store", path, "--pictures", folder)).err,
      /--pictures writes those of one step/,
    );
  }));

Deno.test("show refuses what is not there in one line", () =>
  inFolder(async (path) => {
    const cases: [string[], number, RegExp][] = [
      [["zzzz"], 1, /holds no episode zzzz; \.\/lab show lists them/],
      [["acbd"], 1, /holds no episode acbd; did you mean "abcd"\?/],
      [["ab"], 1, /several episodes that begin with ab/],
      [["abcd", "9"], 2, /has no step 9; its last is 0\.1/],
      [["abcd", "last"], 2, /"last" is not a step/],
      [["abff", "0"], 2, /none is recorded/],
      [["a", "1", "2"], 2, /unexpected "2"; see \.\/lab show --help/],
    ];
    const refused = async (args: string[], status: number, message: RegExp): Promise<void> => {
      const told = await lab("show", ...args);
      assert.deepEqual([told.status, told.out], [status, ""], args.join(" "));
      assert.match(told.err, message);
      assert.equal(told.err.trimEnd().split("\n").length, 1);
    };
    for (const [args, ...wanted] of cases) await refused([...args, "--store", path], ...wanted);
    await refused(["--store", `${path}.none`], 1, /there is no store at/);
  }));

/** The one picture that a model is shown; its SHA-256 is that of "abc", FIPS 180-4. */
const PICTURE = new TextEncoder().encode("abc");
const PICTURE_HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** A store with two episodes; a call is recorded on the first one's step 1. */
async function inFolder(work: (store: string) => Promise<void>): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  using store = openStore(path);
  putStudy(store, { id: "a study", spec: {}, createdAt: 0 });
  const episode = "abcd1234";
  putEpisode(store, samplePlan({ id: episode, study: "a study", chain: "chain 1" }));
  putEpisode(store, samplePlan({ id: "abff5678", study: "a study", chain: "chain 2" }));
  putTurn(store, sampleTurn({ episode, details: {} }));
  putTurn(
    store,
    sampleTurn({ episode, step: 1, action: "go north", score: 3, details: { why: "because" } }),
    {
      changes: [{
        episode,
        pass: 0,
        step: 1,
        ordinal: 0,
        op: "add",
        subject: "hall",
        relation: "is north of",
        object: "room",
      }],
    },
  );
  putEvents(store, [{ episode, pass: 0, step: 1, ordinal: 0, kind: "fallback", detail: "look" }]);
  endEpisode(store, episode, {
    status: "completed",
    passes: [{ kind: "only", score: 3, maxScore: 5, steps: 2, end: "won" }],
  }, 0);
  endEpisode(store, "abff5678", {
    status: "paused",
    failureKind: "quota",
    failureMessage: "empty",
  }, 0);
  const model = createModels({
    map: { "*": "mine" },
    store,
    codeVersion: "test",
    episode,
    providers: [localProvider(scripted(['{"action_to_take": "go north"}'], { id: "mine" }))],
  });
  const ask = createAsker({ model, sample: { attempt: 1, pass: 0, step: 1 } });
  const prompt = {
    role: "ariadne/act",
    instructions: "Choose.",
    sections: { observation: "Observation" },
  };
  // Twice, as a resumed run asks again: shown once.
  for (let i = 0; i < 2; i++) {
    await ask(prompt, { observation: "A hall." }, {
      parse: (value) => ({ kind: "ok", value }),
      images: [PICTURE],
    });
  }
  await store.settled();
  await work(path);
}
