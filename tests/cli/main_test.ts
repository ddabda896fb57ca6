import assert from "node:assert/strict";
import { lab } from "./captured.ts";

Deno.test("every command says with --help how it is called, and does nothing", async () => {
  const commands = (await lab("help")).out.split("\n").flatMap((line) => line.match(/^ {2}(\w+)/)?.[1] ?? []);
  assert.ok(commands.length > 15, "the list of commands was not read");
  for (const command of commands) {
    for (const flag of ["--help", "-h"]) {
      const { status, out, err } = await lab(command, flag);
      assert.deepEqual([status, err], [0, ""], command);
      assert.match(out, new RegExp(`^usage: \\./lab ${command}\\b.*\\n$`));
    }
  }
});

Deno.test("a command that is not there, and an option that a command has not, end with one line and status 2", async () => {
  assert.deepEqual(await lab("dance").then(({ status, out }) => [status, out]), [2, ""]);
  for (const command of ["bench", "test", "worlds"]) {
    const { status, out, err } = await lab(command, "--nonsense");
    assert.deepEqual([status, out], [2, ""]);
    assert.match(err, new RegExp(`^lab: Unknown option '--nonsense'; usage: \\./lab ${command} .*\\n$`));
  }
});
