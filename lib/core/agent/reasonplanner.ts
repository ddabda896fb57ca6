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
 * Deviations are numbered in `docs/deviations/reasonplanner.md`.
 */

import type { Turn } from "../env/environment.ts";
import {
  createTemporalGraph,
  temporalGraphPrompts,
  type WorldModel,
} from "../memory/temporal-graph.ts";
import { formLine } from "./ground-action.ts";
import type { Episode, Method, MethodEntry } from "./method.ts";
import {
  type CheckedReasonPlannerOptions,
  checkReasonPlannerOptions,
  type ReasonPlannerOptions,
  reasonPlannerOptions,
} from "./reasonplanner-options.ts";
import { type Plan, planTrajectory } from "./reasonplanner-planning.ts";
import {
  actorPrompt,
  type Command,
  criticPrompt,
  parseCommands,
  parseReflection,
  parseVerdict,
  planningPrompts,
  reflectPrompt,
} from "./reasonplanner.prompts.ts";
import {
  type DoneStep,
  formatExpected,
  formatTrajectory,
  formatTransition,
  formatWholeTrajectory,
  type PlannedStep,
  type Situation,
  stateOf,
  type Transition,
} from "./reasonplanner-trajectory.ts";
import { type Rollout, rollOut } from "./rollout.ts";

const USUAL_STEPS = 100;

