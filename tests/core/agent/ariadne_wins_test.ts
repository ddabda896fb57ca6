/**
 * The system can win: scripted replies through the real prompts, parsers, memory, loop and worlds
 * win each of the paper's seven games; the harder ones want LAB_SLOW=1.
 */

import assert from "node:assert/strict";
import { connectWorlds, createAriadne, createAriGraph } from "../../../lib/mod.ts";
import { recording, worldless } from "./recording.ts";
import { scriptedPlayer } from "./scripted-player.ts";
import { GAMES, walkthroughs } from "./walkthroughs.ts";
import { wantsSlow } from "../../slow.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

const walks = walkthroughs();

const all = wantsSlow("winning the harder games");

for (const [id, params] of Object.entries(GAMES).filter(([id]) => all || !/-hard/.test(id))) {
  Deno.test(`a scripted Ariadne wins ${id} with every point`, async () => {
    const player = scriptedPlayer({ actions: walks[id] ?? [] });
    const record = recording();
    const outcome = await createAriadne({ memory: createAriGraph(), maxSteps: 200 }).run({
      world: () => worlds.open(id, params),
      ...worldless(player.model, record, 0),
    });

    const [pass] = outcome.passes;
    assert.deepEqual(record.events, []); // every reply was read, every action was possible, every macro arrived
    assert.equal(pass?.end, "won");
    assert.equal(pass?.score, pass?.maxScore);
    assert.equal(record.steps.length, (pass?.steps ?? 0) + 1);

    const macros = record.steps.filter((step) => step.action?.startsWith("go to "));
    assert.equal(macros.length, player.macros());
    for (const { turn } of macros) {
      assert(turn.frames.every(({ action }) => /^go (north|south|east|west)$/.test(action)));
    }
    assert(macros.some(({ turn }) => turn.frames.length > 1) || id.startsWith("textworld/cooking"));
  });
}
