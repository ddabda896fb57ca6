/** One episode of ReasonPlanner: plan, carry out, criticise (arXiv 2410.09252, §3.3 to §3.5). */

import type { Turn } from "../env/environment.ts";
import type { WorldModel } from "../memory/world-model.ts";
import { formLine } from "./ground-action.ts";
import type { CheckedReasonPlannerOptions } from "./reasonplanner-options.ts";
import { type Plan, planTrajectory } from "./reasonplanner-planning.ts";
import {
  actorPrompt,
  type Command,
  criticPrompt,
  parseCommands,
  parseReflection,
  parseVerdict,
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
import type { Rollout } from "./rollout.ts";

export class ReasonPlannerRun {
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
        const predicted = { planned, command: next, isLast: commands.length === 0 };
        await this.#carryOut(next.command);
        const details = {
          plan: plan.steps.slice(at).map(({ action }) => action),
          planned: planned.action,
          expected: formatExpected(predicted),
        };
        if (asksBack(rollout.turn)) {
          rollout.report("world-asked", next.command);
          await this.#record(next.command, details);
          if (!isChoice(commands[0])) commands.unshift(...await this.#commandsFor(planned));
          if (!isChoice(commands[0])) return; // no choice was made: plan from what the world shows now
          continue;
        }
        const replan = await this.#criticise({ ...predicted, before, after: rollout.turn });
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
   * The critic: the reason to plan again, if any; then a reflection is merged into R, and the
   * sub-task updated, unless the game is over (D42). It is not asked after the last allowed replan
   * (D12).
   */
  async #criticise(transition: Transition): Promise<string | undefined> {
    const { maxReplans } = this.#options;
    const rollout = this.#rollout;
    if (this.#replans >= maxReplans) return undefined;
    const values = { ...this.#situation(), ...formatTransition(transition) };
    const verdict = await rollout.ask(criticPrompt, { ...values, commands: this.#commands }, {
      parse: parseVerdict,
    });
    if (!verdict?.replan) return undefined;
    const { reason } = verdict;
    if (rollout.turn.end) return reason;
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
    const action = refusal === undefined
      ? command
      : (await rollout.refuse(command, refusal)).action;
    const { observation, score } = rollout.turn;
    this.#done.push({ before, action, response: observation, score });
    await this.#ingest(action);
  }

  async #ingest(action?: string): Promise<void> {
    const { turn, step } = this.#rollout;
    await this.#worldModel?.ingest({
      ...{ step, action },
      task: turn.goal,
      response: turn.observation,
      observation: stateOf(turn).observation,
      place: turn.sections["location"] || undefined,
    });
  }

  async #record(command: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    const action = this.#done.at(-1)?.action ?? command;
    const wanted = action === command ? undefined : command;
    const { task: _, ...learnt } = this.#situation();
    await this.#rollout.record(action, { ...details, wanted, ...(learnt.reflections && learnt) });
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