/**
 * ReasonPlanner. An episode with a gold path is training: its actions are carried out as they are,
 * and the world model takes them in. The graph is what an episode leaves to the next of its chain.
 *
 * It reports what planning and the world model report; `replan`, and once `replans-used-up` when
 * the critic is asked no more; `empty-plan` and
 * `fallback` where no step could be planned or carried out, or after the `invalid-action` of a
 * command that the world refused; `world-asked` where it wanted to know which thing was meant.
 *
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
export function createReasonPlanner(options: ReasonPlannerOptions = {}): Method {
  const checked = checkReasonPlannerOptions(options);
  const { hops, coreference, candidates, widest, mostFacts } = checked;
  const createWorldModel = createTemporalGraph({
    hops,
    coreference,
    candidates,
    widest,
    mostFacts,
  });
  return {
    id: "reasonplanner",
    run: (episode) =>
      rollOut(
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
      ),
  };
}

export const reasonplanner: MethodEntry = {
  id: "reasonplanner",
  description:
    "plan ahead with a temporal knowledge graph as world model, act, criticise, plan anew (ReasonPlanner)",
  version: "2",
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

class ReasonPlannerRun {
  readonly #rollout: Rollout;
  readonly #options: CheckedReasonPlannerOptions;
  readonly #worldModel: WorldModel | undefined;
  readonly #commands: string;
  readonly #format: typeof formatTrajectory;
  readonly #done: DoneStep[] = [];
  readonly #explored = new Set<string>();
  #reflections = "";
  #subtask = "";
  #replans = 0;

  constructor(
    rollout: Rollout,
    options: CheckedReasonPlannerOptions,
    worldModel: WorldModel | undefined,
  ) {
    this.#rollout = rollout;
    this.#options = options;
    this.#worldModel = worldModel;
    this.#format = options.trajectory === "whole" ? formatWholeTrajectory : formatTrajectory;
    this.#commands = rollout.world.spec.actions.map(formLine).join("\n");
  }

  async begin(): Promise<void> {
    await this.#rollout.reset();
    await this.#ingest();
    await this.#rollout.record();
  }

  /** Training (§4.2.1): the gold actions, in order. */
  async train(goldPath: readonly string[]): Promise<void> {
    for (const action of goldPath) {
      if (this.#rollout.isOver) break;
      await this.#carryOut(action);
      await this.#record(action, { gold: true });
    }
  }

  async perform(): Promise<void> {
    const rollout = this.#rollout;
    while (!rollout.isOver) {
      const plan = await this.#plan();
      const before = rollout.step;
      await this.#follow(plan);
      if (rollout.step === before && !rollout.isOver) await this.#fallBack(plan);
    }
  }

  #plan(): Promise<Plan> {
    const { lookAhead, queries, explore, endsEarly } = this.#options;
    return planTrajectory({
      situation: this.#situation(),
      done: this.#done,
      lookAhead,
      queries,
      endsEarly,
      format: this.#format,
      worldModel: this.#worldModel,
      explored: explore ? this.#explored : undefined,
      rollout: this.#rollout,
    });
  }

  /**
   * Carries the plan out, until the critic wants another one or the actor has no commands for a
   * step, without which the later ones make no sense.
   */
  async #follow(plan: Plan): Promise<void> {
    const rollout = this.#rollout;
    for (const [at, planned] of plan.steps.entries()) {
      if (rollout.isOver) return;
      const commands = await this.#commandsFor(planned);
      if (commands.length === 0) return;
      for (let next = commands.shift(); next; next = commands.shift()) {
        if (rollout.isOver) return;
        const before = rollout.turn;
        await this.#carryOut(next.command);
        const details = {
          plan: plan.steps.slice(at).map(({ action }) => action),
          planned: planned.action,
          expected: formatExpected(planned, next),
        };
        if (asksBack(rollout.turn)) {
          rollout.report("world-asked", next.command);
          await this.#record(next.command, details);
          if (!isChoice(commands[0])) commands.unshift(...await this.#commandsFor(planned));
          if (!isChoice(commands[0])) return; // no choice was made: plan from what the world shows now
          continue;
        }
        const replan = await this.#criticise({
          planned,
          command: next,
          before,
          after: rollout.turn,
        });
        await this.#record(next.command, { ...details, answers: plan.answers, replan });
        if (replan !== undefined) return;
      }
    }
  }

  async #commandsFor(planned: PlannedStep): Promise<Command[]> {
    const { turn, step } = this.#rollout;
    const pending = asksBack(turn) ? `\n\nThe world has asked:\n${turn.observation}` : "";
    const trajectory = this.#format(this.#done, stateOf(turn), []) + pending;
    const action = planned.response === ""
      ? planned.action
      : `${planned.action}\nPredicted response: ${planned.response}`;
    const values = { ...this.#situation(), trajectory, action, commands: this.#commands };
    return await this.#rollout.ask(actorPrompt, values, { parse: parseCommands }, step + 1) ?? [];
  }

  /**
   * The critic: why to plan anew, if it wants that; then a reflection is merged into R, and the
   * sub-task updated. After the last replan that is allowed it is asked no more (D12): plans are
   * then carried out to their end. Nor is it of a command that ended the game (D42).
   */
  async #criticise(transition: Transition): Promise<string | undefined> {
    const { maxReplans } = this.#options;
    const rollout = this.#rollout;
    if (rollout.turn.end || this.#replans >= maxReplans) return undefined;
    const values = { ...this.#situation(), ...formatTransition(transition) };
    const verdict = await rollout.ask(criticPrompt, { ...values, commands: this.#commands }, {
      parse: parseVerdict,
    });
    if (!verdict?.replan) return undefined;
    const { reason } = verdict;
    this.#replans += 1;
    rollout.report("replan", reason);
    if (this.#replans === maxReplans) {
      rollout.report("replans-used-up", `${maxReplans} of ${maxReplans}`);
    }
    const learnt = await rollout.ask(reflectPrompt, { ...values, reason }, {
      parse: parseReflection,
    });
    if (learnt) [this.#reflections, this.#subtask] = [learnt.reflection, learnt.subtask];
    return reason;
  }

  /**
   * Takes the world's fallback for a plan without a step that could be carried out, so that no plan
   * is made twice from the same state.
   */
  async #fallBack(plan: Plan): Promise<void> {
    const { report, world: { spec: { fallback } } } = this.#rollout;
    report("empty-plan", `${plan.steps.length} planned, none carried out`);
    report("fallback", fallback);
    await this.#carryOut(fallback);
    await this.#record(fallback, { fallback: "empty-plan" });
  }

  async #carryOut(command: string): Promise<void> {
    const rollout = this.#rollout;
    const before = stateOf(rollout.turn);
    rollout.beginStep();
    const refusal = await rollout.attempt(command);
    const { action } = refusal === undefined
      ? { action: command }
      : await rollout.refuse(command, refusal);
    const { observation, score } = rollout.turn;
    this.#done.push({ before, action, response: observation, score });
    await this.#ingest(action);
  }

  async #ingest(action?: string): Promise<void> {
    const { turn, step } = this.#rollout;
    const { goal: task, observation: response, sections } = turn;
    const place = sections["location"] || undefined;
    await this.#worldModel?.ingest({
      step,
      task,
      action,
      response,
      observation: stateOf(turn).observation,
      place,
    });
  }

  async #record(command: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    const action = this.#done.at(-1)?.action ?? command;
    const wanted = action === command ? undefined : command;
    const learnt = this.#reflections === ""
      ? {}
      : { reflections: this.#reflections, subtask: this.#subtask };
    await this.#rollout.record(action, { ...details, wanted, ...learnt });
  }

  #situation(): Situation {
    return {
      task: this.#rollout.turn.goal,
      subtask: this.#subtask,
      reflections: this.#reflections,
    };
  }
}

function asksBack({ observation, end }: Turn): boolean {
  return end === undefined && /\bplease enter the number\b/i.test(observation);
}

function isChoice(command: Command | undefined): boolean {
  return /^\d+$/.test(command?.command ?? "");
}
