import assert from "node:assert/strict";
import { lab } from "./captured.ts";

Deno.test("licences names the licence of every package of npm and Python, copyleft ones first", async () => {
  const { status, out, err } = await lab("licences");
  assert.deepEqual([status, err], [0, ""]);
  const [head = "", others = ""] = out.split("\nOthers:\n");
  assert.match(head, /^zeromq +\S+ +npm +MIT AND MPL-2\.0$/m);
  assert.match(others, /^zod +\S+ +npm +MIT$/m);
  assert.match(others, /^deno +2\.\S+ +tool +MIT$/m);
  assert.match(others, /^pydantic +\S+ +Python +MIT$/m);
  assert.doesNotMatch(others, /GPL/);
});

Deno.test("licences --json knows every package's licence", async () => {
  const all: { readonly name: string; readonly licence: string }[] = JSON.parse((await lab("licences", "--json")).out);
  assert.ok(all.length > 200, String(all.length));
  assert.deepEqual(all.filter(({ licence }) => licence === "unknown").map(({ name }) => name), []);
});
