/**
 * Odd words on the command line: files that are none, numbers that are none, names of other things.
 * None prints a stack trace.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lab } from "../apps/cli/captured.ts";
import { chaosDraw, FULL } from "./generators.ts";
import { ownFolder } from "../folder.ts";

const WORDS = [
  "",
  "nosuch",
  "../..",
  "\u001b[31m",
  "x".repeat(3000),
  "__proto__",
  "constructor",
  "ünï",
  "-1",
  "%s%n",
  "a\nb",
  "*",
  "1e400",
  "½",
];

/**
 * Commands by what of an odd word they take; `?` stands for it. None of them starts another
 * process.
 */
const COMMANDS: readonly string[] = [
  "? nosuch",
  "show ?",
  "show --store ?",
  "show aaaa ? --store ?",
  "verify ?",
  "verify --store ?",
  "export ? --to ? --store ?",
  "pack ? --out ? --store ?",
  "paper ? --store ?",
  "reconcile ? --store ?",
  "ged ? ?",
  "ged cut cut --limit ?",
  "replay arigraph ? --games ?",
  "replay scienceworld ?",
  "view --port ? --store ?",
  "study ? --dry-run",
  "study hunt --dry-run --models ? --store ?",
  "study hunt --dry-run --param ? --store ?",
  "reproduce ?",
  "study arigraph-quick --only ?",
  "study arigraph-quick --attempts ? --only nosuch",
  "study arigraph-quick --budget ? --only nosuch",
  "study arigraph-quick --budget tokens:? --only nosuch",
  "study arigraph-quick --replies ? --only nosuch",
  "study arigraph-quick --prompts ? --only nosuch",
  "study arigraph-quick --in-flight ? --only nosuch",
  "serve --games ? --bind x",
  "serve --lease ? --bind x",
  "prices ?",
  "--?",
];

Deno.test("chaos: no word on the command line prints a stack trace, or a control character", async () => {
  using own = ownFolder();
  const folder = own.path;
  const draw = chaosDraw("words");
  const files = {
    binary: Uint8Array.from({ length: 3000 }, () => Math.floor(256 * draw.next())),
    empty: "",
    cut: '{"a":',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const words = [
    ...WORDS,
    folder,
    ...Object.keys(files).map((name) => join(folder, name)),
    "/dev/null",
    join(folder, "no", "such"),
  ];
  for (const command of COMMANDS) {
    for (const word of FULL ? words : [draw.pick(words), draw.pick(words)]) {
      const args = command.split(" ").map((part) => part.replace("?", () => word));
      const what = JSON.stringify(args.map((arg) => arg.slice(0, 60)));
      const { status, out, err } = await lab(...args).catch((error: Error) =>
        assert.fail(`${what}: ${error.stack}`)
      );
      assert.ok(
        status === 0 || /^lab: .+\n$/.test(err.split("\n").slice(-2).join("\n")),
        `${what}: status ${status}, ${err.slice(0, 300)}`,
      );
      assert.doesNotMatch(err, /\n {4}at |Traceback/, what);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(out + err, /[\u0000-\u0008\u000b-\u001f]/, what);
    }
  }
});
