/**
 * Answers GraphMind's planner, verifier and actor in BabyAI; the actor sees only the cells in view.
 */

import type { Draw } from "../../core/random.ts";
import type { OfflineAnswer, OfflinePrompt, Responder } from "../stand-in.ts";
import { breadthFirst } from "../policies/breadth-first.ts";
import { planInRooms } from "../policies/room-planner.ts";
import {
  distance,
  type GridView,
  HERE,
  kindOf,
  readGridView,
  type Sight,
} from "../reading/babyai-text.ts";

export const graphmindResponders: readonly Responder[] = [
  { role: "graphmind/plan", answer: plan },
  { role: "graphmind/verify-completion", answer: verify },
  { role: "graphmind/execute", answer: execute },
];

function plan(prompt: OfflinePrompt): OfflineAnswer {
  const planned = planInRooms(prompt);
  if (planned.kind === "call") {
    return { calls: [{ name: planned.name, arguments: planned.arguments }] };
  }
  return JSON.stringify({
    subplan_target_entity_rationale: planned.why,
    subplan_target_entity: planned.target,
    subplans_rationale: planned.why,
    subplans: planned.instructions,
  });
}

/** Compares the instruction with what is seen and carried; gives up after some turns. */
function verify({ sections }: OfflinePrompt): string {
  const { call, args: [x = "", y = ""] } = instructionIn(sections["Last plan"]);
  const view = readGridView(sections["Observation"] ?? "");
  const carried = kindOf(sections["Inventory"] ?? "");
  const report = sections["Actor's report"] ?? "";
  const saysDone = report === "" || report === "done";
  const complete = saysDone &&
    isDone(call, { x, y, view, carried, passed: sections["Passed door"] ?? "" });
  const tries = Number(sections["Times the last plan was tried"] ?? "1");
  const refused = !saysDone && !report.startsWith("incomplete");
  const adjust = !complete && (refused || tries > (report === "" ? MAX_TURNS : 1));
  return JSON.stringify({
    is_complete_rationale: complete ? "What is seen and carried shows it." : "Nothing shows it.",
    is_complete: complete,
    need_to_adjust_rationale: adjust ? "Another try would go as this one." : "There is no need.",
    need_to_adjust: adjust,
  });
}

function execute({ sections, draw }: OfflinePrompt): string {
  const { call, args } = instructionIn(sections["Instruction"]);
  const view = readGridView(sections["Observation"] ?? "");
  const actions = view ? steer(call, args, { view, draw }).slice(0, MAX_ACTIONS) : ["left"];
  return JSON.stringify({ actions_rationale: "The shortest way in view.", actions });
}

const MAX_ACTIONS = 10;
const MAX_TURNS = 4;

function instructionIn(text = ""): { readonly call: string; readonly args: readonly string[] } {
  const [, call = "", args = ""] = text.match(/^(\w+)\s*\((.*)\)$/m) ?? [];
  return { call, args: args.split(",").map(kindOf) };
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
      return !carried.includes(x) &&
        (view?.sights.some((thing) => kindOf(thing.name) === x && isBeside(view, thing, y)) ??
          false);
    default:
      return true;
  }
}

function isBeside(
  view: GridView,
  { ahead, right }: { readonly ahead: number; readonly right: number },
  kind: string,
): boolean {
  return ([[1, 0], [-1, 0], [0, 1], [0, -1]] as const).some(([up, side]) =>
    kindOf(view.cell(ahead + up, right + side)) === kind
  );
}

/** A cell and a facing relative to the viewer: `turned` is in quarter turns to the right. */
interface Pose {
  readonly ahead: number;
  readonly right: number;
  readonly turned: number;
}

export function steer(
  call: string,
  args: readonly string[],
  { view, draw }: { readonly view: GridView; readonly draw: Draw },
): readonly string[] {
  const [x = "", y = ""] = args;
  const beside = (kind: string): readonly string[] | undefined => {
    for (const sight of view.sights.filter(({ name }) => kindOf(name) === kind)) {
      const moves = movesTo(view, (pose) => isFacing(pose, sight));
      if (moves) return moves;
    }
    return undefined;
  };
  switch (call) {
    case "find_door":
      return view.sights.some(({ name }) => name.endsWith(" door")) ? ["left"] : look(view, draw);
    case "go_to_entity":
      return beside(x) ?? look(view, draw);
    case "pick_up_entity":
      return then(beside(x), "pickup") ?? look(view, draw);
    case "pass_door": {
      const isOpen = view.sights.find(({ name }) => kindOf(name) === x && name.endsWith(" door"))
        ?.name.includes("open");
      return then(beside(x), ...(isOpen ? [] : ["toggle"]), "forward", "forward") ??
        look(view, draw);
    }
    case "drop_entity":
      return then(
        movesTo(view, (pose) => cellAhead(view, pose) === "empty" && !isByDoor(view, ahead(pose))),
        "drop",
      ) ?? look(view, draw);
    case "drop_next_to_entity": {
      const goals = view.sights.filter(({ name }) => kindOf(name) === y);
      const moves = movesTo(
        view,
        (pose) =>
          cellAhead(view, pose) === "empty" &&
          goals.some((goal) => distance(ahead(pose), goal) === 1),
      );
      return then(moves, "drop") ?? look(view, draw);
    }
    default:
      return look(view, draw);
  }
}

function look(view: GridView, draw: Draw): string[] {
  const free = [1, 2, 3].findIndex((cells) => view.cell(cells, 0) !== "empty");
  const steps = Array.from({ length: free < 0 ? 3 : free }, () => "forward");
  return draw.pick([["left"], ["right"], ["left", "left"], [
    ...steps,
    draw.pick(["left", "right"]),
  ]]);
}

function then(
  moves: readonly string[] | undefined,
  ...more: readonly string[]
): string[] | undefined {
  return moves && [...moves, ...more];
}

/** The fewest moves to a pose over free floor in view. */
function movesTo(view: GridView, isGoal: (pose: Pose) => boolean): readonly string[] | undefined {
  const start: Pose = { ...HERE, turned: 0 };
  const edgesOf = (pose: Pose): [string, Pose][] => [
    ["left", { ...pose, turned: (pose.turned + 3) % 4 }],
    ["right", { ...pose, turned: (pose.turned + 1) % 4 }],
    ...(cellAhead(view, pose) === "empty"
      ? [["forward", { ...pose, ...ahead(pose) }] as [string, Pose]]
      : []),
  ];
  const poses = breadthFirst(
    start,
    edgesOf,
    ({ ahead, right, turned }) => `${ahead},${right},${turned}`,
  );
  return poses.find(({ node }) => isGoal(node))?.path;
}

function ahead({ ahead, right, turned }: Pose): Pick<Sight, "ahead" | "right"> {
  const [up, side] = ([[1, 0], [0, 1], [-1, 0], [0, -1]] as const)[turned % 4] ?? [1, 0];
  return { ahead: ahead + up, right: right + side };
}

function cellAhead(view: GridView, pose: Pose): string {
  const place = ahead(pose);
  return view.cell(place.ahead, place.right);
}

function isFacing(pose: Pose, sight: Sight): boolean {
  return distance(ahead(pose), sight) === 0;
}

function isByDoor(view: GridView, place: Pick<Sight, "ahead" | "right">): boolean {
  return view.sights.some((sight) => sight.name.endsWith(" door") && distance(sight, place) === 1);
}
