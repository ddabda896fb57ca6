import assert from "node:assert/strict";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { checkAccess } from "./access.ts";
import { modelIn } from "./invented.ts";
import { ignore, inBrowser, says } from "./opened.ts";

const [DONE, LOST] = ["a".repeat(16), "c".repeat(16)];

const ROWS = "document.querySelectorAll('.episodes tbody tr').length";

/** Chooses an option of the filter under a label. */
function choose(label: string, option: string): string {
  return `(() => {
    const select = [...document.querySelectorAll(".filters label")].find((one) => one.innerText.startsWith(${
    JSON.stringify(label)
  })).querySelector("select");
    select.value = ${JSON.stringify(option)};
    select.dispatchEvent(new Event("change"));
  })()`;
}

Deno.test(
  {
    name:
      "a study's filter and the two that are to be compared stand in its address, and are there again after Back",
    ignore,
  },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      putEpisode(
        writer,
        samplePlan({ id: LOST, study: "hunts@mine", chain: "3", condition: "Summary" }),
      );
      endEpisode(writer, LOST, {
        status: "completed",
        passes: [{ kind: "only", score: 2, maxScore: 5, steps: 9, end: "lost" }],
      }, 3000);
      await tab.goTo(`${address}#/study/hunts%40mine`);
      await tab.until(`${ROWS} === 3`);
      await tab.read(choose("Status", "completed"));
      await tab.until(`${ROWS} === 2`);
      await tab.read(choose("Score", "2 / 5")); // one score alone
      await tab.until(`${ROWS} === 1 && ${says("Summary")}`);
      await tab.read(choose("Score", "part of the score"));
      await tab.until(`location.hash.includes("part")`);
      await tab.read(choose("Score", ""));
      await tab.until(`${ROWS} === 2`);
      await tab.read("document.querySelectorAll('.episodes input').forEach((box) => box.click())");
      await tab.until("document.querySelector('.compare-bar a')");
      const chosen = await tab.read("location.href");
      assert.match(chosen, /\?status=completed&compare=a{16}&compare=c{16}$/);
      const isAsChosen =
        `${ROWS} === 2 && document.querySelector(".compare-bar a") && document.querySelectorAll(":checked").length > 1`;
      await tab.read("document.querySelector('.compare-bar a').click()");
      await tab.until(says("Two episodes in step"));
      await tab.read("history.back()");
      await tab.until(isAsChosen);
      await tab.goTo("about:blank");
      await tab.goTo(chosen);
      await tab.until(isAsChosen);
      await tab.read(
        "[...document.querySelectorAll('.filters button')].find(({ innerText }) => innerText === 'Show all').click()",
      );
      await tab.until(`${ROWS} === 3 && document.querySelector(".compare-bar a")`);
      await tab.read("document.querySelector('.mean').click()");
      await tab.until("document.querySelectorAll('.chip.dim').length === 2"); // those of the other cells
      await checkAccess(tab, "study, one cell");
      await tab.goTo(
        `${address}?odd#/study/hunts%40mine?status=none&score=constructor&compare=nobody&more=1`,
      );
      await tab.until(`document.querySelector(".filters") && ${ROWS} === 0`);
      assert.deepEqual(tab.complaints, []);
    }),
);

Deno.test(
  { name: "two episodes are compared pass by pass, every call of a role for itself", ignore },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      for (
        const [id, explored] of [[DONE.replaceAll("a", "d"), 3], [
          LOST.replaceAll("c", "e"),
          1,
        ]] as const
      ) {
        putEpisode(writer, samplePlan({ id, study: "hunts@mine", chain: id }));
        for (let step = 0; step <= explored; step++) {
          putTurn(writer, sampleTurn({ episode: id, step, action: step > 0 ? "look" : undefined }));
        }
        for (const step of [0, 1]) {
          putTurn(
            writer,
            sampleTurn({ episode: id, pass: 1, step, action: step > 0 ? "go north" : undefined }),
          );
        }
        const mine = scripted({ r: () => "aye" }, { id: "mine" });
        const model = modelIn(writer, id, mine);
        for (const content of ["first", `second of ${explored}`]) {
          await model.chat({
            role: "r",
            messages: [{ role: "user", content }],
            sample: { pass: 1, step: 1 },
          });
        }
      }
      await tab.goTo(`${address}#/compare/${"d".repeat(16)}/${"e".repeat(16)}`);
      await tab.until(says("first differ at step 0.2"));
      await tab.goTo(`${address}#/compare/${"d".repeat(16)}/${"e".repeat(16)}/1.1`);
      await tab.until(
        "document.querySelector('.in-step .here')?.innerText.match(/1\\.1\\s+go north\\s+0\\s+go north/)",
      );
      assert.equal(
        await tab.read<boolean>(
          "document.querySelector('.in-step .here').classList.contains('differs')",
        ),
        false,
      );
      await tab.until("document.querySelectorAll('.call').length === 2");
      assert.equal(
        await tab.read(
          "[...document.querySelectorAll('.call')].map(({ textContent }) => textContent).join()",
        ),
        "r the same on both sides,r (2) different",
      );
      await tab.read("document.querySelectorAll('.call > summary')[1].click()");
      await tab.until("/second of 31/.test(document.querySelectorAll('.call')[1].innerText)");
    }),
);
