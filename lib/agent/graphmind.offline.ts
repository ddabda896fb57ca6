/**
 * How the offline backbone answers GraphMind's planner, verifier and actor: the same rules for every memory, over whatever it recalls.
 *
 * @module
 */

import type { OfflineAnswer, OfflinePrompt, Responder } from "../llm/offline/backbone.ts";
import { type GridView, kindOf, readGridView } from "../llm/offline/grid-view.ts";
import { planInRooms } from "../llm/offline/room-planning.ts";

/** `graphmind/plan` and `graphmind/verify-completion`. */
export const graphmindResponders: readonly Responder[] = [
  { role: "graphmind/plan", answer: plan },
  { role: "graphmind/verify-completion", answer: ({ sections }) => verify(sections) },
];

function plan({ sections, tools, draw }: OfflinePrompt): OfflineAnswer {
  const planned = planInRooms({
    mission: sections["Mission"] ?? "",
    memory: sections["Memory"] ?? "",
    inventory: sections["Inventory"] ?? "",
    lastPlan: sections["Last plan"] ?? "",
    completion: sections["Last plan completion"] ?? "",
    observation: sections["Observation"] ?? "",
    sections,
    tools,
    draw,
  });
  if (planned.kind === "call") return { calls: [{ name: planned.name, arguments: planned.arguments }] };
  return JSON.stringify({
    subplan_target_entity_rationale: planned.why,
    subplan_target_entity: planned.target,
    subplans_rationale: planned.why,
    subplans: planned.instructions,
  });
}

/** Holds the instruction against what is seen and carried; twice in vain is enough. */
function verify(sections: OfflinePrompt["sections"]): string {
  const [, call = "", args = ""] = (sections["Last plan"] ?? "").match(/^(\w+)\s*\((.*)\)$/m) ?? [];
  const [x = "", y = ""] = args.split(",").map(kindOf);
  const view = readGridView(sections["Observation"] ?? "");
  const carried = kindOf(sections["Inventory"] ?? "");
  const report = sections["Actor's report"] ?? "";
  const saysDone = report === "" || report === "done";
  const complete = saysDone && isDone(call, { x, y, view, carried, passed: sections["Passed door"] ?? "" });
  const tries = Number(sections["Times the last plan was tried"] ?? "1");
  const adjust = !complete && (tries > 1 || !report.startsWith("incomplete"));
  return JSON.stringify({
    is_complete_rationale: complete ? "What is seen and carried shows it." : "Nothing shows it.",
    is_complete: complete,
    need_to_adjust_rationale: adjust ? "Another try would go as this one." : "There is no need.",
    need_to_adjust: adjust,
  });
}

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

/** Whether something of the kind lies on one of the four cells beside a place. */
function isBeside(view: GridView, { ahead, right }: { readonly ahead: number; readonly right: number }, kind: string): boolean {
  return ([[1, 0], [-1, 0], [0, 1], [0, -1]] as const).some(([up, side]) => kindOf(view.cell(ahead + up, right + side)) === kind);
}
