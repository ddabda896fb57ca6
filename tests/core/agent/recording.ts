/** A recorder that keeps everything in memory. */

import type { EpisodeEvent, Recorder, StepRecord } from "../../../lib/mod.ts";

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
