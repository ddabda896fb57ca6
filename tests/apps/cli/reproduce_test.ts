import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { lockForRun } from "../../../lib/lab/store/lock.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listTurns } from "../../../lib/lab/store/turns.ts";
import { listEpisodes } from "../../../lib/lab/store/episodes.ts";
import { startEndpoint } from "../../lab/endpoint.ts";
import { lab } from "./captured.ts";
import { inFolder } from "../../folder.ts";

process.env.OPENAI_API_KEY ??= "none";

// One world server serves all that is played in this process.
const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());
const ONE_GAME = ["--only", "cooking,arigraph,full-history", "--attempts", "1"];

Deno.test("a study parks where nobody answers, says how to go on, and ends with an endpoint as if nothing had been", () =>
  inFolder(async (folder) => {
    const map = join(folder, "map.json");
    const point = (baseUrl: string): void =>
      writeFileSync(map, JSON.stringify({ "*": { model: "counted", baseUrl } }));
    const args = [
      ..."study arigraph-quick --only hunt,full-history --attempts 1 --models".split(" "),
      map,
      "--store",
      join(folder, "lab.sqlite"),
    ];
    let gone: string;
    {
      await using endpoint = await startEndpoint();
      gone = endpoint.baseUrl;
    }
    point(gone);
    const paused = await lab(...args);
    assert.equal(paused.status, 1);
    assert.match(
      paused.err,
      /0 of 1 episodes are completed; 1 paused \(no-endpoint: .*\): run the same command again to resume/,
    );

    await using endpoint = await startEndpoint();
    point(endpoint.baseUrl);
    const resumed = await lab(...args);
    assert.equal(resumed.status, 0, resumed.err);
    assert.equal(
      new Set(endpoint.answered).size,
      endpoint.answered.length,
      "no call is asked twice",
    );
    using store = openStore(join(folder, "lab.sqlite"));
    const [episode] = listEpisodes(store);
    assert.ok(episode && listTurns(store, episode.id).length === (episode.steps ?? 0) + 1);
  }));

Deno.test("a model that cannot be asked and a role without one are one line, before anything is played", () =>
  inFolder(async (folder) => {
    const map = join(folder, "map.json");
    const refused = async (content: unknown): Promise<string> => {
      writeFileSync(map, JSON.stringify(content));
      const { status, out, err } = await lab(
        "reproduce",
        "arigraph",
        "--models",
        map,
        "--store",
        join(folder, "lab.sqlite"),
      );
      assert.deepEqual([status, out, err.trimEnd().split("\n").length], [2, "", 1], err);
      return err;
    };
    assert.match(
      await refused({ "*": { model: "mine", keyEnv: "LABYRINTH_NO_SUCH_KEY" } }),
      /no key for mine: set LABYRINTH_NO_SUCH_KEY/,
    );
    // The questions would be played after the games: their role is looked for before these.
    const unbound = await refused({
      "arigraph/*": "offline",
      "ariadne/*": "offline",
      "reflexion/*": "offline",
      "summary/*": "offline",
      "simulacra/*": "offline",
    });
    assert.match(unbound, /no model is bound to the role /);
    using store = openStore(join(folder, "lab.sqlite"));
    assert.deepEqual(listEpisodes(store), []);
  }));

Deno.test("Ctrl-C before the first step is one line; the same command goes on, and a third plays nothing", () =>
  inFolder(async (folder) => {
    const args = [
      ..."study arigraph-quick --only cooking,arigraph --attempts 1 --store".split(" "),
      join(folder, "lab.sqlite"),
    ];
    const press = setInterval(
      () => process.listenerCount("SIGINT") > 0 && process.emit("SIGINT"),
      1,
    );
    const stopped = await lab(...args).finally(() => clearInterval(press));
    assert.equal(stopped.status, 130, stopped.err);
    assert.match(
      stopped.err,
      /(^|\n)lab: interrupted by the user; run the same command again to go on\n$/,
    );
    assert.doesNotMatch(stopped.err, /after [1-9]\d* steps/);
    assert.equal((await lab(...args)).status, 0);
    const again = await lab(...args);
    assert.deepEqual([again.status, again.err], [0, ""], "nothing is played twice");
  }));

Deno.test("study --dry-run counts what is recorded and prices what is left, and plays nothing", () =>
  inFolder(async (folder) => {
    const store = join(folder, "lab.sqlite");
    const blank = await lab("study", "arigraph-quick", "--dry-run", "--store", store);
    assert.equal(blank.status, 0, blank.err);
    assert.match(blank.out, /54 planned, 0 completed, 54 to play/);
    assert.match(
      blank.out,
      /nothing on record compares with 54 episodes: play a few of them first/,
    );
    assert.match(blank.out, /^price +unknown$/m);
    assert.equal(
      (await lab(
        ..."study arigraph-quick --only cooking,full-history --attempts 1 --models offline --store"
          .split(" "),
        store,
      ))
        .status,
      0,
    );
    const priced = JSON.parse(
      (await lab("study", "arigraph-quick@gpt-4o", "--dry-run", "--json", "--store", store)).out,
    );
    assert.deepEqual([priced.planned, priced.toPlay, priced.unknown, priced.callsRecorded], [
      54,
      54,
      52,
      0,
    ]);
    assert.ok(priced.callsToPay > 50, JSON.stringify(priced));
    assert.equal(priced.dollars, undefined); // a part of the sum is no price
    const conditions: { toPlay: number; unknown: number }[] = priced.conditions;
    assert.deepEqual([
      sum(conditions.map(({ toPlay }) => toPlay)),
      sum(conditions.map(({ unknown }) => unknown)),
    ], [54, 52]);
  }));

Deno.test("bad input and a store in use are one line that names the remedy", () =>
  inFolder(async (folder) => {
    const store = join(folder, "lab.sqlite");
    const wording = join(folder, "wording.json");
    writeFileSync(wording, JSON.stringify({ "ariadne/dance": "Dance." }));
    const cases: Readonly<Record<string, RegExp>> = {
      "reproduce --speed": /--speed.*see \.\/lab reproduce --help/,
      "study arigraph-quick --only chess": /--only chess.*hunt/,
      "study arigraph-quick --attempts two": /--attempts must be a positive whole number/,
      "toString": /no command "toString"; there are reproduce/,
      [`study arigraph-quick --prompts ${store}.none`]:
        /cannot read the prompts .*JSON object of role/,
      [`study arigraph-quick --prompts ${wording}`]:
        /no role for the prompts .*"ariadne\/dance".*ariadne\/plan, ariadne\/act/,
      "study arigraph-quick --embedder magic": /no embedder "magic"; choose hub/,
      "reproduce --replies sometimes": /record, replay, off/,
      [`study arigraph-quick --games ${store}.none`]: /cannot read the folder of games/,
      "study nothing": /choose arigraph-quick or .*arigraph-full/,
    };
    for (const [line, message] of Object.entries(cases)) {
      const refused = await lab(...line.split(" "), "--store", store);
      assert.deepEqual([refused.status, refused.out], [2, ""], line);
      assert.match(refused.err, message);
      assert.equal(refused.err.trimEnd().split("\n").length, 1, refused.err);
    }
    using open = openStore(store);
    using _lock = lockForRun(open);
    const locked = await lab("study", "arigraph-quick", ...ONE_GAME, "--store", store);
    assert.equal(locked.status, 1);
    assert.match(locked.err, /^lab: another run is writing to the store .*--store\n$/);
  }));

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
