import assert from "node:assert/strict";
import { UsageError } from "../../../lib/core/errors.ts";
import { createMem0, MEMORIES } from "../../../lib/mod.ts";
import { memorySpec } from "./conformance.ts";

/**
 * Memories of one paper share its roles, and memories with modules those of each module's paper.
 */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  "room-graph": ["graphmind"],
  stacked: ["graphmind"],
  hipporag: ["hipporag", "arigraph", "graphiti"],
  graphiti: ["graphiti", "arigraph", "hipporag"],
};

memorySpec("mem0 with a graph", createMem0({ graph: true }));

for (const [id, entry] of Object.entries(MEMORIES)) {
  memorySpec(id, entry.create({}), { keeps: entry.notCarried === undefined });

  Deno.test(`${id}: is registered under its own id, with prompts of its own and options that have defaults`, () => {
    assert(entry.id === id && entry.description.length > 0);
    assert.deepEqual(entry.options.parse(entry.options.parse({})), entry.options.parse({}));
    for (const { role } of entry.prompts) {
      assert((FAMILIES[id] ?? [id]).some((family) => role.startsWith(`${family}/`)), role);
    }
  });

  Deno.test(`${id}: an option that does not exist is refused in one line`, () => {
    assert.throws(
      () => entry.create({ elephant: 1 }),
      (error: Error) => error instanceof UsageError && /^[^\n]*elephant[^\n]*$/.test(error.message),
    );
  });
}
