import assert from "node:assert/strict";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { episodeView } from "../../../lib/apps/view/notebook.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { checkAccess } from "./access.ts";
import { ignore, inBrowser, says } from "./opened.ts";

const isAt = (step: number): string =>
  `document.querySelector('.step h2')?.innerText.includes('go ${step}')`;
const [DONE, RUNNING] = ["a".repeat(16), "b".repeat(16)];

Deno.test(
  {
    name:
      "the run page in a browser: every page, keys, live rows, hostile text, no serious finding of axe",
    ignore,
  },
  () =>
    inBrowser(async ({ tab, address, writer, openOutput }) => {
      await tab.goTo(address);
      await tab.until(says("hunts@mine"));
      await tab.until("document.querySelector('.live.on')");
      await checkAccess(tab, "studies");

      await tab.goTo(`${address}#/study/hunts%40mine`);
      await tab.until("document.querySelectorAll('.chip').length === 2");
      await checkAccess(tab, "study");
      await tab.read("document.querySelectorAll('.episodes input').forEach((box) => box.click())");
      await tab.until("document.querySelector('.compare-bar a')");

      await tab.goTo(`${address}#/episode/${DONE}/0.1`);
      await tab.until(isAt(1));
      await tab.until("document.querySelector('.canvas canvas')");
      await tab.until(says("onerror"));
      assert.equal(
        await tab.read<number>("document.querySelectorAll('.step img, .step script').length"),
        0,
      );
      assert.match(
        await tab.read("document.querySelector('.recalled-group li.used').innerText"),
        /hall, has exit, east[^]*act/,
      );
      await tab.read("document.querySelector('.call > summary').click()");
      await tab.until("document.querySelectorAll('.message .section').length === 3"); // system, Memory, Observation
      await checkAccess(tab, "episode");
      await tab.read("document.querySelector('.call > summary').focus()");
      await tab.press(" "); // folds the call, and plays nothing
      await tab.until("!document.querySelector('.call').open");
      assert.equal(
        await tab.read<boolean>("document.querySelector('[aria-label=pause]') === null"),
        true,
      );
      await tab.press("ArrowRight");
      await tab.until(isAt(2));
      assert.match(
        await tab.read("document.querySelector('.step').innerText"),
        /Carried out now: go on as go 2/,
      );
      assert.match(
        await tab.read("document.querySelector('.legend').innerText"),
        /3 triplets\s+1 new\s+1 removed/,
      );
      assert.match(await tab.read("location.hash"), /0\.2$/);
      await tab.read(
        "[...document.querySelectorAll('.legend a')].find((link) => link.innerText === 'beside the truth').click()",
      );
      await tab.until("document.querySelectorAll('.truth canvas').length > 2");
      assert.match(
        await tab.read("document.querySelector('.truth .legend').innerText"),
        /precision\s+67 %\s+recall\s+50 %[^]*0 stale\s+1 wrong\s+2 missing/,
      );
      await tab.press("ArrowLeft");
      await tab.until(
        "/0.1.truth$/.test(location.hash) && /precision\\s+100 %/.test(document.querySelector('.truth .legend')?.innerText)",
      );
      await tab.press("ArrowRight");
      await tab.until(isAt(2));
      await tab.prefer("dark");
      await checkAccess(tab, "truth, dark");
      await tab.press("?");
      await tab.until("document.querySelector('.help:modal')");
      await checkAccess(tab, "help");
      for (const key of ["Tab", "Tab", "ArrowRight"]) await tab.press(key);
      assert.equal(
        await tab.read<number>("document.querySelectorAll('.top :focus, main :focus').length"),
        0,
        "the focus stays in the dialog",
      );
      assert.match(
        await tab.read("location.hash"),
        /0\.2/,
        "keys of the page behind it do nothing",
      );
      await tab.press("Escape");
      await tab.until("!document.querySelector('.help')");
      await tab.prefer("light");

      await tab.goTo(`${address}?again#/episode/${RUNNING}`); // a new document, which has seen no change yet
      await tab.until("document.querySelectorAll('.steps li').length === 2");
      putTurn(writer, sampleTurn({ episode: RUNNING, step: 2, action: "a new step", frames: [] }));
      await tab.until("document.querySelectorAll('.steps li').length === 3");
      endEpisode(writer, RUNNING, {
        status: "completed",
        passes: [{ kind: "only", score: 1, maxScore: 5, steps: 2, end: "lost" }],
      }, 3000);
      await tab.until("document.querySelector('h1 .status')?.innerText === 'lost'");
      assert.deepEqual(await tab.read<string[]>(STATUSES), ["lost"]);

      await tab.goTo(`${address}#/compare/${DONE}/${RUNNING}`);
      await tab.until(says("first differ at step 1"));
      await tab.until(says("left only"));
      await checkAccess(tab, "compare");

      await tab.goTo(`${address}#/search?q=onerror`);
      await tab.until("document.querySelectorAll('.hits mark').length === 2"); // an observation and a prompt
      await tab.type("x");
      await tab.read("dispatchEvent(new Event('hashchange'))"); // of an address that was left before it was drawn
      await tab.until("document.querySelector('.search input').value === 'onerror'");
      await tab.type("x");
      await tab.press("Enter");
      await tab.until("location.hash.includes('x')");
      await tab.read("history.back()");
      await tab.until(
        "document.querySelectorAll('.hits mark').length === 2 && document.querySelector('.search input').value === 'onerror'",
      );
      await checkAccess(tab, "search");
      await tab.read(
        "[...document.querySelectorAll('.hits li')].find((hit) => hit.innerText.includes('prompt')).querySelector('a').click()",
      );
      await tab.until("document.querySelector('.call[open] .reply')"); // a link opens its call

      putStudy(writer, { id: "long", spec: { title: "y".repeat(1e6) }, createdAt: 0 });
      await tab.goTo(`${address}?long#/`);
      await tab.until(says("yyy…"));
      assert.ok(await tab.read<number>("document.body.innerText.length") < 100_000);
      const names = ["x", "y"].map((end) => `${"z".repeat(1e6)}${end}`);
      names.forEach((condition, at) =>
        putEpisode(
          writer,
          samplePlan({
            id: `${at}`.repeat(16),
            study: "long",
            chain: `${at}`,
            condition,
            memory: condition,
          }),
        )
      );
      await tab.goTo(`${address}?long#/study/long`);
      await tab.until("document.querySelectorAll('.matrix tbody tr').length === 2"); // names that begin alike stay apart
      assert.ok(await tab.read<number>("document.body.innerHTML.length") < 100_000);

      await tab.goTo(`${address}#/%E0%A4%A`); // cannot be decoded
      await tab.until(says("There is no page of this name"));

      await openOutput(await episodeView(writer, DONE, { step: "1" }));
      await tab.until(isAt(1));
      await tab.read("document.querySelector('[aria-label=\"step forward\"]').click()");
      await tab.until(isAt(2));

      assert.notEqual(await tab.read("document.title"), "broken");
      assert.deepEqual(tab.complaints, []);
    }),
);

