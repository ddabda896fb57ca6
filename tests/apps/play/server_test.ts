/** The protocol of the page to play on, over an invented world. */

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { MeasuredEnvironment, Turn, WorldEntry } from "../../../lib/core/env/mod.ts";
import { WorldError } from "../../../lib/core/errors.ts";
import { createPlayHandler, type PlayHandlerOptions } from "../../../lib/apps/play/server.ts";
import type { Moment, SessionView } from "../../../lib/apps/play/session-view.ts";
import { episodes } from "../../../lib/lab/frames.ts";
import { listEpisodes } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { listTurns } from "../../../lib/lab/store/turns.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import type { Handler } from "../../../lib/apps/view/server.ts";
import { until } from "../../core/env/processes.ts";
import { HOSTILE } from "../view/invented.ts";

const ADDRESS = "http://127.0.0.1:1";

Deno.test("two people play at once, each by a link; who ends stands in the tables, who leaves does not", () =>
  served(async ({ post, start, look, store, world }) => {
    const [a, b] = [await start({ name: "Ada" }), await start({ name: "" })];
    await post<Moment>(`act/${a}`, { step: 0, action: "pull", note: "It moves." });
    const { turn, actions } = await post<Moment>(`act/${b}`, { step: 0, action: "wait" });
    assert.deepEqual([turn.observation, turn.step, actions], ["A lever.", 1, ["pull", "wait"]]);
    assert.equal((await post<Moment>(`act/${a}`, { step: 1, action: "pull" })).turn.ended, "won");
    assert.equal(world.open, 1);
    assert.deepEqual([(await look(a)).name, (await look(b)).name], ["Ada", undefined]);
    assert.match(
      await refused(post(`act/${a}`, { step: 2, action: "pull" })),
      /^400 this game is over/,
    );

    const [first = "", second = ""] = [a, b].map((link) => link.split(".")[0]);
    const rows = listEpisodes(store, { study: "human" }).map(({ id, status, score, steps }) => ({
      id,
      status,
      score,
      steps,
    }));
    assert.deepEqual(rows.find(({ id }) => id === first), {
      id: first,
      status: "completed",
      score: 2,
      steps: 2,
    });
    assert.equal(rows.find(({ id }) => id === second)?.status, "running");
    assert.deepEqual(episodes(store, "human").getColumn("episode").toArray(), [first]);
    const [reset, pulled] = listTurns(store, first);
    assert.equal((reset?.details["player"] as { name: string }).name, "Ada");
    assert.match((reset?.details["player"] as { consent: string }).consent, /^I agree/);
    assert.deepEqual(pulled?.details, { note: "It moves." });
    assert.ok(
      !JSON.stringify(listTurns(store, first)).includes(a.split(".")[1] ?? ""),
      "the key of a link is not in the record",
    );
  }));

Deno.test("a session whose player is gone is paused; its link takes it up, at another server too", () =>
  served(async ({ post, start, look, store, handler, again, world }) => {
    const link = await start();
    const page = (await get(handler, `live/${link}`)).body?.getReader();
    await post(`act/${link}`, { step: 0, action: "pull" });
    await setTimeout(30);
    assert.equal(statusOf(store), "running"); // somebody is there
    await page?.cancel();
    assert.ok(
      await until(() => statusOf(store) === "paused" && world.open === 0),
      "waited in vain",
    );
    assert.equal(episodes(store, "human").height, 0);

    assert.deepEqual((await look(link)).turns.map(({ action }) => action), [undefined, "pull"]);
    assert.equal(statusOf(store), "running");
    handler.close();
    assert.deepEqual([statusOf(store), world.open], ["paused", 0]);
    assert.match(await refused(look(link)), /^503/);

    const other = again();
    assert.equal((await look(link, other)).turns.length, 2);
    assert.equal(
      (await post<Moment>(`act/${link}`, { step: 1, action: "pull" }, other)).turn.ended,
      "won",
    );
    assert.equal(statusOf(store), "completed");
    assert.deepEqual(verifyStore(store).episodes.map(({ state }) => state), ["whole"]);
    other.close();
  }, { patience: 10, beat: 5 }));

