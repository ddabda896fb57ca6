import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withVariables } from "../../environment.ts";
import { lab } from "./captured.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("reproduce leaves out each part in a world that is not installed", async () => {
  using own = ownFolder();
  const folder = own.path;
  mkdirSync(join(folder, "scienceworld"));
  const missing =
    `raise ModuleNotFoundError("No module named 'scienceworld'", name="scienceworld")\n`;
  writeFileSync(join(folder, "scienceworld", "__init__.py"), missing);
  using _path = withVariables({ PYTHONPATH: folder });
  const { status, out, err } = await lab(
    "reproduce",
    "reasonplanner",
    "--models",
    "offline",
    "--store",
    join(folder, "lab.sqlite"),
    "--figures",
    folder,
  );
  assert.match(err, /Cannot open scienceworld: No module named 'scienceworld'; /);
  assert.match(err, /05_reasonplanner_scienceworld is not run/);
  assert.doesNotMatch(err, /Traceback/);
  assert.deepEqual([status, out], [1, ""]);
});
