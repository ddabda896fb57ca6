/**
 * Who carries out GraphMind's instructions: the world's heuristic actor, or a model that gives primitive actions (Shin et al. 2026, §3.2, §4 and
 * App. A.2 "Execute").
 *
 * @module
 */

import type { Environment, Frame, Turn } from "../env/environment.ts";
import { WorldError } from "../errors.ts";
import type { Asker } from "../llm/asker.ts";
import { describeView } from "../memory/view.ts";
import { executePrompt, parseExecute } from "./graphmind.prompts.ts";
import { matchAction } from "./match-action.ts";

/** What an actor works with at one decision step. */
export interface ActorSetting {
  readonly world: Environment;
  /** What the world shows. */
  readonly turn: Turn;
  readonly report: (kind: string, detail: string) => void;
}

/** What came of an instruction. */
export interface Carried {
  /** What was recorded as done: the instruction, or the world's fallback. */
  readonly action: string;
  /** The last turn; its frames are all primitive steps. */
  readonly turn: Turn;
  /** Set where the fallback was taken. */
  readonly instead?: "invalid-action";
}

/** Hands an instruction to the world as it stands; one that the world refuses is replaced by the world's fallback. */
export async function carryOutByWorld(instruction: string, { world, report }: ActorSetting): Promise<Carried> {
  try {
    return { action: instruction, turn: await world.step(instruction) };
  } catch (error) {
    if (!(error instanceof WorldError && error.kind === "bad-action")) throw error;
    const { fallback } = world.spec;
    report("invalid-action", `${JSON.stringify(instruction)}: ${error.message}`);
    report("fallback", `${fallback}, after invalid-action`);
    return { action: fallback, turn: await world.step(fallback), instead: "invalid-action" };
  }
}

/** What the acting model is shown besides. */
export interface ModelActorSetting extends ActorSetting {
  readonly ask: Asker;
  /** What the memory recalls, as one text; absent where there is none. */
  readonly memory?: string;
  readonly images: readonly Uint8Array[];
  readonly reAsks: number;
  readonly signal?: AbortSignal;
}

/** Up to ten primitive actions by a model; those that the world does not know are left out. */
export async function carryOutByModel(instruction: string, setting: ModelActorSetting): Promise<Carried> {
  const { world, turn, report, ask, memory, images, reAsks, signal } = setting;
  const primitives = primitivesOf(world);
  const answer = await ask(executePrompt, {
    actions: primitives.map(({ name, description }) => `${name}: ${description}`).join("\n"),
    goal: turn.goal,
    ...(memory === undefined ? {} : { memory }),
    subplan: instruction,
    inventory: turn.sections["inventory"] ?? "",
    observation: describeView(turn),
  }, { parse: parseExecute, images, reAsks });
  if (answer.kind === "malformed") report("malformed-reply", `${executePrompt.role}: ${answer.problem}`);

  const turns: { readonly action: string; readonly turn: Turn }[] = [];
  for (const wanted of answer.kind === "ok" ? answer.value : []) {
    signal?.throwIfAborted();
    const action = matchAction(wanted, primitives.map(({ name }) => name));
    if (action === undefined) report("invalid-action", `${JSON.stringify(wanted.slice(0, 80))}: it is no primitive action`);
    else turns.push({ action, turn: await world.step(action) });
    if (turns.at(-1)?.turn.end) break;
  }
  return { action: instruction, turn: asOneTurn(turn, turns) };
}

/** The world's actions that are no calls. */
export function primitivesOf({ spec }: Environment): Environment["spec"]["actions"] {
  return spec.actions.filter(({ name }) => !name.includes("("));
}

/** Sections that tell of a change: of several steps together they tell of all. */
const CHANGES = ["door_change", "inventory_change", "passed_door"];

/** The last turn, with every step as a frame; where no step was taken, the turn before once more. */
function asOneTurn(before: Turn, turns: readonly { readonly action: string; readonly turn: Turn }[]): Turn {
  const last = turns.at(-1)?.turn;
  const changes = Object.fromEntries(CHANGES.flatMap((name): [string, string][] => {
    if (!(name in before.sections)) return [];
    return [[name, turns.map(({ turn }) => turn.sections[name] ?? "").filter((text) => text !== "").join(" ")]];
  }));
  const frames = turns.map(({ action, turn: { observation, sections, image } }): Frame => ({
    action,
    observation,
    sections,
    ...(image ? { image } : {}),
  }));
  const shown = last ?? before;
  const report: Record<string, string> = "result" in before.sections ? { result: "" } : {}; // the world's word on one primitive says nothing of the instruction
  return { ...shown, sections: { ...shown.sections, ...changes, ...report }, frames };
}
