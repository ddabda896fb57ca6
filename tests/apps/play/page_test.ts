/** A whole game in a real browser. With LAB_SLOW=1. */

import assert from "node:assert/strict";
import process from "node:process";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { serveHttp } from "../../../lib/core/platform.ts";
import { createPlayHandler } from "../../../lib/apps/play/server.ts";
import { episodes } from "../../../lib/lab/frames.ts";
import { HUMAN } from "../../../lib/apps/play/human.ts";
import { endEpisode, listEpisodes, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { listTurns } from "../../../lib/lab/store/turns.ts";
import { bundlePage } from "../../../lib/apps/view/bundle.ts";
import { samplePlan } from "../../lab/store/samples.ts";
import { checkAccess } from "../view/access.ts";
import { findChromium, type Tab, withBrowser } from "../chromium.ts";
import { until } from "../../core/env/processes.ts";
import { HOSTILE } from "../view/invented.ts";
import { wantsSlow } from "../../slow.ts";

const chromium = findChromium();
if (!chromium) {
  process.stdout.write("skipped: a game of Cooking in a browser, which wants Chromium\n");
}

const BEGIN = [
  "go south",
  "read cookbook",
  "take knife from table",
  "take orange bell pepper from fridge",
];
const REST = [
  "dice orange bell pepper with knife; go east; go east; grill orange bell pepper with BBQ; go north",
  "take green bell pepper; take yellow potato; dice green bell pepper with knife",
  "slice yellow potato with knife; go south; grill yellow potato with BBQ; go west; go west",
  "fry green bell pepper with stove; drop knife; prepare meal; eat meal",
].flatMap((line) => line.split("; "));

Deno.test(
  {
    name:
      "a game of Cooking is won on the page by keyboard alone, left and taken up again, and stands in Table 4 and Figure 14",
    ignore: !chromium || !wantsSlow("a game of Cooking in a browser"),
  },
  () =>
    opened(async (tab, address, store) => {
      await tab.goTo(address);
      await tab.until("document.querySelector('.worlds input')");
      await checkAccess(tab, "start");
      await reach(tab, "[type=radio]");
      for (
        let tries = 0;
        tries < 30 && await tab.read(CHOSEN) !== "textworld/cooking";
        tries++
      ) await tab.press("ArrowDown");
      await reach(tab, "[name=name]");
      await tab.type("<b>Ada</b>");
      await reach(tab, "[name=consent]");
      await tab.press(" ");
      await reach(tab, "button[type=submit]");
      await tab.press("Enter");
      await tab.until(CAN_TYPE);
      assert.match(
        await tab.read("document.querySelector('h1').innerText"),
        /played by <b>Ada<\/b>/,
      );
      const link = await tab.read("location.href");

      for (const action of BEGIN.slice(0, -2)) await act(tab, action);
      await tab.type("table knife take"); // the words of an action find its button
      await tab.until("document.querySelectorAll('.actions button').length === 1");
      await reach(tab, ".actions button");
      await tab.press("Enter");
      await tab.until(isDone("take knife from table"));
      await reach(tab, "textarea");
      await tab.type(HOSTILE);
      await tab.read("document.querySelector('.search input').focus()");
      await act(tab, BEGIN.at(-1) ?? "");
      await tab.type("help"); // takes no step
      await tab.press("Enter");
      await tab.until(
        "document.querySelector('.playing [role=status]').innerText.includes('Type an action')",
      );
      await tab.press("Escape"); // empties a search field
      await checkAccess(tab, "game");
      await tab.prefer("dark");
      await tab.resize(360, 700);
      await checkAccess(tab, "game, dark and narrow");
      assert.equal(
        await tab.read<boolean>("document.documentElement.scrollWidth <= innerWidth"),
        true,
      );

      await tab.goTo("about:blank");
      assert.ok(await until(() => human(store)?.status === "paused"), "waited in vain");
      await tab.goTo(link);
      await tab.until(`document.querySelectorAll('.story li').length === ${BEGIN.length + 1}`);
      await tab.until(CAN_TYPE);
      for (const action of REST) await act(tab, action);
      await tab.until(
        "document.querySelector('aside h2')?.innerText.includes('You won after 21 steps')",
      );
      await checkAccess(tab, "end");
      assert.notEqual(await tab.read("document.title"), "broken");
      assert.deepEqual(tab.complaints, []);

      assert.equal(
        listTurns(store, human(store)?.id ?? "").find(({ details }) => details["note"])
          ?.details["note"],
        HOSTILE,
      );
      const [played] = episodes(store, HUMAN).toRecords();
      assert.deepEqual([played?.score, played?.condition], [1, HUMAN]);
    }),
);

const CAN_TYPE = "document.activeElement.matches('.search input')";

const CHOSEN = "document.querySelector('[type=radio]:checked')?.value";

/** Presses Tab until the focus is where it should be. */
async function reach(tab: Tab, selector: string): Promise<void> {
  for (
    let tries = 0;
    !await tab.read<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
    tries++
  ) {
    assert.ok(tries < 200, `Tab never reaches ${selector}`);
    await tab.press("Tab");
  }
}

async function act(tab: Tab, action: string): Promise<void> {
  await tab.type(action);
  await tab.press("Enter");
  await tab.until(isDone(action));
}

function isDone(action: string): string {
  return `[...document.querySelectorAll('.story li h3')].at(-1)?.innerText === ${
    JSON.stringify(action)
  } &&
    (document.querySelector('aside h2') || document.querySelector('.search input')?.value === '' && !document.querySelector('.search button').disabled)`;
}

function human(store: Store): ReturnType<typeof listEpisodes>[number] | undefined {
  return listEpisodes(store, { study: "human" })[0];
}

/** Serves the page over a store with a study that has the game. */
async function opened(
  check: (tab: Tab, address: string, store: Store) => Promise<void>,
): Promise<void> {
  using store = openStore(":memory:");
  await using worlds = connectWorlds();
  const cooking = await worlds.open("textworld/cooking");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  const { id, ...plan } = samplePlan({
    study: "s",
    world: "textworld/cooking",
    game: cooking.spec.identity,
    condition: "arigraph",
  });
  putEpisode(store, { id, ...plan });
  endEpisode(store, id, {
    status: "completed",
    passes: [{ kind: "only", score: 5, maxScore: 11, steps: 60, end: "limit" }],
  }, 0);
  await cooking.close();
  const options = {
    store,
    worlds,
    now: () => 0,
    catalogue: await worlds.list(),
    page: await bundlePage("play"),
    patience: 200,
    beat: 100,
  };
  const handler = createPlayHandler(options);
  const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, handler.answer);
  try {
    await withBrowser(
      chromium as string,
      (tab) => check(tab, `http://127.0.0.1:${server.port}/`, store),
    );
  } finally {
    handler.close();
    await server.close();
  }
}
