import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { sampleTurn } from "../../lab/store/samples.ts";
import { ignore, inBrowser, says } from "./opened.ts";

const [DONE, RUNNING] = ["a".repeat(16), "b".repeat(16)];

Deno.test(
  {
    name: "an open page says in words that its store was moved, and is live again once it is back",
    ignore,
  },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      await tab.goTo(`${address}#/episode/${RUNNING}`);
      await tab.until(
        "document.querySelector('.live.on') && document.querySelectorAll('.steps li').length === 2",
      );
      renameSync(writer.path, `${writer.path}.moved`);
      await tab.until(says("The store was moved, deleted or replaced"));
      renameSync(`${writer.path}.moved`, writer.path);
      await tab.until(`document.querySelector('.live.on') && !${says("The store was moved")}`);
      putTurn(writer, sampleTurn({ episode: RUNNING, step: 2, action: "a new step", frames: [] }));
      await tab.until("document.querySelectorAll('.steps li').length === 3");
    }),
);

/**
 * How many colours with a hue the sheet for the printer has: of nodes and lines, where names are
 * grey.
 */
const HUES = `(() => {
  dispatchEvent(new Event("beforeprint"));
  const sheet = document.querySelector(".paper");
  const { data } = sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) {
    const [r, g, b] = data.subarray(at, at + 3);
    if (Math.max(r, g, b) - Math.min(r, g, b) > 80) seen.add(["red", "green", "blue"][[r, g, b].indexOf(Math.max(r, g, b))]);
  }
  return [...seen].sort();
})()`;

Deno.test(
  { name: "a graph keeps its colours on paper and where the reader's own are forced", ignore },
  () =>
    inBrowser(async ({ tab, address }) => {
      for (const value of ["none", "active"]) {
        await tab.send("Emulation.setEmulatedMedia", {
          features: [{ name: "forced-colors", value }],
        });
        await tab.goTo(`${address}?${value}#/episode/${DONE}/0.2`);
        await tab.until(
          "document.querySelector('.canvas canvas') && document.querySelector('.step h2')?.innerText.includes('go 2')",
        );
        assert.deepEqual(
          await tab.read<string[]>(HUES),
          ["blue", "green", "red"],
          `a place, what is new, what is removed: ${value}`,
        );
      }
      await tab.send("Emulation.setEmulatedMedia", { media: "print" });
      assert.ok(await tab.read<boolean>("document.querySelector('.paper').checkVisibility()"));
      assert.equal(
        await tab.read("getComputedStyle(document.querySelector('.canvas')).visibility"),
        "hidden",
      );
      assert.deepEqual(tab.complaints, []);
    }),
);
