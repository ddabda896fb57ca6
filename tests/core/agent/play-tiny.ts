/** Plays a method in tiny worlds by written replies, and keeps all that came of it. */

import {
  type ChatRequest,
  createAsker,
  type Method,
  type Outcome,
  type StepRecord,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { type Script, scripted } from "../../../lib/core/llm/scripted.ts";
import { recording } from "./recording.ts";
import { type TinyWorld, tinyWorld } from "./tiny-world.ts";

/** What came of an episode. */
export interface Played {
  readonly outcome: Outcome;
  readonly requests: readonly ChatRequest[];
  readonly steps: readonly StepRecord[];
  /** `pass kind` of each. */
  readonly events: readonly string[];
  /** One for each trial. */
  readonly worlds: readonly TinyWorld[];
}

/** Plays one episode; each trial has a world of its own. */
export async function playTiny(
  method: Method,
  script: Script,
  { world, artefact }: {
    readonly world?: Parameters<typeof tinyWorld>[0];
    readonly artefact?: Outcome["artefact"] | undefined;
  } = {},
): Promise<Played> {
  const worlds: TinyWorld[] = [];
  const model = scripted(script);
  const record = recording();
  const outcome = await method.run({
    world: () => {
      const opened = tinyWorld(world);
      worlds.push(opened);
      return Promise.resolve(opened);
    },
    ask: createAsker({ model, sample: { attempt: 1, pass: 0 } }),
    embedder: createLexicalEmbedder(),
    recorder: record.recorder,
    seed: 1,
    ...(artefact ? { artefact } : {}),
  });
  return {
    outcome,
    requests: model.requests,
    steps: record.steps,
    events: record.events.map(({ kind, pass }) => `${pass} ${kind}`),
    worlds,
  };
}
