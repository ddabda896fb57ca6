import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Captured, lab } from "./captured.ts";
import { withVariables } from "../environment.ts";

Deno.test("reproduce leaves out each part in a world that is not installed", () =>
  without(["nle", "textworld"], async (reproduce) => {
    const { status, out, err } = await reproduce("arigraph", "--only", "nethack,rl-benchmark");
    for (const [part, world, name] of [["nethack", "nethack", "nle"], ["rl-benchmark", "textworld/rl-benchmark", "textworld"]]) {
      const line = `^lab: arigraph-${part}\\S* is left out: Cannot open ${world}: No module named '${name}'; install .* LAB_WORLDS=.*$`;
      assert.match(err, new RegExp(line, "m"));
    }
    assert.doesNotMatch(err, /Traceback/);
    assert.deepEqual([status, out], [1, ""]);
  }));

Deno.test("reproduce plays the other worlds of a study when one of them is not installed", () =>
  without(["alfworld"], async (reproduce, figures) => {
    const { status, err } = await reproduce("wese", "--only", "alfworld,fever,act", "--incomplete");
    assert.match(err, /Cannot open alfworld: No module named 'alfworld'; install /);
    assert.equal(status, 1);
    assert.ok(readdirSync(figures).some((name) => name.startsWith("wese-table4")));
  }));

/** Runs `./lab reproduce` in folders of its own, where the world server finds none of these Python packages. */
async function without(
  names: readonly string[],
  work: (reproduce: (...args: string[]) => Promise<Captured>, figures: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-absent-"));
  const figures = join(folder, "figures");
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "__init__.py"), `raise ModuleNotFoundError("No module named '${name}'", name="${name}")\n`);
  }
  using _path = withVariables({ PYTHONPATH: folder });
  try {
    await work((...args) => lab("reproduce", ...args, "--store", join(folder, "lab.sqlite"), "--figures", figures), figures);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
