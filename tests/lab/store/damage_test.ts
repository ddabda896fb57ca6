import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { StoreError } from "../../../lib/core/errors.ts";
import { episodes } from "../../../lib/lab/frames.ts";
import { putArtefact } from "../../../lib/lab/store/artefacts.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";
import { CHECKED_STORE, dropBroken, excludeBroken } from "../../../lib/lab/store/damage.ts";
import {
  endEpisode,
  listEpisodes,
  putEpisode,
  startEpisode,
} from "../../../lib/lab/store/episodes.ts";
import { mergeStore } from "../../../lib/lab/store/merge.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { listTurns, putTurn } from "../../../lib/lab/store/turns.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import { withVariables } from "../../environment.ts";
import { call, numbersOf, PASS, replyRow, STUDY, withFile } from "./filled.ts";
import { samplePlan, sampleTurn } from "./samples.ts";

const NOT_RECORDED = "its rows are not those that were recorded";

Deno.test("excludeBroken() names a changed row, and the episode counts as failed and has no rows until it is played again", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update packed_turns set score = 5 where episode = 'bbbb' and step = 6");
    store.database.exec("update packed_turns set score = 5 where episode = 'dddd' and step = 6");
    const { broken, rows } = numbersOf(store);
    const line = (id: string) =>
      `the episode ${id} is damaged (${NOT_RECORDED}) and counts as missing: the next run plays it again from its replies`;
    assert.deepEqual(broken, [line("bbbb"), line("dddd")]);
    const states = () =>
      listEpisodes(store).map(({ status, failureKind }) => failureKind ?? status);
    assert.deepEqual(states(), ["completed", "damaged", "completed", "damaged"]);
    assert.equal(rows.length, 4);
    assert.deepEqual(listTurns(store, "bbbb"), []);
    assert.deepEqual(dropBroken(store, STUDY), [line("bbbb"), line("dddd")]);
    assert.deepEqual(states(), ["completed", "completed"]);
    putEpisode(store, samplePlan({ id: "bbbb", study: STUDY, ordinal: 1 }));
    startEpisode(store, "bbbb", 3);
    putTurn(store, sampleTurn({ episode: "bbbb" }));
    endEpisode(store, "bbbb", { status: "completed", passes: [PASS] }, 4);
    assert.equal(listTurns(store, "bbbb").length, 1, "played again, it is shown again");
    assert.deepEqual(excludeBroken(store, STUDY), []);
  }));

Deno.test("excludeBroken() leaves out a store that the process which started this one has checked", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update packed_turns set score = 5 where episode = 'bbbb' and step = 6");
    {
      using _other = withVariables({ [CHECKED_STORE]: `${path}.other` });
      assert.equal(excludeBroken(store, STUDY).length, 1, "another store was checked");
    }
    using _checked = withVariables({ [CHECKED_STORE]: path });
    assert.deepEqual(dropBroken(store, STUDY), []);
  }));

Deno.test("verifyStore() finds whole, open and broken episodes, and takes in a call after the end", () =>
  withFile((path) => {
    using store = openStore(path);
    putCall(store, call("aaaa", 9));
    store.database.exec("delete from graph_changes where episode = 'bbbb' and step = 3");
    store.database.exec("delete from digests where episode = 'cccc'");
    const { episodes, problems, replies } = verifyStore(store);
    assert.deepEqual(episodes.map(({ state }) => state), ["whole", "broken", "broken", "open"]);
    assert.equal(episodes[1]?.problem, NOT_RECORDED);
    assert.deepEqual([problems, replies], [[], { whole: 20, broken: 0 }]);
  }));

