/**
 * The model as GraphMind's actor: it carries out an instruction by primitive actions (Shin et al.
 * 2026, §3.2, §4 and App. A.2 "Execute").
 */

import type { ActionSpec, Turn } from "../env/environment.ts";
import { describeView } from "../memory/view.ts";
import { executeForm, type executePrompt } from "./graphmind.prompts.ts";
import { parseExecute } from "./graphmind-replies.ts";
import { frameOf } from "./go-to.ts";
import { matchAction } from "./ground-action.ts";
import type { Rollout } from "./rollout.ts";

export interface ActorView {
  /** The memory's recollection as one text; absent without one. */
  readonly memory?: string;
  readonly images: readonly Uint8Array[];
  readonly prompt: typeof executePrompt;
}

/**
 * Takes up to ten primitive actions of the model, without those unknown to the world, and returns a
 * turn with each as a frame; the turn before if none was taken.
 */
export async function executeByModel(
  instruction: string,
  rollout: Rollout,
  { memory, images, prompt }: ActorView,
): Promise<void> {
  const { turn: before, world, episode } = rollout;
  const primitives = world.spec.actions.filter(({ name }) => !isCall(name));
  const names = primitives.map(({ name }) => name);
  const wanted = await rollout.ask(prompt, {
    actions: primitives.map(({ name, description }) => `${name}: ${description}`).join("\n"),
    goal: before.goal,
    memory,
    subplan: instruction,
    inventory: before.sections["inventory"] ?? "",
    observation: describeView(before),
  }, { parse: parseExecute, form: names.length > 0 ? executeForm(names) : undefined, images });

  const taken: TakenAction[] = [];
  for (const text of wanted ?? []) {
    episode.signal?.throwIfAborted();
    const action = matchAction(text, names);
    if (action === undefined) {
      rollout.report(
        "invalid-action",
        `${JSON.stringify(text.slice(0, 80))}: it is no primitive action`,
      );
    } else taken.push({ action, turn: await rollout.send(action) });
    if (rollout.turn.end) break;
  }
  rollout.turn = asOneTurn(before, taken);
}

export function isCall(name: ActionSpec["name"]): boolean {
  return name.includes("(");
}

interface TakenAction {
  readonly action: string;
  readonly turn: Turn;
}

const CHANGES = ["door_change", "inventory_change", "passed_door"];

/** The last turn, with every step as a frame; where no step was taken, the turn before. */
function asOneTurn(before: Turn, taken: readonly TakenAction[]): Turn {
  const changes = CHANGES.filter((name) => name in before.sections)
    .map((name) =>
      [
        name,
        taken.map(({ turn }) => turn.sections[name] ?? "").filter((text) => text !== "").join(" "),
      ] as const
    );
  const last = taken.at(-1)?.turn ?? before;
  const report: Record<string, string> = "result" in before.sections ? { result: "" } : {}; // the world's report on one primitive says nothing of the instruction
  return {
    ...last,
    sections: { ...last.sections, ...Object.fromEntries(changes), ...report },
    frames: taken.map(({ action, turn }) => frameOf(action, turn)),
  };
}
