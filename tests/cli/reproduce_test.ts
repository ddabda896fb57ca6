import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { lockForRun } from "../../lib/store/lock.ts";
import { openStore } from "../../lib/store/open.ts";
import { listTurns } from "../../lib/store/turns.ts";
import { endEpisode, listEpisodes } from "../../lib/store/episodes.ts";
import { startEndpoint } from "../lab/endpoint.ts";
import { lab, writtenFiles } from "./captured.ts";
import { withVariables } from "../environment.ts";

process.env.OPENAI_API_KEY ??= "none";

// One world server serves all that is played in this process.
const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());
const ONE_GAME = ["--only", "cooking,arigraph,full-history", "--attempts", "1"];

Deno.test("reproduce plays, prints ours beside the paper's, writes the files, and run again plays nothing", () =>
  inFolder(async (folder) => {
    const places = ["--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const first = await lab("reproduce", "arigraph", ...ONE_GAME, ...places);
    assert.equal(first.status, 0, first.err);
    assert.match(first.out, /\| Method \| Cooking \|/);
    assert.match(first.out, /\| AriGraph, stand-in: all \| \d\.\d\d/);
    assert.match(first.out, /\| AriGraph, paper .* \| 1\.00 \|/, "the paper's Table 4");
    assert.match(first.err, /textworld\/cooking\|arigraph\|1 completed: \d+ of 11 after \d+ steps; \d\/2 done/);
    const files = writtenFiles(first.out);
    for (const end of [".md", ".tex", ".svg", ".pdf", ".png", ".csv"]) assert.ok(files.some((file) => file.endsWith(end)), end);
    assert.ok(files.every((file) => readFileSync(file).length > 0));
    const answered = files.filter((file) => !file.includes("arigraph-map-")); // a map is drawn from the game alone
    assert.ok(
      answered.length < files.length && answered.every((file) => file.includes("offline")),
      "every name says who read",
    );

    const again = await lab("reproduce", "arigraph", ...ONE_GAME, ...places, "--json");
    const value = JSON.parse(again.out);
    assert.deepEqual([again.status, value.planned, value.completed, value.files.length], [0, 2, 2, files.length]);
    assert.equal(again.err, "", "nothing is played");
  }));

Deno.test("reproduce --only rl-benchmark and random-walk play each its study and draw Figures 4 and 6", () =>
  inFolder(async (folder) => {
    const places = ["--models", "offline", "--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const benchmark = await lab("reproduce", "arigraph", "--only", "rl-benchmark,rl-1-0,rl-1-0-gata,arigraph,random", ...places);
    assert.equal(benchmark.status, 0, benchmark.err);
    assert.match(benchmark.out, /\| AriGraph, stand-in, doors closed \| [01]\.\d\d \|/);
    assert.match(benchmark.out, /\| Random actions, stand-in, doors open \| [01]\.\d\d \|/);
    assert.match(benchmark.out, /GATA, LTL-GATA and EXPLORER.*figure only/);
    assert.match(benchmark.out, /arigraph-fig4-offline\.svg/);
    const walk = await lab("reproduce", "arigraph", "--only", "random-walk", "--attempts", "1", ...places);
    assert.equal(walk.status, 0, walk.err);
    const frame = readFileSync(join(folder, "figures", "arigraph-fig6-offline.csv"), "utf8").trim().split("\n");
    assert.equal(frame[0], "backbone,step,walks,triplets,least,most,updateRate");
    assert.equal(frame.length, 1 + 150);
  }));

Deno.test("reproduce parks where nobody answers, says how to go on, and ends with an endpoint as if nothing had been", () =>
  inFolder(async (folder) => {
    const map = join(folder, "map.json");
    const point = (baseUrl: string): void => writeFileSync(map, JSON.stringify({ "*": { model: "counted", baseUrl } }));
    const args = [
      "reproduce",
      "arigraph",
      "--only",
      "hunt,full-history",
      "--attempts",
      "1",
      "--models",
      map,
      "--store",
      join(folder, "lab.sqlite"),
      "--figures",
      folder,
    ];
    let gone: string;
    {
      await using endpoint = await startEndpoint();
      gone = endpoint.baseUrl;
    }
    point(gone);
    const parked = await lab(...args);
    assert.equal(parked.status, 1);
    assert.match(parked.err, /0 of 1 episodes are completed; 1 parked \(no-endpoint: .*\): run the same command again to resume/);
    assert.equal(parked.out, "", "no table without a number");

    await using endpoint = await startEndpoint();
    point(endpoint.baseUrl);
    const resumed = await lab(...args);
    assert.equal(resumed.status, 0, resumed.err);
    assert.match(resumed.out, /Full History, counted: all/);
    assert.equal(new Set(endpoint.answered).size, endpoint.answered.length, "no call is asked twice");
    using store = openStore(join(folder, "lab.sqlite"));
    const [episode] = listEpisodes(store);
    assert.ok(episode && listTurns(store, episode.id).length === (episode.steps ?? 0) + 1);
  }));

Deno.test("--incomplete reports what is on record where no model can be asked or no world opened any more, and only that", () =>
  inFolder(async (folder) => {
    const map = join(folder, "map.json");
    const keyEnv = "LABYRINTH_TEST_KEY";
    const args = ["reproduce", "arigraph", "--only", "hunt,full-history", "--attempts", "2", "--models", map, "--figures", folder];
    const store = ["--store", join(folder, "lab.sqlite")];
    await using endpoint = await startEndpoint();
    const play = async (model: object, ...more: string[]): Promise<Awaited<ReturnType<typeof lab>>> => {
      writeFileSync(map, JSON.stringify({ "*": { model: "counted", ...model } }));
      return await lab(...args, ...more);
    };
    const played = await play({ baseUrl: endpoint.baseUrl }, ...store);
    assert.equal(played.status, 0, played.err);
    {
      using opened = openStore(join(folder, "lab.sqlite")); // as if the quota had not lasted for the second attempt
      const [, second] = listEpisodes(opened);
      endEpisode(opened, second?.id ?? "", { status: "parked", failureKind: "quota", failureMessage: "the quota is used up" }, 0);
    }
    const asked = endpoint.answered.length;

    const refused = await play({ keyEnv }, ...store);
    assert.deepEqual([refused.status, refused.out], [2, ""]);
    assert.match(refused.err, /^lab: [^\n]*no key for counted: set LABYRINTH_TEST_KEY[^\n]*\n$/);
    const shown = await play({ keyEnv }, ...store, "--incomplete");
    assert.equal(shown.status, 1);
    assert.match(shown.out, /Full History/);
    assert.match(shown.err, /is reported as it stands: [^\n]*no key for counted[^\n]*\n[^\n]*1 of 2 episodes are completed; 1 parked/);
    assert.equal(endpoint.answered.length, asked);

    for (const more of [["--store", join(folder, "other.sqlite"), "--incomplete"], [...store, "--incomplete", "--fresh"]]) {
      const { status, err } = await play({ keyEnv }, ...more);
      assert.deepEqual([status, err.trimEnd().split("\n").length], [2, 1], err);
      assert.match(err, /no key for counted/);
    }

    const worldless = async (...more: string[]): Promise<Awaited<ReturnType<typeof lab>>> => {
      using _worlds = withVariables({ LAB_WORLDS: "tcp://127.0.0.1:9", LAB_WORLDS_KEYS: folder });
      return await play({ baseUrl: endpoint.baseUrl }, ...store, ...more);
    };
    assert.match((await worldless()).err, /^lab: cannot read the keys of this client [^\n]*\n$/);
    const { out, err } = await worldless("--incomplete");
    assert.match(out, /Full History/);
    assert.match(err, /is reported as it stands: cannot read the keys of this client/);
    const wrong = await worldless("--incomplete", "--budget", "much");
    assert.deepEqual([wrong.status, wrong.err], [2, 'lab: --budget wants a number above 0, not "much"\n']);
  }));

Deno.test("a model that cannot be asked and a role without one are one line, before anything is played", () =>
  inFolder(async (folder) => {
    const map = join(folder, "map.json");
    const refused = async (content: unknown, ...only: string[]): Promise<string> => {
      writeFileSync(map, JSON.stringify(content));
      const { status, out, err } = await lab("reproduce", "arigraph", ...only, "--models", map, "--store", join(folder, "lab.sqlite"));
      assert.deepEqual([status, out, err.trimEnd().split("\n").length], [2, "", 1], err);
      return err;
    };
    assert.match(await refused({ "*": { model: "mine", keyEnv: "LABYRINTH_NO_SUCH_KEY" } }), /no key for mine: set LABYRINTH_NO_SUCH_KEY/);
    // The questions would be played after the walks: their role is looked for before these.
    const unbound = await refused({ "arigraph/*": "offline" }, "--only", "random-walk,questions");
    assert.match(unbound, /arigraph-questions@offline: no model is bound to the role answer\/answer/);
    using store = openStore(join(folder, "lab.sqlite"));
    assert.deepEqual(listEpisodes(store), []);
  }));

Deno.test("Ctrl-C before the first step, and figures that cannot be written, are one line; the same command goes on", () =>
  inFolder(async (folder) => {
    const file = join(folder, "lab.sqlite");
    const args = ["reproduce", "arigraph", "--only", "cooking,arigraph", "--attempts", "1", "--store", file];
    const press = setInterval(() => process.listenerCount("SIGINT") > 0 && process.emit("SIGINT"), 1);
    const stopped = await lab(...args, "--figures", folder).finally(() => clearInterval(press));
    assert.deepEqual([stopped.status, stopped.out], [130, ""], stopped.err);
    assert.match(stopped.err, /(^|\n)lab: interrupted by the user; run the same command again to go on\n$/);
    assert.doesNotMatch(stopped.err, /after [1-9]\d* steps/);

    const blocked = await lab(...args, "--figures", file);
    assert.deepEqual([blocked.status, blocked.out], [2, ""], blocked.err);
    assert.match(blocked.err, /\nlab: cannot write tables and figures to .*--figures.*what was played is kept\n$/);

    const written = await lab(...args, "--figures", folder);
    assert.deepEqual([written.status, written.err], [0, ""], "nothing is played twice");
  }));

Deno.test("Ctrl-C in the midst of a part leaves those that follow, with --incomplete too", () =>
  inFolder(async (folder) => {
    const file = join(folder, "lab.sqlite");
    const begun = (): string[] => {
      using store = openStore(file);
      return listEpisodes(store).filter(({ status }) => status !== "planned").map(({ study }) => study);
    };
    const press = setInterval(() => process.listenerCount("SIGINT") > 0 && begun().length > 0 && process.emit("SIGINT"), 50);
    const args = ["reproduce", "arigraph", "--only", "random-walk,questions", "--incomplete", "--concurrency", "1", "--json"];
    const stopped = await lab(...args, "--store", file, "--figures", folder).finally(() => clearInterval(press));
    assert.equal(stopped.status, 130, stopped.err);
    assert.match(stopped.err, /lab: 0 of 5 episodes are completed; 1 parked \(interrupted: .*resume; 4 not begun\n/);
    assert.match(stopped.err, /\nlab: interrupted by the user; run the same command again to go on\n$/);
    assert.deepEqual(JSON.parse(stopped.out).parts.map(({ study }: { study: string }) => study), [
      "arigraph-random-walk@offline",
    ]);
    assert.deepEqual([...new Set(begun())], ["arigraph-random-walk@offline"]);
  }));

Deno.test("study --dry-run counts what is recorded and prices what is left, and plays nothing", () =>
  inFolder(async (folder) => {
    const store = join(folder, "lab.sqlite");
    const blank = await lab("study", "arigraph-quick", "--dry-run", "--store", store);
    assert.equal(blank.status, 0, blank.err);
    assert.match(blank.out, /54 planned, 0 completed, 54 to play/);
    assert.match(blank.out, /nothing on record compares with 54 episodes: play them with --models offline/);
    assert.match(blank.out, /^price +unknown$/m);
    assert.equal(
      (await lab(
        "reproduce",
        "arigraph",
        "--only",
        "cooking,full-history",
        "--attempts",
        "1",
        "--models",
        "offline",
        "--store",
        store,
        "--figures",
        folder,
      ))
        .status,
      0,
    );
    const priced = JSON.parse((await lab("study", "arigraph-quick@gpt-4o", "--dry-run", "--json", "--store", store)).out);
    assert.deepEqual([priced.planned, priced.toPlay, priced.unknown, priced.callsRecorded], [54, 54, 52, 0]);
    assert.ok(priced.callsToPay > 50, JSON.stringify(priced));
    assert.equal(priced.dollars, undefined); // a part of the sum is no price
    const conditions: { toPlay: number; unknown: number }[] = priced.conditions;
    assert.deepEqual([sum(conditions.map(({ toPlay }) => toPlay)), sum(conditions.map(({ unknown }) => unknown))], [54, 52]);
  }));

Deno.test("bad input and a store in use are one line that names the remedy", () =>
  inFolder(async (folder) => {
    const store = join(folder, "lab.sqlite");
    const wording = join(folder, "wording.json");
    writeFileSync(wording, JSON.stringify({ "ariadne/dance": "Dance." }));
    const cases: [string[], number, RegExp][] = [
      [["reproduce", "alphago"], 2, /no paper "alphago"; there are arigraph/],
      [["reproduce", "--only", "hunt"], 2, /name the paper, arigraph/],
      [["reproduce", "arigraph", "--speed"], 2, /--speed.*see \.\/lab reproduce --help/],
      [["reproduce", "arigraph", "--only", "chess"], 2, /--only chess.*hunt/],
      [["reproduce", "arigraph", "--only", "rl-benchmark,chess"], 2, /--only chess.*rl-1-0/],
      [["reproduce", "arigraph", "--only", "rl-benchmark", "--games", folder], 2, /holds no game/],
      [["reproduce", "arigraph", "--only", "random-walk,hunt"], 2, /leave out --games and other names/],
      [["reproduce", "--attempts", "two"], 2, /--attempts wants a whole number/],
      [["reproduce", "--attempts", "1e9"], 2, /--attempts wants a whole number from 1 to 10000/],
      [["toString"], 2, /no command "toString"; there are reproduce/],
      [["reproduce", "--budget", "0"], 2, /--budget wants a number above 0/],
      [["reproduce", "--prompts", join(folder, "none.json")], 2, /cannot read the prompts .*JSON object of role/],
      [["reproduce", "--prompts", wording], 2, /no role for the prompts .*"ariadne\/dance".*ariadne\/plan, ariadne\/act/],
      [["reproduce", "--embedder", "magic", "--figures", folder], 2, /no embedder "magic"; choose hub/],
      [["reproduce", "--replies", "sometimes"], 2, /record, replay, off/],
      [["reproduce", "arigraph", "--games", join(folder, "none")], 2, /cannot read the folder of games/],
      [["study", "nothing"], 2, /choose arigraph-quick or .*arigraph-full/],
      [["study"], 2, /argument 'id'; see \.\/lab study --help/],
      [["study", "arigraph-quick", "--dry-run", "--budget", "abc"], 2, /--budget wants a number above 0, not "abc"/],
      [["study", "arigraph-quick", "--dry-run", "--in-flight", "0"], 2, /--in-flight wants a whole number above 0/],
      [["reproduce", "--concurrency", "0.5", "--replies", wording], 2, /--concurrency wants a whole number above 0/],
    ];
    for (const [args, status, message] of cases) {
      const refused = await lab(...args, "--store", store);
      assert.deepEqual([refused.status, refused.out], [status, ""], args.join(" "));
      assert.match(refused.err, message);
      assert.equal(refused.err.trimEnd().split("\n").length, 1, refused.err);
    }
    using open = openStore(store);
    using _lock = lockForRun(open);
    const locked = await lab("reproduce", "arigraph", ...ONE_GAME, "--store", store);
    assert.equal(locked.status, 1);
    assert.match(locked.err, /^lab: another run is writing to the store .*--store\n$/);
  }));

/** A folder of the test's own. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-cli-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
