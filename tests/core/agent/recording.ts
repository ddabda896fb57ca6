/** A recorder that keeps everything in memory, and what else an episode of a test needs. */

import {
  type ChatModel,
  createAsker,
  type EpisodeEvent,
  type Method,
  type Recorder,
  type StepRecord,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";

/** The recorder and what it was told. */
export interface Recording {
  readonly recorder: Recorder;
  readonly steps: StepRecord[];
  readonly events: EpisodeEvent[];
}

/** A fresh one. */
export function recording(): Recording {
  const steps: StepRecord[] = [];
  const events: EpisodeEvent[] = [];
  return {
    steps,
    events,
    recorder: {
      step: (record) => {
        steps.push(record);
        return Promise.resolve();
      },
      event: (event) => void events.push(event),
    },
  };
}

/** An episode but for its world. */
export function worldless(
  model: ChatModel,
  { recorder } = recording(),
  seed = 1,
): Omit<Parameters<Method["run"]>[0], "world"> {
  return { ask: createAsker({ model }), embedder: createLexicalEmbedder(), recorder, seed };
}

/** Replies by role of one family, such as `wese`, which the names leave out. */
export function under<T>(family: string, replies: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(replies).map(([role, said]) => [`${family}/${role}`, said]),
  );
}
