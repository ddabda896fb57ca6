import assert from "node:assert/strict";
import { readSections, renderSections } from "../../../lib/core/text/sections.ts";

Deno.test("renderSections() and readSections() are each other's reverse, whatever a body holds", () => {
  const bodies = [
    "A door.",
    "",
    "two\n\nparagraphs",
    "### not a heading\ntext",
    " ### nor this\n####",
    "{json: 1}",
    "a ### b",
    "見る",
  ];
  for (const first of bodies) {
    for (const second of bodies) {
      const sections = { "Main goal": first, Plan: second };
      assert.deepEqual(readSections(renderSections(sections)), sections);
    }
  }
});
