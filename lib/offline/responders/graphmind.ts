/**
 * Answers GraphMind's planner, verifier and actor: by the same rules for every memory, over what it recalls.
 *
 * @module
 */

import type { OfflineAnswer, OfflinePrompt, Responder } from "../backbone.ts";
import { type GridView, kindOf, readGridView } from "../reading/babyai-text.ts";
import { steer } from "../policies/grid-steering.ts";
import { planInRooms } from "../policies/room-planner.ts";

/** `graphmind/plan`, `graphmind/verify-completion` and `graphmind/execute`. */
export const graphmindResponders: readonly Responder[] = [
  { role: "graphmind/plan", answer: plan },
  { role: "graphmind/verify-completion", answer: verify },
  { role: "graphmind/execute", answer: execute },
];

function plan(prompt: OfflinePrompt): OfflineAnswer {
  const planned = planInRooms(prompt);
  if (planned.kind === "call") return { calls: [{ name: planned.name, arguments: planned.arguments }] };
  return JSON.stringify({
    subplan_target_entity_rationale: planned.why,
    subplan_target_entity: planned.target,
    subplans_rationale: planned.why,
    subplans: planned.instructions,
  });
}

/** Compares the instruction with what is seen and carried; gives up what the actor reports it cannot do, or has not done after some turns. */
function verify({ sections }: OfflinePrompt): string {
  const { call, args: [x = "", y = ""] } = instructionIn(sections["Last plan"]);
  const view = readGridView(sections["Observation"] ?? "");
  const carried = kindOf(sections["Inventory"] ?? "");
  const report = sections["Actor's report"] ?? "";
  const saysDone = report === "" || report === "done";
  const complete = saysDone && isDone(call, { x, y, view, carried, passed: sections["Passed door"] ?? "" });
  const tries = Number(sections["Times the last plan was tried"] ?? "1");
  const refused = !saysDone && !report.startsWith("incomplete");
  const adjust = !complete && (refused || tries > (report === "" ? MOST_TURNS : 1));
  return JSON.stringify({
    is_complete_rationale: complete ? "What is seen and carried shows it." : "Nothing shows it.",
    is_complete: complete,
    need_to_adjust_rationale: adjust ? "Another try would go as this one." : "There is no need.",
    need_to_adjust: adjust,
  });
}

/** The primitive moves for an instruction, by what is in view. */
function execute({ sections, draw }: OfflinePrompt): string {
  const { call, args } = instructionIn(sections["Instruction"]);
  const view = readGridView(sections["Observation"] ?? "");
  const actions = view ? steer(call, args, { view, draw }).slice(0, MOST_ACTIONS) : ["left"];
  return JSON.stringify({ actions_rationale: "The shortest way in view.", actions });
}

/** Number of moves in a reply, at most. */
const MOST_ACTIONS = 10;
/** Number of turns that an actor gets which reports nothing. */
const MOST_TURNS = 4;

/** Splits `pass_door(red closed door)` into its name and the kinds of its arguments. */
function instructionIn(text = ""): { readonly call: string; readonly args: readonly string[] } {
  const [, call = "", args = ""] = text.match(/^(\w+)\s*\((.*)\)$/m) ?? [];
  return { call, args: args.split(",").map(kindOf) };
}

/** What tells whether an instruction `call(x, y)` is done. */
interface Evidence {
  readonly x: string;
  readonly y: string;
  readonly view: GridView | undefined;
  readonly carried: string;
  readonly passed: string;
}

function isDone(call: string, { x, y, view, carried, passed }: Evidence): boolean {
  switch (call) {
    case "find_door":
      return view?.sights.some(({ name }) => name.endsWith(" door")) ?? false;
    case "pass_door":
      return passed.toLowerCase().includes(x);
    case "go_to_entity":
      return kindOf(view?.cell(1, 0) ?? "") === x;
    case "pick_up_entity":
      return carried.includes(x);
    case "drop_entity":
      return !carried.includes(x);
    case "drop_next_to_entity":
      return !carried.includes(x) && (view?.sights.some((thing) => kindOf(thing.name) === x && isBeside(view, thing, y)) ?? false);
    default:
      return true;
  }
}

/** Whether something of a kind lies on one of the four cells beside a place. */
function isBeside(view: GridView, { ahead, right }: { readonly ahead: number; readonly right: number }, kind: string): boolean {
  return ([[1, 0], [-1, 0], [0, 1], [0, -1]] as const).some(([up, side]) => kindOf(view.cell(ahead + up, right + side)) === kind);
}
