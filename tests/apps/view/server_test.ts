import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deleteEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import type { GraphView } from "../../../lib/apps/view/graph.ts";
import type { EpisodeView, StepView } from "../../../lib/apps/view/record.ts";
import type { SearchResult } from "../../../lib/apps/view/search.ts";
import { createHandler, type Handler, type HandlerOptions } from "../../../lib/apps/view/server.ts";
import type { StudySummary, StudyView } from "../../../lib/apps/view/studies.ts";
import { createTally } from "../../../lib/apps/view/tally.ts";
import { sampleTurn } from "../../lab/store/samples.ts";
import { fill, HOSTILE } from "./invented.ts";
import { ownFolder } from "../../folder.ts";

const [DONE, RUNNING] = ["a".repeat(16), "b".repeat(16)];
const ADDRESS = "http://127.0.0.1:1";

Deno.test("data of the pages: studies, a study, an episode, its graph, a step", () =>
  served(async ({ json }) => {
    const [study] = await json<StudySummary[]>("data/studies");
    assert.deepEqual([study?.id, study?.title, study?.counts.completed, study?.counts.running], [
      "hunts@mine",
      "Two hunts",
      1,
      1,
    ]);
    assert.deepEqual([study?.spent?.calls, study?.spent?.tokens], [1, 15]);
    const { episodes } = await json<StudyView>("data/study/hunts%40mine");
    assert.deepEqual(
      episodes.map(({ id, status, reached, events }) => [id[0], status, reached, events]),
      [
        ["a", "completed", undefined, { fallback: 1 }],
        ["b", "running", 1, undefined],
      ],
    );
    const { steps } = await json<{ steps: { action?: string; events: string[] }[] }>(
      `data/episode/${DONE}`,
    );
    assert.deepEqual(steps.map(({ action, events }) => [action, events.length]), [[undefined, 0], [
      "go 1",
      1,
    ], ["go 2", 0]]);
    const graph = await json<GraphView>(`data/graph/${DONE}`);
    assert.deepEqual(
      graph.changes.map(({ step, op, triplet }) => [step, op, graph.triplets[triplet]?.[0]]),
      [
        [0, "add", "hall"],
        [1, "add", "cellar"],
        [1, "add", "key"],
        [2, "remove", "key"],
        [2, "add", "key"],
      ],
    );
    const step = await json<StepView>(`data/step/${DONE}/0.1`);
    assert.deepEqual(
      step.calls.map(({ role, promptTokens, reply }) => [role, promptTokens, reply]),
      [
        ["ariadne/act", 12, '{"action_to_take": "go 1"}'],
      ],
    );
    assert.equal(step.turn.observation, HOSTILE);
  }));
Deno.test("search finds text in observations, triplets, replies and prompts, and goes on where it paused", () =>
  served(async ({ json }) => {
    const places = async (kind: string, q: string): Promise<string[]> =>
      (await json<SearchResult>(`data/search/${kind}?q=${encodeURIComponent(q)}`)).hits.map((
        { pass, step, where },
      ) => `${pass}.${step} ${where}`);
    assert.deepEqual(await places("observations", "ONERROR"), ["0.1 observation"]);
    assert.deepEqual(await places("triplets", "key, is in"), [
      "0.1 triplet added",
      "0.2 triplet removed",
      "0.2 triplet added",
    ]);
    assert.deepEqual(await places("replies", "action_to_take"), ["0.1 reply to ariadne/act"]);
    assert.deepEqual(await places("prompts", "hall, has exit"), ["0.1 prompt of ariadne/act"]);
    const from = encodeURIComponent(JSON.stringify([DONE, 0, 2, 0]));
    assert.equal(
      (await json<SearchResult>(`data/search/triplets?q=key&from=${from}`)).hits.length,
      1,
    );
    assert.equal(
      (await json<SearchResult>("data/search/triplets?q=key&from=nonsense")).hits.length,
      0,
    );
  }));
Deno.test("search takes % and _ as they are, and finds the place of a text behind letters whose lower case is longer", () =>
  served(async ({ json, writer }) => {
    putTurn(
      writer,
      sampleTurn({ episode: "b".repeat(16), step: 2, observation: "İİİ the Stone", frames: [] }),
    );
    const find = async (q: string): Promise<string[]> =>
      (await json<SearchResult>(`data/search/observations?q=${encodeURIComponent(q)}`)).hits.map((
        { excerpt, at },
      ) => excerpt.slice(at, at + q.length));
    assert.deepEqual(await find("the stone"), ["the Stone"]);
    for (const q of ["the%stone", "the_stone", "the.stone", "(", '"*']) {
      assert.deepEqual(await find(q), [], q);
    }
  }));

