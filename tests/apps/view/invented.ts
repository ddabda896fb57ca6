/** A small store to look at: two studies, an episode with a graph, calls and hostile text. */

import type { ChatModel } from "../../../lib/core/llm/chat-model.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { localProvider } from "../../../lib/core/llm/providers.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { endEpisode, putEpisode, startEpisode } from "../../../lib/lab/store/episodes.ts";
import { putEvents } from "../../../lib/lab/store/events.ts";
import type { Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { type GraphChangeRow, putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";

/** Text that must never be more than text. */
export const HOSTILE =
  `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script> مرحبا بالعالم`;

/**
 * A text game's truth: a hall and a cellar to its east, and a key in the cellar or with the agent.
 */
const HOUSE = {
  rooms: ["Cellar", "Hall"],
  exits: [{ from: "Hall", direction: "east", to: "Cellar", door: null }, {
    from: "Cellar",
    direction: "west",
    to: "Hall",
    door: null,
  }],
  location: "Cellar",
  facts: [["Cellar", "is east of", "Hall"], ["Key", "in", "Cellar"]],
};

export function modelIn(store: Store, episode: string, mine: ChatModel): ChatModel {
  return createModels({
    map: { "*": "mine" },
    store,
    codeVersion: "0",
    episode,
    providers: [localProvider(mine)],
  });
}

/** Fills an empty store; the first episode is `aaaa…`, a running one `bbbb…`. */
export async function fill(store: Store): Promise<void> {
  putStudy(store, { id: "hunts@mine", spec: { title: "Two hunts" }, createdAt: 0 });
  const [done, running] = ["a".repeat(16), "b".repeat(16)];
  putEpisode(
    store,
    samplePlan({ id: done, study: "hunts@mine", chain: "1", condition: "AriGraph" }),
  );
  putEpisode(
    store,
    samplePlan({
      id: running,
      study: "hunts@mine",
      chain: "2",
      condition: "Full history",
      memory: "full-history",
    }),
  );
  const change = (
    step: number,
    ordinal: number,
    op: "add" | "remove",
    triplet: readonly [string, string, string],
  ): GraphChangeRow => (
    {
      episode: done,
      pass: 0,
      step,
      ordinal,
      op,
      subject: triplet[0],
      relation: triplet[1],
      object: triplet[2],
    }
  );
  const turn = (
    episode: string,
    step: number,
    more: Partial<Parameters<typeof sampleTurn>[0]>,
  ): ReturnType<typeof sampleTurn> =>
    sampleTurn({ episode, step, frames: [], ...step > 0 && { action: `go ${step}` }, ...more });
  putTurn(store, turn(done, 0, { graphSize: 1 }), {
    changes: [change(0, 0, "add", ["hall", "has exit", "east"])],
  });
  putTurn(
    store,
    turn(done, 1, {
      observation: HOSTILE,
      score: 1,
      graphSize: 3,
      details: { recalled: { triplets: ["hall, has exit, east"] } },
    }),
    {
      changes: [
        change(1, 0, "add", ["cellar", "is east of", "hall"]),
        change(1, 1, "add", ["key", "is in", "cellar"]),
      ],
      truth: HOUSE,
    },
  );
  putTurn(
    store,
    turn(done, 2, {
      details: { planned: "go on" },
      score: 5,
      graphSize: 3,
      ended: "won",
      sections: { location: "cellar" },
    }),
    {
      changes: [
        change(2, 0, "remove", ["key", "is in", "cellar"]),
        change(2, 1, "add", ["key", "is in", "inventory"]),
      ],
      truth: { ...HOUSE, location: "Hall" }, // the key was put back, which the memory does not know
    },
  );
  putEvents(store, [{
    episode: done,
    pass: 0,
    step: 1,
    ordinal: 0,
    kind: "fallback",
    detail: HOSTILE,
  }]);
  const mine = scripted(['{"action_to_take": "go 1"}'], {
    id: "mine",
    usage: { prompt: 12, cached: 0, completion: 3, reasoning: 0 },
  });
  const model = modelIn(store, done, mine);
  const content = `### Memory\nhall, has exit, east\n\n### Observation\n${HOSTILE}`;
  await model.chat({
    role: "ariadne/act",
    messages: [{ role: "system", content: "Choose." }, { role: "user", content }],
    sample: { pass: 0, step: 1 },
  });
  startEpisode(store, done, 1000);
  const pass = { kind: "only", score: 5, maxScore: 5, steps: 2, end: "won" };
  endEpisode(store, done, { status: "completed", passes: [pass] }, 2000);
  startEpisode(store, running, 2000);
  putTurn(store, turn(running, 0, {}));
  putTurn(store, turn(running, 1, { action: "look" }));
}
