import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lab } from "./captured.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

/**
 * Runs `./lab data --json` over some files of a data folder; the name of a set → what is said of
 * it.
 */
async function dataOver(
  files: Readonly<Record<string, string>>,
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  using own = ownFolder();
  const folder = own.path;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  using _folders = withVariables({ LAB_DATA: folder, ALFWORLD_DATA: join(folder, "alfworld") });
  const { status, out, err } = await lab("data", "--json");
  assert.deepEqual([status, err], [0, ""]);
  return new Map((JSON.parse(out) as { name: string }[]).map((set) => [set.name, set]));
}

/** A game of the official set with its description. */
function household(name: string, game: string): Record<string, string> {
  const folder = `alfworld/json_2.1.1/valid_unseen/${name}/trial_1`;
  return {
    [`${folder}/game.tw-pddl`]: game,
    [`${folder}/traj_data.json`]: '{"task_type": "look_at_obj_in_light"}',
  };
}

const claim = { id: 1, label: "SUPPORTS", claim: "Tarn lies in Ostrea.", evidence: [] };

Deno.test("data says of each set whether it is missing, truncated, whole or broken, with its first record", async () => {
  const sets = await dataOver({
    "fever/paper_dev.jsonl": `${JSON.stringify(claim)}\n`.repeat(9999),
    "hotpotqa/hotpot_dev_v1_simplified.json": JSON.stringify([{
      question: "Where?",
      answer: "here",
    }]),
    "musique/musique_ans_v1.0_dev.jsonl": '{"id": "2hop',
    "wiki/wiki-pages/wiki-001.jsonl": "",
    ...household("look_at_obj", '{"solvable": true}'),
    ...household("pick_and_place", '{"solvable": false}'),
    ...household("movable_recep", '{"solvable": true}'),
  });
  const said = (name: string): unknown[] =>
    ["state", "found", "published", "first"].map((key) => sets.get(name)?.[key]);
  assert.deepEqual(said("fever"), ["whole", 9999, 9999, "Tarn lies in Ostrea. → SUPPORTS"]);
  assert.deepEqual(said("hotpotqa-simplified"), ["truncated", 1, 7405, "Where? → here"]);
  assert.deepEqual(said("musique"), ["broken", 0, 2417, undefined]);
  assert.match(String(sets.get("musique")?.problem), /truncated/);
  assert.deepEqual(said("hotpotqa"), ["missing", 0, 7405, undefined]);
  assert.deepEqual(said("wiki-pages"), ["truncated", 1, 109, undefined]);
  assert.deepEqual(said("alfworld-valid_unseen"), ["truncated", 1, 134, undefined]);
});

Deno.test("data names the publisher and the path of every set", async () => {
  const { out } = await lab("data");
  const names = [
    ..."hotpotqa musique fever wiki-pages locomo longmemeval_s".split(" "),
    "memory-agent Conflict_Resolution",
    "alfworld-train",
  ];
  for (const name of names) assert.ok(out.includes(`${name}  `), name);
  assert.equal(out.match(/published by /g)?.length, 18);
  assert.equal(
    out.match(/study wese-quick --games official/g)?.length,
    5,
    "its paragraphs of HotpotQA lie in the other file",
  );
});
