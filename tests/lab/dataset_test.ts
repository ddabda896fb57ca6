/** A study as a folder to publish: read by hand, by `mlcroissant`, and by Harbor's validator of ATIF. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../lib/core/errors.ts";
import { sha256 } from "../../lib/core/text/canonical.ts";
import { writeDataset } from "../../lib/lab/dataset.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { episodes, steps } from "../../lib/lab/frames.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { listAnswered } from "../../lib/lab/store/calls.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { listTurns } from "../../lib/lab/store/turns.ts";
import "../../lib/offline/mod.ts";
import { tinyWorlds as worlds } from "../core/agent/tiny-world.ts";
import { withVariables } from "../environment.ts";
import { slowTest } from "../slow.ts";
import { uv } from "../uv.ts";

const root = mkdtempSync(join(tmpdir(), "labyrinth-dataset-"));
const store = openStore(":memory:");
let folder = "";

Deno.test.beforeAll(async () => {
  const memories = ["none", "plain-notes"];
  await playStudy(experiment({ id: "mine", worlds: ["tiny"], memories }), { store, worlds });
  folder = writeDataset(store, "mine", root);
});
Deno.test.afterAll(() => {
  store.database.close();
  rmSync(root, { recursive: true });
});

interface Metadata {
  readonly license: string;
  readonly distribution: readonly { readonly contentUrl: string; readonly sha256: string }[];
  readonly recordSet: readonly { readonly field: readonly { readonly name: string }[] }[];
}

Deno.test("Croissant metadata has the digest and the columns of each table, and the licence", () => {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const metadata = JSON.parse(read("croissant.json")) as Metadata;
  assert.match(metadata.license, /MIT licence.* each world's texts are under the licence/s);
  const tables = ["episodes.csv", "steps.csv", "calls.csv", "passes.csv", "graph_steps.csv"];
  assert.deepEqual(metadata.distribution.map(({ contentUrl }) => contentUrl), tables);
  for (const [at, { contentUrl, sha256: digest }] of metadata.distribution.entries()) {
    assert.equal(digest, sha256(readFileSync(join(folder, contentUrl))));
    const [header = ""] = read(contentUrl).split("\n");
    assert.equal(metadata.recordSet[at]?.field.map(({ name }) => name).join(), header);
  }
  assert.equal(read("episodes.csv").trimEnd().split("\n").length, 1 + 2);
  assert.match(read("README.md"), /^---\nlicense: other\n.*"completed": 2\n.*## Licence\n/s);
});

interface Trajectory {
  readonly steps: readonly {
    readonly source: string;
    readonly message: string;
    readonly tool_calls?: readonly { readonly arguments: { readonly action: string } }[];
    readonly observation?: { readonly results: readonly { readonly content: string }[] };
    readonly llm_call_count?: number;
  }[];
  readonly final_metrics: Readonly<Record<string, number>>;
}

Deno.test("a trajectory has the goal, the replies that chose, the actions, and all tokens", () => {
  const files = readdirSync(join(folder, "trajectories"));
  assert.equal(files.length, 2);
  for (const file of files) {
    const id = file.replace(".json", "");
    const text = readFileSync(join(folder, "trajectories", file), "utf8");
    const { steps: [first, ...steps], final_metrics } = JSON.parse(text) as Trajectory;
    const [reset, ...turns] = listTurns(store, id);
    assert.equal(first?.source, "user");
    assert.equal(first?.message, `${reset?.goal}\n\n${reset?.observation}`);
    assert.deepEqual(
      steps.map((step) => [
        step.tool_calls?.[0]?.arguments.action,
        step.observation?.results[0]?.content,
      ]),
      turns.map(({ action, observation }) => [action, observation]),
    );
    for (const step of steps) { // plan, then act
      assert.deepEqual([step.source, step.llm_call_count], ["agent", 2]);
      const chosen = JSON.parse(step.message) as { action_to_take?: string };
      assert.equal(chosen.action_to_take, step.tool_calls?.[0]?.arguments.action);
    }
    const calls = listAnswered(store, id);
    assert.equal(
      final_metrics["total_prompt_tokens"],
      calls.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    );
  }
});

Deno.test("a folder that exists, a study without episodes and a key in a text are refused, and leave nothing", () => {
  const refused = (study: string, at: string, why: RegExp): void =>
    assert.throws(
      () => writeDataset(store, study, at),
      (error) => error instanceof UsageError && why.test(error.message),
    );
  refused("mine", root, /^cannot write the data of mine: .*mine exists$/);
  refused("other", root, /^cannot write the data of other: no episode is completed$/);
  const elsewhere = join(root, "elsewhere");
  const [{ observation = "" } = {}] = listTurns(store, String(episodes(store, "mine").row(0)[0]));
  using _key = withVariables({ LABYRINTH_TEST_KEY: observation.slice(0, 20) });
  refused("mine", elsewhere, /holds the value of LABYRINTH_TEST_KEY/);
  assert.deepEqual(readdirSync(elsewhere), []);
});

const CROISSANT = `
import sys, mlcroissant
dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.ctx.issues
assert not issues.errors and not issues.warnings, issues
for table in dataset.metadata.record_sets:
    print(table.name if isinstance(table.name, str) else table.uuid, sum(1 for _ in dataset.records(table.uuid)))
`;

slowTest(
  "mlcroissant accepts the metadata, reads each row, and refuses a changed table",
  async () => {
    const check = async (): Promise<string> => {
      const words = ["run", "--quiet", "--no-project", "--with", "mlcroissant==1.1.1", "python"];
      const path = join(folder, "croissant.json");
      return await uv([...words, "-c", CROISSANT, path]);
    };
    const printed = await check();
    assert.match(printed, /^episodes 2$/m);
    assert.match(printed, new RegExp(`^steps ${steps(store, "mine").height}$`, "m"));
    const table = join(folder, "steps.csv");
    const whole = readFileSync(table, "utf8");
    writeFileSync(table, whole.replace("1", "2"));
    await assert.rejects(check, /is not identical/);
    writeFileSync(table, whole);
  },
);

slowTest("Harbor's validator accepts every trajectory, and none with a step left out", async () => {
  const harbor = join(root, "harbor"); // the package wants Python 3.12; its validator runs on 3.11
  const words = ["pip", "install", "--quiet", "--no-deps", "--target", harbor];
  await uv([...words, "--python-version", "3.12", "harbor==0.26.0"]);
  const validate = (file: string): Promise<unknown> =>
    uv([
      ...["run", "--quiet", "--no-project", "--with", "pydantic==2.14.3"],
      ...["python", "-m", "harbor.utils.trajectory_validator", file],
    ], { env: { PYTHONPATH: harbor } });
  const files = readdirSync(join(folder, "trajectories")).map((file) =>
    join(folder, "trajectories", file)
  );
  assert.ok(files.length === 2 && existsSync(join(harbor, "harbor")));
  for (const file of files) await validate(file);
  const broken = join(root, "broken.json");
  const whole = JSON.parse(readFileSync(files[0] ?? "", "utf8")) as Trajectory;
  writeFileSync(broken, JSON.stringify({ ...whole, steps: whole.steps.slice(1) }));
  await assert.rejects(validate(broken), /expected 1 \(sequential from 1\)/);
});
