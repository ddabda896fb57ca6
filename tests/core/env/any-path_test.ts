import assert from "node:assert/strict";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Supervisor } from "../../../lib/core/env/server.ts";
import { openSession } from "../../../lib/core/env/session.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("the world server compiles games in a folder with spaces, umlaut and bracket, under LC_ALL=C too", async () => {
  using own = ownFolder();
  const folder = own.path;
  const root = join(folder, "my läb (1)");
  linkWorlds(root);
  using _locale = withVariables({ LC_ALL: "C" });
  const supervisor = new Supervisor(root);
  try {
    const hunt = await openSession(await supervisor.connection(), "textworld/hunt", {});
    assert.match((await hunt.reset()).observation, /Room A/);
    await hunt.close();
  } finally {
    await supervisor.stop();
  }
  const entries = readdirSync(join(root, ".lab", "games"), { withFileTypes: true });
  const kept = entries.filter(({ name }) => !name.endsWith(".parse.z"));
  assert.ok(kept.length < entries.length, "rules of TextWorld, parsed");
  assert.deepEqual(
    kept.map((entry) => entry.isDirectory()).sort(),
    [false, true],
    "the compiled game, and what was made beside it",
  );
});

/**
 * Lays out a checkout's Python worlds as links, with the path of their source in the environment as
 * an installation there would have it.
 */
function linkWorlds(root: string): void {
  const [from, to] = [checkoutRoot(), root].map((base) => join(base, "envs"));
  const linked = (...path: string[]): void =>
    symlinkSync(join(from ?? "", ...path), join(to ?? "", ...path));
  const packages = [
    ".venv",
    "lib",
    readdirSync(join(from ?? "", ".venv", "lib"))[0] ?? "",
    "site-packages",
  ];
  mkdirSync(join(to ?? "", ...packages), { recursive: true });
  linked("src");
  linked(".venv", "bin");
  linked(".venv", "pyvenv.cfg");
  for (const name of readdirSync(join(from ?? "", ...packages))) {
    if (name !== "labyrinth_envs.pth") linked(...packages, name);
  }
  writeFileSync(join(to ?? "", ...packages, "labyrinth_envs.pth"), `${join(to ?? "", "src")}\n`);
}