Deno.test("a world that dies is played again to where it stood; one that answers otherwise ends nothing", () =>
  served(async ({ post, start, look, store, world, handler, again }) => {
    const link = await start();
    await post(`act/${link}`, { step: 0, action: "pull" });
    world.dies = true;
    assert.equal(
      (await post<Moment>(`act/${link}`, { step: 1, action: "wait" })).turn.observation,
      "The lever has been pulled 1 times.",
    );
    handler.close();
    world.text = "Another lever has been pulled";
    const other = again();
    assert.match(await refused(look(link, other)), /^503 the world has changed since you played/);
    assert.deepEqual([statusOf(store), world.open], ["paused", 0]);
    other.close();
  }));

Deno.test("text of players and worlds stays text, and what is no step takes none", () =>
  served(async ({ post, start, look, world, store }) => {
    world.text = HOSTILE;
    const link = await start({ name: "<b>Ada</b>\u001b[31m" });
    const { player } = listTurns(store, link.split(".")[0] ?? "")[0]?.details as {
      player: { name: string };
    };
    assert.deepEqual([(await look(link)).name, player.name], Array(2).fill("<b>Ada</b>\uFFFD[31m"));
    await post(`act/${link}`, { step: 0, action: "pull", note: HOSTILE });
    const { turns } = await look(link);
    assert.deepEqual([turns[1]?.details["note"], turns[1]?.observation], [
      HOSTILE,
      `${HOSTILE} 1 times.`,
    ]);
    assert.match(
      await refused(post(`act/${link}`, { step: 1, action: "dance" })),
      /^400 you cannot dance/,
    );
    assert.match(
      await refused(post(`act/${link}`, { step: 0, action: "wait" })),
      /^400 this game continued in another window/,
    );
    assert.match(
      await refused(post(`act/${link}`, { step: 1, action: "  " })),
      /^400 action: an action is missing/,
    );
    assert.equal((await look(link)).turns.length, 2);
  }));

Deno.test("nobody gets in without a link, from another page, or without consent; nobody sets a parameter", () =>
  served(async ({ post, start, handler, store }) => {
    const link = await start();
    assert.deepEqual(listEpisodes(store)[0]?.worldParams, {});
    for (
      const wrong of [link.slice(0, -1), link.split(".")[0] ?? "", `${link.split(".")[0]}.`, "x"]
    ) {
      assert.deepEqual([
        (await get(handler, `data/session/${wrong}`)).status,
        (await get(handler, `live/${wrong}`)).status,
      ], [404, 404]);
      assert.match(
        await refused(post(`act/${wrong}`, { step: 0, action: "pull" })),
        /^404 no game has this address/,
      );
    }
    assert.match(
      await refused(start({ consent: false })),
      /^400 consent: without your consent nothing can be recorded/,
    );
    assert.match(
      await refused(start({ params: { path: "/etc/passwd" } })),
      /^400 the request: .*"params"/,
    );
    for (const world of ["file", "broken"]) {
      assert.match(await refused(start({ world })), /^400 ".*" cannot be played here/);
    }
    assert.match(
      await refused(start({ name: "x".repeat(70_000) })),
      /^400 the request is too long/,
    );
    const { games } = await (await get(handler, "data/offer")).json() as { games: unknown };
    assert.deepEqual(games, [{ id: "lever", doc: "A lever." }]);
    for (const origin of ["http://evil.example", undefined]) {
      const headers = { "content-length": "2", ...origin && { origin } };
      const answer = await handler.answer(
        new Request(`${ADDRESS}/data/act/${link}`, { method: "POST", body: "{}", headers }),
      );
      assert.match(await answer.text(), /^only this server's own page can do this/);
    }
    assert.equal(
      (await handler.answer(new Request("http://rebound.example/data/offer"))).status,
      403,
    );
    assert.match(
      (await get(handler, "")).headers.get("content-security-policy") ?? "",
      /default-src 'none'/,
    );
    assert.equal(listEpisodes(store).length, 1);
  }));

Deno.test("a server of one game offers that one alone, and with a token nothing without it", () =>
  served(async ({ handler, start, store }) => {
    assert.equal((await get(handler, "")).status, 403);
    const cookie = (await get(handler, "?token=secret")).headers.get("set-cookie")?.split(";")[0] ??
      "";
    assert.equal(cookie, "labyrinth-1=secret"); // of this port alone
    const offer = await handler.answer(
      new Request(`${ADDRESS}/data/offer`, { headers: { cookie } }),
    );
    assert.deepEqual((await offer.json() as { games: unknown }).games, [{
      id: "lever",
      doc: "A lever.",
    }]);
    await start({}, { cookie });
    assert.deepEqual(listEpisodes(store)[0]?.worldParams, { seed: 5 });
  }, { token: "secret", game: { world: "lever", params: { seed: 5 } } }));

/** What a refused request was told: its status and text. */
async function refused(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => assert.fail("it was not refused"),
    ({ message }: Error) => message,
  );
}