Deno.test("the server refuses what it does not serve, and answers with a strict content security policy", () =>
  served(async ({ answer, get }) => {
    for (
      const [path, status] of [
        ["data/study/none", 404],
        ["data/step/none/1", 404],
        ["data/none", 404],
        ["data/search/none", 400],
        ["..%2F..%2Fetc%2Fpasswd", 404],
        ["%E0%A4%A", 400],
        ["", 200],
      ] as const
    ) {
      const response = await get(path);
      assert.equal(response.status, status, path);
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      await response.body?.cancel();
    }
    assert.equal(
      (await answer(new Request(`${ADDRESS}/data/studies`, { method: "POST" }))).status,
      405,
    );
  }));

Deno.test("a damaged record is answered with one line, which names no path; the error goes to onError", () => {
  const errors: string[] = [];
  return served(async ({ writer, store, get }) => {
    writer.prepare("update episodes set identity = '{' where id = ?").run(DONE);
    const response = await get(`data/episode/${DONE}`);
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.match(text, /^the record could not be read; [^\n]+\n$/);
    assert.ok(!text.includes(store.path));
    assert.equal(errors.length, 1);
  }, { onError: ({ message }) => void errors.push(message) });
});

Deno.test("a damaged reply and a damaged truth hide nothing else of their step, nor of a search", () =>
  served(async ({ json, writer }) => {
    writer.prepare("update packed_truths set truth = '{'").run();
    writer.prepare("update packed_replies set reply = '{'").run();
    const step = await json<StepView>(`data/step/${DONE}/0.1`);
    assert.deepEqual([step.turn.action, step.world, step.calls.map(({ role }) => role)], [
      "go 1",
      undefined,
      ["ariadne/act"],
    ]);
    assert.match(step.calls[0]?.reply ?? "", /damaged: \.\/lab verify/);
    assert.deepEqual((await json<SearchResult>("data/search/replies?q=go")).hits, []);
    assert.equal((await json<SearchResult>("data/search/prompts?q=onerror")).hits.length, 1);
  }));

