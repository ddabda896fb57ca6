/**
 * The system can win: scripted plans through the real prompts, parsers, memory, functions, loop and
 * world fulfil the missions of the frozen layouts, and of mazes with several locks and rooms of
 * several shapes. Three layouts always; all with LAB_SLOW=1.
 */

import assert from "node:assert/strict";
import { asBabyAiTruth, babyAiTruthGraph } from "../../../lib/core/graph/babyai-truth.ts";
import {
  type BabyAiTruth,
  connectWorlds,
  createGraphMind,
  createRoomGraph,
  graphEditDistance,
  type KnowledgeGraph,
  scripted,
} from "../../../lib/mod.ts";
import { roomObjectGraphOf } from "../../../lib/core/graph/room-graph.ts";
import { withoutTruth } from "../../../lib/core/env/session.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { recording, worldless } from "./recording.ts";
import { walkthrough } from "./rooms-walkthrough.ts";
import { wantsSlow } from "../../slow.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

const COUNTS = { "2x2": 5, "3x3": 5, "4x4": 6, "7x7": 6 };
const all = Object.entries(COUNTS).flatMap(([size, count]) =>
  ["d1", "d3"].flatMap((density) =>
    Array.from({ length: count }, (_, n) => `${size}-${density}-${n}`)
  )
);
const LAYOUTS = wantsSlow("all frozen layouts") ? all : ["2x2-d1-0", "3x3-d1-1", "7x7-d3-4"];
/** Instructions of one plan. */
const MOST = 20;

/** World, name and parameters of each mission. */
const MISSIONS = [
  ...LAYOUTS.flatMap((layout) =>
    (/^[23]/.test(layout) ? ["open-door", "put-next-to"] : ["put-next-to"]).map((mission) =>
      ["babyai", layout, { layout, mission }] as const
    )
  ),
  ...[{ size: 4, locks: 3, merged: 0 }, { size: 3, locks: 2, merged: 2 }].flatMap((maze) =>
    ["open-door", "put-next-to"].map((mission) =>
      ["babyai/sized", `a maze of ${maze.size} × ${maze.size}`, {
        ...maze,
        mission,
        seed: 1,
      }] as const
    )
  ),
];

for (const [world, name, params] of MISSIONS) {
  Deno.test(`a scripted GraphMind fulfils ${params.mission} on ${name}`, async () => {
    const open = await worlds.open(world, params);
    const { goal } = await open.reset();
    const truth = asBabyAiTruth(await open.truth()) as BabyAiTruth;
    const way = walkthrough(truth, goal);
    const standIn = createStandIn({ responders: offlineResponders });
    let planned = 0;
    const model = scripted({
      // Of each plan the graph is asked first.
      "graphmind/plan": ({ messages }) => {
        if (messages.at(-1)?.role !== "tool") {
          const node = Number(String(messages[1]?.content).match(/You are in room (\d+)/)?.[1]);
          const call = {
            id: "a",
            name: "get_neighbor_entity_information",
            arguments: JSON.stringify({ node }),
          };
          return { choices: [{ text: "", toolCalls: [call], finish: "tools" }] };
        }
        const subplans = way.slice(planned, planned += MOST);
        return JSON.stringify({ subplan_target_entity: "", subplans });
      },
      "graphmind/verify-completion": () =>
        JSON.stringify({ is_complete: true, need_to_adjust: false }),
      "*": (request) => standIn.chat(request),
    });
    const record = recording();
    const { passes } = await createGraphMind({ memory: createRoomGraph() }).run({
      world: () => Promise.resolve({ ...withoutTruth(open), close: () => Promise.resolve() }),
      ...worldless(model, record, 0),
    });
    const left = asBabyAiTruth(await open.truth()) as BabyAiTruth;
    await open.close();

    assert.deepEqual(
      record.events.filter(({ kind }) => kind !== "dropped-fact"),
      [],
      `${goal}: ${way.join(" ")}`,
    );
    assert.equal(
      passes[0]?.end,
      "won",
      `${way.join(" ")}: ${record.steps.at(-1)?.turn.sections["result"]}`,
    );
    assert.deepEqual(
      record.steps.slice(1).map(({ action }) => action),
      way.slice(0, record.steps.length - 1),
    );
    for (const [index, { details, turn }] of record.steps.entries()) {
      const beliefs = details?.["beliefs"] as { room: number; transition?: { passed: boolean } };
      if (index === 0) continue;
      // What the world says of doors is not shown to the memory's verifier; here both must agree.
      assert.equal(
        beliefs.transition?.passed,
        turn.sections["passed_door"] !== "",
        `step ${index}`,
      );
    }
    const graph = record.steps.at(-1)?.graph as KnowledgeGraph;
    const distance = graphEditDistance(roomObjectGraphOf(graph.triplets()), babyAiTruthGraph(left));
    assert(distance.upper < babyAiTruthGraph(left).nodes.length, `edit distance ${distance.upper}`);
  });
}