function statusOf(store: Store): string | undefined {
  return listEpisodes(store)[0]?.status;
}

async function get(handler: Handler, path: string): Promise<Response> {
  return await handler.answer(new Request(`${ADDRESS}/${path}`));
}

/** Pulled twice, the lever is won. */
class Lever {
  open = 0;
  /** Whether the next step is the world's last. */
  dies = false;
  text = "The lever has been pulled";

  opened(): MeasuredEnvironment {
    let [pulls, isOpen] = [0, true];
    const turn = (): Turn => ({
      ...{
        goal: "Pull it.",
        observation: pulls === 0 ? "A lever." : `${this.text} ${pulls} times.`,
        sections: {},
        frames: [],
        score: pulls,
        maxScore: 2,
      },
      end: pulls === 2 ? "won" : undefined,
    });
    this.open += 1;
    const actions = ["pull", "wait"].map((name) => ({
      name,
      params: [],
      description: name,
      explores: false,
    }));
    return {
      spec: {
        id: "lever",
        version: "1",
        parameters: {},
        sections: [],
        actions,
        fallback: "wait",
        identity: "1".repeat(64),
      },
      reset: () => Promise.resolve(turn()),
      step: (action) => {
        if (this.dies) {
          this.dies = false;
          return Promise.reject(new WorldError("worker-died", "it died"));
        }
        if (action !== "pull" && action !== "wait") {
          return Promise.reject(new WorldError("bad-action", `you cannot ${action}`));
        }
        if (action === "pull") pulls += 1;
        return Promise.resolve(turn());
      },
      validActions: () => Promise.resolve(["pull", "wait"]),
      truth: () => Promise.resolve({}),
      close: () => {
        if (isOpen) this.open -= 1;
        isOpen = false;
        return Promise.resolve();
      },
    };
  }
}

const CATALOGUE: readonly WorldEntry[] = [
  {
    id: "broken",
    doc: "It lacks something.",
    parameters: {},
    problem: "/home/somebody is missing",
  },
  {
    id: "file",
    doc: "A file.",
    parameters: { properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    id: "lever",
    doc: "A lever.",
    parameters: { properties: { seed: { type: "integer", default: 0 } } },
  },
];

interface Served {
  readonly handler: Handler;
  readonly store: Store;
  readonly world: Lever;
  /** Another server over the same store. */
  readonly again: () => Handler;
  readonly post: <T>(
    path: string,
    body: unknown,
    handler?: Handler,
    headers?: Record<string, string>,
  ) => Promise<T>;
  readonly start: (body?: object, headers?: Record<string, string>) => Promise<string>;
  readonly look: (link: string, handler?: Handler) => Promise<SessionView>;
}

async function served(
  check: (served: Served) => Promise<void>,
  options: Partial<PlayHandlerOptions> = {},
): Promise<void> {
  using store = openStore(":memory:");
  const world = new Lever();
  const worlds = { open: () => Promise.resolve(world.opened()) };
  const again = (): Handler =>
    createPlayHandler({
      store,
      worlds,
      now: () => 0,
      catalogue: CATALOGUE,
      page: new Map([["index.html", ""]]),
      ...options,
    });
  const handler = again();
  const read = async <T>(answer: Response): Promise<T> => {
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  const post: Served["post"] = async (path, body, to = handler, more = {}) => {
    const text = JSON.stringify(body);
    const headers = { origin: ADDRESS, "content-length": String(text.length), ...more };
    return await read(
      await to.answer(
        new Request(`${ADDRESS}/data/${path}`, { method: "POST", body: text, headers }),
      ),
    );
  };
  const start: Served["start"] = async (body = {}, headers = {}) =>
    (await post<{ link: string }>(
      "start",
      { world: "lever", name: "", consent: true, ...body },
      handler,
      headers,
    )).link;
  const look: Served["look"] = async (link, from = handler) =>
    await read(await get(from, `data/session/${link}`));
  try {
    await check({ handler, store, world, again, post, start, look });
  } finally {
    handler.close();
  }
}