Deno.test("what is not as it was recorded is named in its study and on its own page", () =>
  served(async ({ json, writer }) => {
    const line = async () =>
      (await json<StudyView>("data/study/hunts@mine")).episodes.find(({ id }) => id === DONE);
    writer.prepare("update packed_turns set score = 7 where episode = ? and step = 1").run(DONE);
    assert.match(
      (await json<EpisodeView>(`data/episode/${DONE}`)).problem ?? "",
      /is damaged \(its rows are not those/,
    );
    const { status, failureKind, score } = await line() ?? {};
    assert.deepEqual([status, failureKind, score], ["failed", "damaged", undefined]);
  }));

Deno.test("calls of an episode that is damaged are in no sum", () =>
  served(async ({ json, writer }) => {
    writer.prepare("update calls set prompt_tokens = prompt_tokens + 1024").run();
    const [study] = await json<StudySummary[]>("data/studies");
    assert.deepEqual([study?.spent?.calls, study?.spent?.tokens], [0, 0]);
  }));

Deno.test("an episode with an action of a megabyte stays small, and other actions that begin alike stay apart from it", () =>
  served(async ({ json, writer }) => {
    for (const [at, end] of ["x", "y"].entries()) {
      putTurn(
        writer,
        sampleTurn({
          episode: RUNNING,
          step: 2 + at,
          action: `${"a".repeat(1e6)}${end}`,
          frames: [],
        }),
      );
    }
    const { steps } = await json<{ steps: { action?: string }[] }>(`data/episode/${RUNNING}`);
    const [one = "", other = ""] = steps.slice(2).map(({ action }) => action);
    assert.ok(one.length < 1000 && one !== other);
  }));

Deno.test("a study whose description is damaged is listed as such beside the others", () =>
  served(async ({ writer, get }) => {
    writer.prepare("insert into studies (id, spec, created_at) values ('torn', '{', 9)").run();
    const listed = await (await get("data/studies")).json() as {
      id: string;
      title: string;
    }[];
    assert.deepEqual(listed.map(({ id, title }) => [id, title.slice(0, 26)]), [[
      "hunts@mine",
      "Two hunts",
    ], [
      "torn",
      "its description is damaged",
    ]]);
    assert.equal((await get("data/study/torn")).status, 200);
    assert.equal((await get("data/study/none")).status, 404);
  }));

Deno.test("a host name that no address can have is refused in one line", () =>
  served(async ({ answer }) => {
    for (const host of ["a b", "[::"]) {
      const response = await answer(
        { method: "GET", url: `http://${host}/`, headers: new Headers() } as Request,
      ); // as Deno.serve hands it over
      assert.deepEqual([response.status, await response.text()], [
        400,
        "the address cannot be read\n",
      ]);
    }
  }));

Deno.test("without a token only this machine's own names are answered", () =>
  served(async ({ answer }) => {
    for (
      const [host, status] of [["localhost:1", 200], ["127.0.0.1:1", 200], ["[::1]:1", 200], [
        "evil.example:1",
        403,
      ], [
        "10.0.0.1",
        403,
      ]] as const
    ) {
      const response = await answer(new Request(`http://${host}/`));
      assert.equal(response.status, status, host);
    }
  }));

Deno.test("with a token the first address signs a browser in, and all else is refused", () =>
  served(async ({ answer }) => {
    const ask = (path: string, cookie = ""): Promise<Response> =>
      answer(new Request(`http://10.0.0.1:1/${path}`, { headers: { cookie } }));
    assert.equal((await ask("data/studies")).status, 403);
    assert.equal((await ask("?token=wrong")).status, 403);
    assert.equal((await ask("", "labyrinth=wrong")).status, 403);
    const signedIn = await ask("?token=secret");
    assert.deepEqual([signedIn.status, signedIn.headers.get("location")], [303, "/"]);
    assert.equal((await ask("/evil.example/?token=secret")).headers.get("location"), "/"); // and to no other host
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    assert.match(cookie, /HttpOnly; SameSite=Strict/);
    assert.equal((await ask("data/studies", cookie.split(";")[0])).status, 200);
  }, { token: "secret" }));

Deno.test("an open page is told of new rows", () =>
  served(async ({ writer, get }) => {
    const { body } = await get("live");
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const until = async (pattern: RegExp): Promise<void> => {
      for (let text = ""; !pattern.test(text);) {
        text += new TextDecoder().decode((await reader.read()).value);
      }
    };
    await until(/^data: /m); // the state at the beginning
    await until(/^: /m); // nothing new
    deleteEpisode(writer, "b".repeat(16));
    await until(/^data: /m);
    await reader.cancel();
  }, { interval: 10 }));

Deno.test("news of changes end, and the server goes on, where the store can no longer be read", () => {
  const errors: string[] = [];
  const tally = {
    complete: false,
    damaged: new Set<string>(),
    catchUp: () => Promise.reject(new Error("gone")),
    spent: () => assert.fail(),
  };
  return served(async ({ get }) => {
    const news = await get("live");
    assert.equal(await news.text(), "retry: 2000\n\n");
    assert.deepEqual(errors, ["gone"]);
    assert.equal((await get("")).status, 200);
  }, { interval: 10, tally, onError: ({ message }) => void errors.push(message) });
});

interface Served {
  readonly answer: Handler["answer"];
  readonly get: (path: string) => Promise<Response>;
  readonly json: <T>(path: string) => Promise<T>;
  /** Read only. */
  readonly store: Store;
  readonly writer: Store;
}

Deno.test("a store that is replaced is not shown as if it were the one of its name", () =>
  served(async ({ writer, get }) => {
    assert.equal((await get("data/studies")).status, 200);
    const stream = await get("live");
    renameSync(writer.path, `${writer.path}.before`);
    writeFileSync(writer.path, "another store");
    const refused = await get("data/studies");
    assert.deepEqual([refused.status, await refused.text()], [
      503,
      "the store was moved, deleted or replaced: start ./lab view again\n",
    ]);
    await stream.text(); // ends
  }, { interval: 10 }));

async function served(
  check: (served: Served) => Promise<void>,
  options: Partial<HandlerOptions> = {},
): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "store.sqlite");
  using writer = openStore(path);
  await fill(writer);
  using store = openStore(path, { readOnly: true });
  const page = new Map([["index.html", "<!DOCTYPE html>"]]);
  const handler = createHandler({
    store,
    tally: createTally(store),
    now: () => 3000,
    page,
    ...options,
  });
  const get = (path: string): Promise<Response> =>
    handler.answer(new Request(`${ADDRESS}/${path}`));
  const json = async <T>(path: string): Promise<T> => await (await get(path)).json();
  try {
    await check({ answer: handler.answer, get, json, store, writer });
  } finally {
    handler.close();
  }
}
