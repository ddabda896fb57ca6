import assert from "node:assert/strict";
import { build, stop } from "esbuild";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { createDraw } from "../../../lib/core/random.ts";
import { endEpisode, putEpisode, startEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { episodeView } from "../../../lib/apps/view/notebook.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { checkAccess } from "./access.ts";
import { ignore, inBrowser, says } from "./opened.ts";
import { slowTest } from "../../slow.ts";

const AT_STEP_2 = `
  globalThis.isLayingOut = undefined;
  new MutationObserver(() => {
    if (document.querySelector(".step h2")?.innerText.includes("go 2")) isLayingOut ??= document.body.innerText.includes("triplets are being laid out");
  }).observe(document.body, { childList: true, subtree: true, characterData: true })`;

(ignore ? Deno.test.ignore : slowTest)(
  "a graph of 4,000 triplets is drawn in part, and laid out in whole while steps are shown",
  () =>
    inBrowser(async ({ tab, address, writer, openOutput }) => {
      const id = "e".repeat(16);
      putEpisode(writer, samplePlan({ id, study: "hunts@mine", chain: "5" }));
      const draw = createDraw("a large graph");
      const triplet = (ordinal: number) => ({
        subject: `a${ordinal}`,
        relation: "knows",
        object: `a${Math.floor(draw.next() * 4000)}`,
      });
      const changes = (step: number, length: number) =>
        Array.from(
          { length },
          (_, ordinal) => ({
            episode: id,
            pass: 0,
            step,
            ordinal,
            op: "add" as const,
            ...triplet(ordinal),
          }),
        );
      putTurn(writer, sampleTurn({ episode: id, step: 1, action: "go 1", frames: [] }), {
        changes: changes(1, 3998),
      });
      putTurn(writer, sampleTurn({ episode: id, step: 2, action: "go 2", frames: [] }), {
        changes: changes(2, 2),
      });
      const opened = [
        () => tab.goTo(`${address}#/episode/${id}/0.1`),
        async () => await openOutput(await episodeView(writer, id)), // whose frame has no origin
      ];
      for (const open of opened) {
        await open();
        await tab.until("document.querySelector('.canvas canvas')");
        assert.match(
          await tab.read("document.querySelector('.memory').innerText"),
          /The drawing shows 3000 of 3998 triplets/,
        );
        await tab.read(
          `${AT_STEP_2}; [...document.querySelectorAll(".memory button")].find(({ innerText }) => /^Draw all/.test(innerText)).click()`,
        );
        await tab.read("document.querySelector('[aria-label=\"step forward\"]').click()");
        await tab.until("globalThis.isLayingOut !== undefined");
        assert.ok(
          await tab.read<boolean>("globalThis.isLayingOut"),
          "the step was shown before the layout was there",
        );
        await tab.until(`!${says("are being laid out")}`);
        assert.equal(
          await tab.read("document.querySelector('.canvas').ariaLabel"),
          "graph of 4000 triplets; the list below has every one",
        );
        assert.doesNotMatch(
          await tab.read("document.querySelector('.memory').innerText"),
          /Draw all|The drawing shows/,
        );
      }
      assert.deepEqual(tab.complaints, []);
    }),
);

Deno.test(
  { name: "a worker lays a large graph out as the page itself would", ignore },
  () =>
    inBrowser(async ({ tab, address }) => {
      const [client, root] = ["lib/apps/view/client/layout.ts", checkoutRoot()];
      const { outputFiles: [file] } = await build({
        entryPoints: [client],
        absWorkingDir: root,
        bundle: true,
        write: false,
        globalName: "layout",
      });
      await stop();
      await tab.goTo(address); // whose policy holds for the worker
      await tab.until(says("hunts@mine"));
      await tab.read(
        `${file?.text}; globalThis.rows = Array.from({ length: 400 }, (_, at) => ["a" + at, "knows", "a" + at * 7 % 397])`,
      );
      const beside = "layout.layOutBeside(rows, new AbortController().signal)";
      assert.ok(await tab.read<boolean>(`${beside} instanceof Promise`));
      const [there, here] = await tab.read<object[]>(
        `${beside}.then((spots) => [[...spots], [...layout.layOut(rows)]])`,
      );
      assert.deepEqual(there, here);
      const less = await tab.read<object[][]>( // a browser that lets no worker begin
        "(globalThis.Worker = class extends EventTarget { constructor() { super(); setTimeout(() => this.dispatchEvent(new Event('error'))) } postMessage() {} terminate() {} }, " +
          beside + ".then((spots) => [...spots]))",
      );
      assert.deepEqual(less, here, "without workers, too");
    }),
);

(ignore ? Deno.test.ignore : slowTest)(
  "a study of 500 conditions and 60 games is shown in parts, and a filter reaches every cell",
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      putStudy(writer, { id: "wide", spec: {}, createdAt: 0 });
      for (let at = 0; at < 560; at++) {
        const id = `${at}`.padStart(16, "0");
        const [condition, label] = [
          `method ${Math.min(at, 499)}`,
          `game ${String(Math.max(0, at - 500)).padStart(2, "0")}`,
        ];
        putEpisode(writer, samplePlan({ id, study: "wide", chain: `${at}`, condition, label }));
        startEpisode(writer, id, 1000);
        if (at !== 499) {
          endEpisode(writer, id, {
            status: "completed",
            passes: [{ kind: "only", score: 5, maxScore: 5, steps: 2, end: "won" }],
          }, 2000);
        }
      }
      const cells =
        "document.querySelectorAll('.matrix tbody tr').length + ' ' + document.querySelectorAll('.matrix thead th').length";
      const ask = (what: string): Promise<unknown> =>
        tab.read(
          `[...document.querySelectorAll('button')].find(({ innerText }) => innerText.endsWith("${what}")).click()`,
        );
      await tab.goTo(`${address}#/study/wide`);
      await tab.until(`${cells} === "40 26"`);
      await ask("460 more conditions");
      await ask("35 more games");
      await tab.until(`${cells} === "240 61"`);
      await ask("260 more conditions");
      await ask("60 more conditions");
      await tab.until(`${cells} === "500 61"`);
      await checkAccess(tab, "a wide study");

      await tab.goTo(`${address}?anew#/study/wide`);
      await tab.until(`${cells} === "40 26"`);
      await tab.read(
        "const [status] = document.querySelectorAll('.filters select'); status.value = 'running'; status.dispatchEvent(new Event('change', { bubbles: true }))",
      );
      await tab.until(`${cells} === "1 2"`);
      assert.match(
        await tab.read("document.querySelector('.matrix tbody').innerText"),
        /method 499[^]*running/,
      );
      await tab.read("document.querySelector('.matrix .mean').click()");
      await tab.until(
        "document.querySelectorAll('.episodes tbody tr').length === 1 && document.querySelector('.matrix td.chosen')",
      );
      assert.deepEqual(tab.complaints, []);
    }),
);
