/** Our own world, stepped with the logged actions and compared with the logged observations. */

import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import { WorldError } from "../../core/errors.ts";
import { passagesFrom } from "../../core/graph/paths.ts";
import { normaliseEntity } from "../../core/graph/triplet.ts";
import type { ReplayedMemory } from "./memory.ts";
import type { StepFindings } from "./report.ts";
import { RewardRules } from "./rewards.ts";
import type { Attempt, Step } from "./steps.ts";
import {
  asSent,
  asShown,
  headersIn,
  isCooking,
  isUncut,
  REFUSALS,
  textAfterStep,
  withoutLastBreaks,
  worldText,
} from "./texts.ts";

export class ReplayedWorld {
  readonly #world: MeasuredEnvironment;
  readonly #uncut: boolean;
  readonly #cooking: boolean;
  /** Whether lists of actions contain macros in this attempt. */
  readonly #macros: boolean;
  /** Room → actions taken there. */
  readonly #taken = new Map<string, Set<string>>();
  #turn: Turn;
  /** The message in place of an observation after a refused macro. */
  #refusal: string | undefined;
  readonly rewards: RewardRules;

  private constructor(
    attempt: Attempt,
    world: MeasuredEnvironment,
    turn: Turn,
    rewards: RewardRules,
  ) {
    this.#world = world;
    this.#turn = turn;
    this.#uncut = isUncut(attempt);
    this.#cooking = isCooking(world) || turn.observation.includes("cookbook");
    this.#macros = attempt.steps.some(({ untried, valid }) =>
      [...untried ?? [], ...valid ?? []].some((action) => action.startsWith("go to "))
    );
    this.rewards = rewards;
  }

  static async begin(attempt: Attempt, world: MeasuredEnvironment): Promise<ReplayedWorld> {
    const turn = await world.reset();
    return new ReplayedWorld(attempt, world, turn, new RewardRules(await world.truth()));
  }

  /** Compares the step's texts and lists of actions with the world's present state. */
  async hold(step: Step, memory: ReplayedMemory, findings: StepFindings): Promise<void> {
    const logged = textAfterStep(step.observation, step.number);
    const ours = this.#refusal ?? worldText(this.#turn, this.#uncut);
    // the task's text, which is not the game's, follows the first observation
    const task = step.number === 1 && logged.startsWith(ours) ? logged.slice(ours.length) : "";
    const seen = /\s$/.test(ours) || /^\s/.test(task)
      ? logged.slice(0, logged.length - task.length)
      : logged;
    const isRefused = this.#refusal !== undefined;
    findings.hold("observation", isRefused ? seen.trim() : seen, isRefused ? ours.trim() : ours);
    if (step.inventory !== undefined) {
      findings.hold("inventory", step.inventory, this.#turn.sections["inventory"] ?? "");
    }
    if (step.valid || step.untried) await this.#holdActions(step, memory, findings);
  }

  /** Compares the rest of the observation in which the log breaks off. */
  holdCut(cut: NonNullable<Attempt["cut"]>, findings: StepFindings): void {
    const logged = withoutLastBreaks(textAfterStep(cut.observation, cut.number));
    const ours = worldText(this.#turn, this.#uncut);
    findings.hold(
      "observation",
      logged,
      ours,
      ours.startsWith(logged) ? "truncated-log" : undefined,
    );
  }

  /** Takes the logged action; a macro goes along the logged rooms. */
  async act(
    step: Step,
    action: string,
    destination: string | undefined,
    memory: ReplayedMemory,
    findings: StepFindings,
  ): Promise<void> {
    const here = memory.navigator.here ?? "";
    this.#refusal = undefined;
    if (destination !== undefined && step.frames.length === 0) {
      const route = memory.route(destination);
      if (typeof route === "string") this.#refusal = REFUSALS[route];
    } else if (destination !== undefined) await this.#walk(step, destination, memory, findings);
    else await this.#send(action, findings);
    const sent = asSent(action);
    this.#taken.set(here, (this.#taken.get(here) ?? new Set()).add(sent));
    await this.rewards.update(this.#turn, this.#world);
  }

  async #walk(
    step: Step,
    destination: string,
    memory: ReplayedMemory,
    findings: StepFindings,
  ): Promise<void> {
    const { graph, navigator } = memory;
    const distances = memory.distancesTo(destination);
    let at = navigator.here ?? "";
    for (const frame of step.frames) {
      const [room] = headersIn(frame).slice(-1).map(normaliseEntity);
      const nearer = passagesFrom(graph, at, navigator.places).filter(({ to }) =>
        (distances.get(to) ?? Infinity) < (distances.get(at) ?? Infinity)
      );
      const passage = nearer.find(({ to }) => to === room) ?? nearer[0];
      if (passage) {
        await this.#send(passage.move, findings);
        at = passage.to; // a closed door stops a move, not the macro
      }
      findings.hold(
        "macro",
        withoutLastBreaks(frame),
        passage ? withoutLastBreaks(this.#turn.sections["raw"] ?? "") : `no way from ${at}`,
      );
    }
  }

  async #send(action: string, findings: StepFindings): Promise<void> {
    try {
      this.#turn = await this.#world.step(asSent(action));
    } catch (error) {
      if (!(error instanceof WorldError) || error.kind !== "bad-action" && error.kind !== "ended") {
        throw error;
      }
      findings.note("observation", action, error.message, "refused-action");
    }
  }

  async #holdActions(step: Step, memory: ReplayedMemory, findings: StepFindings): Promise<void> {
    const admissible = await this.#world.validActions() ?? [];
    const rooms = this.#macros ? [...memory.navigator.places].map((place) => `go to ${place}`) : [];
    if (step.valid) {
      const shown = this.#cooking ? admissible.map(asShown) : admissible;
      findings.hold("actions", split(step.valid), {
        commands: lastTakesSorted(shown),
        rooms: rooms.toSorted(),
      });
    }
    if (step.untried) {
      const carried = this.#cooking && /\bcookbook\b/.test(this.#turn.sections["inventory"] ?? "")
        ? ["examine cookbook"]
        : [];
      const taken = this.#taken.get(memory.navigator.here ?? "") ?? new Set();
      // actions taken are kept as they were sent, so that a food once fried is still offered for
      // frying
      const shown = this.#cooking ? admissible.map(asShown) : admissible;
      const left = [...new Set([...shown, ...carried, ...rooms])].filter((action) =>
        !taken.has(action)
      );
      findings.hold("actions", [...new Set(step.untried)].sort(), left.sort());
    }
  }

  async close(): Promise<void> {
    await this.#world.close();
  }
}

/** Splits a logged list into commands in order and macros as a set. */
function split(
  actions: readonly string[],
): { readonly commands: string[]; readonly rooms: string[] } {
  const isMacro = (action: string): boolean => action.startsWith("go to ");
  return {
    commands: lastTakesSorted(actions.filter((action) => !isMacro(action))),
    rooms: [...new Set(actions.filter(isMacro))].sort(),
  };
}

/** Sorts the final "take" commands, which the logs print in the order of a set. */
function lastTakesSorted(commands: readonly string[]): string[] {
  const from = commands.findLastIndex((command) => !command.startsWith("take ")) + 1;
  return [...commands.slice(0, from), ...commands.slice(from).sort()];
}
