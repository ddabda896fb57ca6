import assert from "node:assert/strict";
import { readGrowing } from "../../../lib/lab/truth/growing.ts";

Deno.test("readGrowing() takes each item in once while a list grows, and begins anew with any other list", () => {
  const taken: string[] = [];
  const read = readGrowing<{ readonly name: string }, string[]>({
    create: () => [],
    takeIn: (reading, { name }) => {
      taken.push(name);
      reading.push(name);
    },
    keyOf: (item) => item,
  });
  const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }] as const;
  assert.deepEqual([[...read([a])], [...read([a, b])], [...read([a, b, c])]], [["a"], ["a", "b"], [
    "a",
    "b",
    "c",
  ]]);
  assert.deepEqual(taken, ["a", "b", "c"]);
  assert.deepEqual([...read([a, b])], ["a", "b"], "a shorter list");
  assert.deepEqual([...read([a, c])], ["a", "c"], "another course");
  assert.deepEqual([...read([b])], ["b"], "another beginning");
  assert.deepEqual([...read([a, c, b])], ["a", "c", "b"]);
  assert.equal(taken.length, 3 + 2 + 2 + 1 + 1);
});
