/**
 * ReasonPlanner: plans trajectories with a world model, a temporal knowledge graph, and carries
 * them out by an actor under the eyes of a critic (Pham-Dinh et al. 2024, arXiv 2410.09252).
 *
 * | paper | here |
 * |---|---|
 * | WM, the temporal knowledge graph (§3.2) | `createTemporalGraph` |
 * | Algorithm 1, M_a and M_s (§3.3) | `planTrajectory` |
 * | R_a, the actor: from a planned action to commands (§3.5) | `#commandsFor` |
 * | R_c, the critic: real score, response and state against the predicted ones (§3.5) | `#criticise` |
 * | a new reflection, merged with the previous ones, and an updated sub-task (§3.5) | `reflectPrompt` |
 * | compressed reflection R | `Situation.reflections` |
 * | training on golden trajectories (§4.2.1) | `train`: an episode with a gold path |
 *
 * Deviations are numbered in `docs/explanation/deviations/reasonplanner.md`.
 */

import { createTemporalGraph, temporalGraphPrompts } from "../memory/temporal-graph.ts";
import { checkOptions } from "../text/registry.ts";
import type { Episode, MethodByHand, MethodEntry } from "./method.ts";
import { type ReasonPlannerOptions, reasonPlannerOptions } from "./reasonplanner-options.ts";
import { planningPrompts } from "./reasonplanner.prompts.ts";
import { rollOut } from "./rollout.ts";
import { wholeEpisode } from "./method-entry.ts";
import { ReasonPlannerRun } from "./reasonplanner-run.ts";

const USUAL_STEPS = 100;

/**
 * ReasonPlanner. An episode with a gold path is training: the world model takes in its actions. The
 * graph is what an episode leaves to the next of its chain.
 *
 * It reports what planning and the world model report; `replan`; `replans-used-up` once;
 * `empty-plan`, `fallback`, `invalid-action` (refused by the world); `world-asked` (which thing was
 * meant).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createReasonPlanner } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReasonPlanner({ lookAhead: 10 }).id, "reasonplanner");
 * assert.throws(() => createReasonPlanner({ lookAhead: 0 }), /lookAhead/);
 * ```
 */
export function createReasonPlanner(options: ReasonPlannerOptions = {}): MethodByHand {
  const checked = checkOptions("the method reasonplanner", reasonPlannerOptions, options);
  const { hops, coreference, candidates, widest, mostFacts } = checked;
  const graphOptions = { hops, coreference, candidates, widest, mostFacts };
  const createWorldModel = createTemporalGraph(graphOptions);
  return {
    id: "reasonplanner",
    run: (given) => {
      const episode = wholeEpisode(given);
      return rollOut(
        withShortEvents(episode),
        { ...checked, usualSteps: USUAL_STEPS },
        async (rollout) => {
          const worldModel = checked.worldModel ? rollout.remember(createWorldModel) : undefined;
          rollout.inherited = worldModel?.graph.changes.length;
          const run = new ReasonPlannerRun(rollout, checked, worldModel);
          await run.begin();
          await (episode.goldPath ? run.train(episode.goldPath) : run.perform());
          return {
            passes: [{ kind: "only", ...rollout.result }],
            artefact: worldModel?.save() ?? episode.artefact,
          };
        },
      );
    },
  };
}

export const reasonplanner: MethodEntry = {
  id: "reasonplanner",
  description:
    "plan ahead with a temporal knowledge graph as world model, act, criticise, plan again (ReasonPlanner)",
  version: "4",
  options: reasonPlannerOptions,
  prompts: [...planningPrompts, ...temporalGraphPrompts],
  create: createReasonPlanner,
};

function withShortEvents(episode: Episode): Episode {
  const { recorder } = episode;
  return {
    ...episode,
    recorder: {
      step: (record) => recorder.step(record),
      event: (event) =>
        recorder.event({ ...event, detail: event.detail.replaceAll(/\s+/g, " ").slice(0, 400) }),
    },
  };
}
