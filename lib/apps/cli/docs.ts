/** `./lab docs`: builds the site of the public interface. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { command } from "./command.ts";
import { userPath } from "./options.ts";

export const main = command({
  name: "docs",
  options: {
    to: {
      value: "folder",
      description: "write the site there",
      defaultDescription: ".lab/docs of the checkout",
    },
  },
}, ({ to }) => {
  const root = checkoutRoot();
  const folder = to === undefined ? join(root, ".lab", "docs") : userPath(to);
  const held = existsSync(folder) ? readdirSync(folder) : [];
  if (held.length > 0 && !held.includes("all_symbols.html")) {
    throw new UsageError(
      `cannot write the site to ${folder}: it holds other files; choose an empty folder with --to`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  const words = ["doc", "--quiet", "--html", "--name=Labyrinth", `--output=${folder}`];
  const { status, stderr } = spawnSync(process.execPath, [...words, ...entryPoints()], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  if (status !== 0) {
    const why = stderr.replace(/\n+Stack backtrace:.*/s, "").trim().replaceAll(/\s+/g, " ");
    throw new UsageError(`cannot build the site in ${folder}: ${why}; choose another with --to`);
  }
  process.stdout.write(`wrote ${join(folder, "index.html")}\n`);
  return 0;
});

export function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(checkoutRoot(), "deno.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.values(exports);
}