Deno.test(
  { name: "a step of 600 changes shows 100 of them, and a drawing that can be dragged", ignore },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      const large = "c".repeat(16);
      putEpisode(writer, samplePlan({ id: large, study: "hunts@mine", chain: "3" }));
      const changes = Array.from({ length: 600 }, (_, ordinal) => (
        {
          ...{ episode: large, pass: 0, step: 1, ordinal, op: "add" as const },
          ...{ subject: `thing ${ordinal}`, relation: "is in", object: `room ${ordinal % 40}` },
        }
      ));
      putTurn(writer, sampleTurn({ episode: large, step: 1, frames: [] }), { changes });
      await tab.goTo(`${address}#/episode/${large}/0.1`);
      await tab.until(
        "document.querySelector('.canvas .sigma-labels') && document.querySelectorAll('.changes li').length === 100",
      );
      const [x, y] = await tab.read<[number, number]>(
        "(() => { const { x, y } = document.querySelector('.canvas').getBoundingClientRect(); return [x + 200, y + 200] })()",
      );
      const mouse = (type: string, by: number): Promise<unknown> =>
        tab.send("Input.dispatchMouseEvent", {
          ...{ type, x: x + by, y, button: "left", buttons: 1, clickCount: 1 },
        });
      const labels = "document.querySelector('.sigma-labels').toDataURL()";
      await tab.read(`globalThis.before = ${labels}; 0`);
      await mouse("mousePressed", 0);
      for (const by of [20, 40, 60]) await mouse("mouseMoved", by);
      await mouse("mouseReleased", 60);
      await tab.until(`${labels} !== before`);
      assert.deepEqual(tab.complaints, []);
    }),
);

Deno.test(
  {
    name:
      "a turn whose parts are null is shown, one that cannot be says so, and a map of megabytes is cut",
    ignore,
  },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      const id = "d".repeat(16);
      putEpisode(writer, samplePlan({ id, study: "hunts@mine", chain: "4", world: "nethack" }));
      const truth = { map: Array.from({ length: 50_000 }, () => "#".repeat(100)) };
      for (const step of [0, 1]) {
        putTurn(writer, sampleTurn({ episode: id, step, frames: [] }), { truth });
      }
      writer.prepare("update packed_turns set sections = 'null' where episode = ?").run(id);
      writer.prepare("update packed_turns set frames = 'null' where episode = ? and step = 1").run(
        id,
      );
      await tab.goTo(`${address}#/episode/${id}/0.0`);
      await tab.until("document.querySelector('.screen')");
      assert.equal(
        await tab.read<number>("document.querySelector('.screen').innerText.length"),
        100 * 101 - 1,
      );
      assert.ok(await tab.read<boolean>(says("You are in a room.")));
      await tab.goTo(`${address}#/episode/${id}/0.1`);
      await tab.until(`${says("has not the form")} && document.querySelector('.strip')`); // the rest of the page stays
      await tab.press("ArrowLeft");
      await tab.until("document.querySelector('.screen')");
    }),
);

/** The statuses that the page of an episode shows within 300 ms. */
const STATUSES = `new Promise((resolve) => {
  const seen = new Set();
  const timer = setInterval(() => seen.add(document.querySelector('h1 .status')?.innerText), 5);
  setTimeout(() => (clearInterval(timer), resolve([...seen])), 300);
})`;