Deno.test("excludeBroken() refuses a store whose episodes or studies are not as they were recorded", () => {
  for (
    const damage of [
      "update episodes set study = 'other' where id = 'aaaa'",
      "update studies set created_at = 7",
      "update studies set spec = '{}'",
      "delete from episodes where id = 'aaaa'",
      "delete from studies",
      "drop table digests",
    ]
  ) {
    withFile((path) => {
      using store = openStore(path);
      store.database.exec(
        `pragma foreign_keys = off; insert into studies (id, spec, created_at) values ('other', '{}', 2); ${damage}`,
      );
      assert.throws(() => excludeBroken(store, STUDY), {
        name: "StoreError",
        kind: "damaged",
        message: /is damaged .*\.\/lab merge/,
      });
    });
  }
});

Deno.test("mergeStore() copies what is whole of a damaged store into a new one and names the rest", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec(
      "update packed_turns set goal = 'other' where episode = 'bbbb' and step = 2",
    );
    store.database.exec(`update packed_replies set reply = '{}' where key = '${replyRow(3).key}'`);
    store.database.exec(`update packed_replies set key = 'z' where key = '${replyRow(4).key}'`); // no hash begins so
    using made = openStore(path.replace("lab", "whole"));
    const { added, conflicts } = mergeStore(made, path);
    assert.deepEqual(added, { studies: 1, episodes: 3, replies: 18, artefacts: 0 });
    assert.deepEqual(conflicts, [
      `the episode bbbb of study, hunt/arigraph/1, 1 is left out: ${NOT_RECORDED}`,
      "2 replies are not as they were recorded: they are left out",
    ]);
    assert.deepEqual(
      verifyStore(made).episodes.map(({ episode, state }) => `${episode} ${state}`),
      ["aaaa whole", "cccc whole", "dddd open"],
    );
    assert.deepEqual(listTurns(made, "aaaa"), listTurns(store, "aaaa"));
  }));

Deno.test("mergeStore() leaves out an episode whose artefact is damaged, so that it is played again", () =>
  withFile((path) => {
    using store = openStore(path);
    const artefactOut = putArtefact(store, { kind: "arigraph", body: { triplets: [1, 2] } });
    endEpisode(store, "cccc", { status: "completed", passes: [PASS], artefactOut }, 2);
    store.database.exec("update artefacts set kind = 'other'");
    using made = openStore(path.replace("lab", "whole"));
    const { added, conflicts } = mergeStore(made, path);
    assert.deepEqual([added.episodes, added.artefacts], [3, 0]);
    assert.match(
      conflicts.join("\n"),
      /the episode cccc of .* is left out: the artefact [0-9a-f]{16} is lost$/,
    );
    assert.deepEqual(verifyStore(made).problems, []);
    assert.deepEqual(listEpisodes(made).map(({ id }) => id), ["aaaa", "bbbb", "dddd"]);
  }));

Deno.test("mergeStore() takes episodes and replies where a page of the file cannot be read", () =>
  withFile((path) => {
    const bytes = readFileSync(path);
    const size = bytes.readUInt16BE(16);
    const copy = `${path}.damaged`;
    let saved = 0;
    for (let page = 2; page < bytes.length / size; page += 3) {
      copyFileSync(path, copy);
      const damaged = Uint8Array.from(bytes);
      damaged.fill(0, page * size, (page + 1) * size);
      writeFileSync(copy, damaged);
      try {
        using made = openStore(`${path}.${page}`);
        saved += mergeStore(made, copy).added.episodes;
        assert.deepEqual(verifyStore(made).episodes.filter(({ state }) => state === "broken"), []);
      } catch (error) {
        assert.ok(error instanceof StoreError, `${(error as Error).stack}`);
      }
    }
    assert.ok(saved > 0);
  }));

Deno.test("openStore() reads a store that cannot be written", () =>
  withFile((path) => {
    using store = openStore(path, { readOnly: true });
    assert.equal(store.readOnly, true);
    assert.deepEqual(excludeBroken(store, STUDY), []);
    assert.equal(episodes(store, STUDY).height, 4);
    assert.throws(() => putStudy(store, { id: "x", spec: {}, createdAt: 1 }), {
      name: "StoreError",
      kind: "disk",
    });
  }));
