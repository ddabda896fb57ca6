import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { COMMANDS } from "../../../lib/apps/cli/commands.ts";
import { guides } from "../../guides.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { lab } from "./captured.ts";

Deno.test("every command says with --help how it is called, and does nothing", async () => {
  const commands = (await lab("help")).out.split("\n").flatMap((line) =>
    line.match(/^ {2}(\w+) /)?.[1] ?? []
  );
  assert.ok(commands.length > 15, "the list of commands was not read");
  for (const command of commands) {
    for (const flag of ["--help", "-h"]) {
      const { status, out, err } = await lab(command, flag);
      assert.deepEqual([status, err], [0, ""], command);
      assert.match(out, new RegExp(`^Usage: \\./lab ${command}\\b.*\\n\\n`));
    }
  }
});

Deno.test("an environment variable that is no text is named in one line", () => {
  const words = [
    "run",
    "-A",
    "--no-check",
    join(checkoutRoot(), "lib", "apps", "cli", "main.ts"),
    "keys",
    "none",
  ];
  const { status, stderr } = spawnSync("/bin/sh", [
    "-c",
    'LAB_CWD=$(printf "\\377") exec "$@"',
    "sh",
    process.execPath,
    ...words,
  ], {
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [
    2,
    "lab: the name of the working folder is not in UTF-8: give it another one\n",
  ]);
});

Deno.test("--version says the version, and help <command> what --help says", async () => {
  const { version } = JSON.parse(readFileSync(join(checkoutRoot(), "deno.json"), "utf8")) as {
    version: string;
  };
  for (const flag of ["--version", "-V"]) {
    assert.deepEqual(await lab(flag), { status: 0, out: `labyrinth ${version}\n`, err: "" });
  }
  assert.deepEqual(await lab("help", "ged"), await lab("ged", "--help"));
});

Deno.test("docs/reference/commands.md has every command, and the guides name no command and no option that there is not", async () => {
  const helps = new Map<string, string>();
  for (const name of Object.keys(COMMANDS)) helps.set(name, (await lab(name, "--help")).out);
  for (const kind of ["prompts", "replies"]) {
    helps.set("bench", `${helps.get("bench")}${(await lab("bench", kind, "--help")).out}`);
  }
  const named = new Set<string>();
  for (const page of guides().filter((page) => !page.endsWith("CHANGELOG.md"))) {
    for (
      const [, name = "", rest = ""] of readFileSync(page, "utf8").matchAll(
        /\.\/lab ([a-z]+(?:-[a-z]+)*)((?:(?!\.\/lab)[^`\n#])*)/g,
      )
    ) {
      const help = helps.get(name);
      assert.ok(help, `${page} names ./lab ${name}`);
      for (const [option] of rest.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) {
        assert.match(help, new RegExp(`${option}\\b`), `${page} names ./lab ${name} ${option}`);
      }
      if (page.endsWith("commands.md")) named.add(name);
    }
  }
  assert.deepEqual(Object.keys(COMMANDS).filter((name) => !named.has(name)), []);
});
