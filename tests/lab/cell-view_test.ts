import assert from "node:assert/strict";
import { cellView } from "../../lib/lab/cell-view.ts";
import type { Progress } from "../../lib/lab/progress.ts";
import type { MimeBundle } from "../../lib/core/platform.ts";
import type { EpisodeRecord } from "../../lib/lab/store/episodes.ts";

const episode = {
  label: "hunt",
  condition: "own",
  chain: "hunt|own|1",
  status: "failed",
  failureKind: "error",
  failureMessage: "boom",
} as EpisodeRecord;

function progress(part: Partial<Progress>): Progress {
  const counts = {
    planned: 4,
    completed: 1,
    failed: 1,
    paused: 0,
    share: 0.5,
    tokens: 1200,
    dollars: 0.25,
  };
  return { kind: "step", episode, step: 3, action: "take <key>", ...counts, ...part };
}

function shown(options: { readonly progress: boolean }): {
  readonly view: NonNullable<ReturnType<typeof cellView>>;
  readonly bundles: { readonly text: string; readonly html: string; readonly update?: boolean }[];
  readonly time: { now: number };
} {
  const bundles: { text: string; html: string; update?: boolean }[] = [];
  const time = { now: 0 };
  const show = (bundle: MimeBundle, { update }: { update?: boolean } = {}): Promise<void> => {
    bundles.push({ text: String(bundle["text/plain"]), html: String(bundle["text/html"]), update });
    return Promise.resolve();
  };
  const view = cellView("mine", {
    ...options,
    clock: { now: () => time.now, sleep: () => Promise.resolve() },
    show,
  });
  return { view: view ?? assert.fail("no view"), bundles, time };
}

Deno.test("cellView() shows a bar in place with the last action, a few times a second, and at the end what came of it", async () => {
  const { view, bundles, time } = shown({ progress: true });
  view.onProgress(progress({ secondsLeft: 40 }));
  time.now = 100;
  view.onProgress(progress({ step: 4 })); // too soon
  time.now = 200;
  view.onProgress(progress({ step: 5 }));
  time.now = 3000;
  await view.end({
    study: "mine",
    planned: 4,
    completed: 3,
    failed: 0,
    paused: 1,
    episodes: [{ ...episode, status: "paused", failureKind: "interrupted" }],
  });
  assert.deepEqual(bundles.map(({ update }) => update), [false, true, true]);
  assert.equal(
    bundles[0]?.text,
    "mine: 1/4 done, 1 failed, 40 s left, 1 k tokens, $0.25\nhunt, own, step 3: take <key>",
  );
  assert.match(
    bundles[0]?.html ?? "",
    /<progress max="1" value="0\.500".*step 3: take &lt;key&gt;/,
  );
  const end =
    "mine: 3 of 4 episodes completed; 1 paused (interrupted: boom); run the cell again to go on; 3 s, 1 k tokens, $0.25";
  assert.equal(bundles[2]?.text, end);
});

Deno.test("cellView() is quiet where nobody looks on, but for errors, the first of a kind with its stack, and edits", async () => {
  const { view, bundles } = shown({ progress: false });
  view.onProgress(progress({}));
  view.onDelay("slow");
  view.onNotice("the memory own was edited");
  const error = new RangeError("<boom>");
  view.onFailure(episode, error);
  view.onFailure(episode, error);
  await view.end({ study: "mine", planned: 2, completed: 2, failed: 0, paused: 0, episodes: [] });
  assert.deepEqual(bundles.map(({ text }) => text), [
    "the memory own was edited",
    `The episode hunt|own|1 failed: ${error.stack}`,
    "2 plays failed so: RangeError: <boom>",
  ]);
  assert.match(bundles[1]?.html ?? "", /RangeError: &lt;boom&gt;/);
});

Deno.test("cellView() is none outside of a notebook", () => {
  assert.equal(
    cellView("mine", { clock: { now: () => 0, sleep: () => Promise.resolve() } }),
    undefined,
  );
});
