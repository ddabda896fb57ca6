/**
 * ReasonPlanner: plans trajectories with a world model, a temporal knowledge graph, and carries them out by an actor under the eyes of a critic
 * (Pham-Dinh et al. 2024, arXiv 2410.09252).
 *
 * | paper | here |
 * |---|---|
 * | WM, the temporal knowledge graph (§3.2) | `createTemporalGraph` |
 * | Algorithm 1, M_a and M_s (§3.3) | `planTrajectory` |
 * | actor R_a, critic R_c (§3.5) | `decompose`, `criticise`, `reflect` |
 * | compressed reflection R | `Play.reflections` |
 * | training on golden trajectories (§4.2.1) | `train`: an episode with a gold path |
 *
 * Deviations are numbered in `docs/deviations/reasonplanner.md`.
 *
 * @module
 */

import type { Environment, Turn } from "../env/environment.ts";
import { stepLimitOf } from "../env/step-limit.ts";
import { WorldError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { createTemporalGraph, temporalGraphPrompts, type WorldModel } from "../memory/temporal-graph.ts";
import { formLine } from "./action-forms.ts";
import { inWorld } from "./ariadne-loop.ts";
import type { Episode, Method, Outcome } from "./method.ts";
import { type ActingInput, asksBack, criticise, decompose, reflect } from "./reasonplanner-acting.ts";
import { type CheckedReasonPlannerOptions, type ReasonPlannerOptions, reasonPlannerOptions } from "./reasonplanner-options.ts";
import { type Plan, planTrajectory } from "./reasonplanner-planning.ts";
import { type Command, planningPrompts, type Verdict } from "./reasonplanner.prompts.ts";
import { type DoneStep, type PlannedStep, stateOf } from "./reasonplanner-trajectory.ts";

/** All prompts of the method, its world model's included. */
export const reasonPlannerPrompts: readonly Prompt[] = [...planningPrompts, ...temporalGraphPrompts];

/** Steps where neither the options nor the world says how many. */
const USUAL_STEPS = 100;

/**
 * The method. An episode with a gold path is training: its actions are carried out as they are, and the world model takes them in. Its graph is what
 * an episode leaves to the next of its lane.
 *
 * What it reports to the recorder: what planning and the world model report; `replan`, and once `replans-used-up` when the critic's word no longer
 * counts; `empty-plan` and `fallback` where no step could be planned or carried out; `invalid-action` for a command that the world refused to take;
 * `world-asked` where it wanted to know which thing was meant.
 *
 * @throws {UsageError} if `coreference` is none of what it may be, {@linkcode z.ZodError} if an option is unknown or out of range.
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
  const checked = reasonPlannerOptions.parse(options);
  const { hops, coreference, candidates, widest, mostFacts } = checked;
  const createWorldModel = createTemporalGraph({ hops, coreference, candidates, widest, mostFacts });
  return {
    id: "reasonplanner",
    run: (episode) =>
      inWorld(episode, async (world) => {
        const play = new Play(episode, world, checked);
        if (checked.worldModel) play.remember(createWorldModel);
        const turn = episode.goldPath ? await play.train(episode.goldPath) : await play.perform();
        const artefact = play.worldModel?.save() ?? episode.artefact;
        return {
          passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: play.step, end: turn.end ?? "limit" }],
          ...(artefact ? { artefact } : {}),
        } satisfies Outcome;
      }),
  };
}

/** One episode under way. */
class Play {
  step = 0;
  worldModel: WorldModel | undefined;
  readonly #episode: Episode;
  readonly #world: Environment;
  readonly #options: CheckedReasonPlannerOptions;
  readonly #limit: number;
  readonly #done: DoneStep[] = [];
  readonly #explored = new Set<string>();
  readonly #forms: string;
  #inherited = 0;
  #turn!: Turn;
  /** R, compressed. */
  #reflections = "";
  #subtask = "";
  #replans = 0;

  constructor(episode: Episode, world: Environment, options: CheckedReasonPlannerOptions) {
    this.#episode = episode;
    this.#world = world;
    this.#options = options;
    this.#limit = options.maxSteps ?? stepLimitOf(world.spec) ?? USUAL_STEPS;
    this.#forms = world.spec.actions.map(formLine).join("\n");
  }

  /** Gives the play its world model, with what earlier episodes left. */
  remember(create: ReturnType<typeof createTemporalGraph>): void {
    const { ask, embedder, artefact, signal } = this.#episode;
    this.worldModel = create({ ask: ask.at({ pass: 0 }), embedder, onEvent: this.#report, signal });
    if (artefact) this.worldModel.load(artefact);
    this.#inherited = this.worldModel.graph.changes.length;
  }

  /** Training (§4.2.1): the gold actions, in order. */
  async train(goldPath: readonly string[]): Promise<Turn> {
    await this.#begin();
    for (const action of goldPath) {
      if (this.#turn.end || this.step >= this.#limit) break;
      await this.#carryOut(action);
      await this.#record(action, { gold: true });
    }
    return this.#turn;
  }

  /** Plans, acts, and plans anew, until the world ends or the steps are used up. Each plan takes at least one step. */
  async perform(): Promise<Turn> {
    await this.#begin();
    while (!this.#isOver()) {
      const plan = await this.#plan();
      const before = this.step;
      await this.#follow(plan);
      if (this.step === before && !this.#isOver()) await this.#fallBack(plan);
    }
    return this.#turn;
  }

  async #begin(): Promise<void> {
    this.#turn = await this.#world.reset();
    const { goal, observation } = this.#turn;
    const place = this.#turn.sections["location"];
    const seen = stateOf(this.#turn).observation;
    await this.worldModel?.ingest({ step: 0, task: goal, response: observation, observation: seen, ...(place ? { place } : {}) });
    await this.#episode.recorder.step({ pass: 0, step: 0, turn: this.#turn, ...this.#graph() });
  }

  /** Algorithm 1 from here. */
  async #plan(): Promise<Plan> {
    const { lookAhead, queries, explore, reAsks } = this.#options;
    return await planTrajectory({
      ...this.#situation(),
      done: this.#done,
      now: stateOf(this.#turn),
      lookAhead,
      queries,
      ask: this.#episode.ask.at({ pass: 0, step: this.step + 1 }),
      step: this.step + 1,
      ...(this.worldModel ? { worldModel: this.worldModel } : {}),
      ...(explore ? { explored: this.#explored } : {}),
      reAsks,
      report: this.#report,
    });
  }

  /** Carries the plan out, until the critic wants another one or the actor has no commands for a step, without which the later ones make no sense. */
  async #follow(plan: Plan): Promise<void> {
    for (const [at, planned] of plan.steps.entries()) {
      if (this.#isOver()) return;
      const commands = await this.#decompose(planned);
      if (commands.length === 0) return;
      for (let next = commands.shift(); next; next = commands.shift()) {
        if (this.#isOver()) return;
        const before = this.#turn;
        await this.#carryOut(next.command);
        const details = {
          plan: plan.steps.slice(at).map(({ action }) => action),
          planned: planned.action,
          expected: next.state || planned.response,
        };
        if (asksBack(this.#turn)) {
          this.#report("world-asked", next.command);
          await this.#record(next.command, details);
          if (!/^\d+$/.test(commands[0]?.command ?? "")) commands.unshift(...await this.#decompose(planned));
          if (!/^\d+$/.test(commands[0]?.command ?? "")) return; // no choice was made: plan from what the world shows now
          continue;
        }
        const verdict = await this.#judge(planned, next, before);
        await this.#record(next.command, { ...details, answers: plan.answers, ...(verdict?.replan ? { replan: verdict.reason } : {}) });
        if (verdict?.replan) return;
      }
    }
  }

  /**
   * The critic, and, where it wants another plan, the reflection merged into R. After the last replan that is allowed, it is asked no more: plans are
   * then carried out to their end.
   */
  async #judge(planned: PlannedStep, command: Command, before: Turn): Promise<Verdict | undefined> {
    const { maxReplans } = this.#options;
    if (this.#turn.end || this.#replans >= maxReplans) return undefined;
    const outturn = { planned, command, before, after: this.#turn };
    const verdict = await criticise(outturn, this.#acting(this.step));
    if (!verdict?.replan) return verdict;
    this.#replans += 1;
    this.#report("replan", verdict.reason);
    if (this.#replans === maxReplans) this.#report("replans-used-up", `${maxReplans} of ${maxReplans}`);
    const learnt = await reflect(outturn, verdict.reason, this.#acting(this.step));
    if (learnt) [this.#reflections, this.#subtask] = [learnt.reflection, learnt.subtask];
    return verdict;
  }

  /** A plan without a step that could be carried out: the world's own fallback, so that no plan is made twice from the same state. */
  async #fallBack(plan: Plan): Promise<void> {
    const { fallback } = this.#world.spec;
    this.#report("empty-plan", `${plan.steps.length} planned, none carried out`);
    this.#report("fallback", fallback);
    await this.#carryOut(fallback);
    await this.#record(fallback, { fallback: "empty-plan" });
  }

  /** One command in the world, and into the world model. One that the world refuses to take is replaced by its fallback. */
  async #carryOut(command: string): Promise<void> {
    this.#episode.signal?.throwIfAborted();
    this.step += 1;
    let action = command;
    try {
      this.#turn = await this.#world.step(command);
    } catch (error) {
      if (!(error instanceof WorldError && error.kind === "bad-action")) throw error;
      this.#report("invalid-action", `${JSON.stringify(command.slice(0, 200))}: ${error.message}`);
      action = this.#world.spec.fallback;
      this.#turn = await this.#world.step(action);
    }
    const { observation, goal, score, sections } = this.#turn;
    this.#done.push({ action, response: observation, score });
    const place = sections["location"];
    const seen = stateOf(this.#turn).observation;
    const experience = { step: this.step, task: goal, action, response: observation, observation: seen };
    await this.worldModel?.ingest({ ...experience, ...(place ? { place } : {}) });
  }

  /** Keeps the step, under what was really done. */
  async #record(command: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    const action = this.#done.at(-1)?.action ?? command;
    const learnt = this.#reflections === "" ? {} : { reflections: this.#reflections, subtask: this.#subtask };
    await this.#episode.recorder.step({
      ...{ pass: 0, step: this.step, action, turn: this.#turn, ...this.#graph() },
      details: { ...details, ...(action === command ? {} : { wanted: command }), ...learnt },
    });
  }

  #situation(): { readonly task: string; readonly subtask: string; readonly reflections: string } {
    return { task: this.#turn.goal, subtask: this.#subtask, reflections: this.#reflections };
  }

  #decompose(planned: PlannedStep): Promise<Command[]> {
    return decompose(planned, this.#done, this.#turn, this.#acting(this.step + 1));
  }

  #acting(step: number): ActingInput {
    const ask = this.#episode.ask.at({ pass: 0, step });
    return { ...this.#situation(), commands: this.#forms, ask, reAsks: this.#options.reAsks, report: this.#report };
  }

  #graph(): Pick<Parameters<Episode["recorder"]["step"]>[0], "graph" | "inherited"> {
    return this.worldModel ? { graph: this.worldModel.graph, inherited: this.#inherited } : {};
  }

  #isOver(): boolean {
    return this.#turn.end !== undefined || this.step >= this.#limit;
  }

  readonly #report = (kind: string, detail: string): void => {
    this.#episode.recorder.event({ pass: 0, step: this.step, kind, detail: detail.replaceAll(/\s+/g, " ").slice(0, 400) });
  };
}
