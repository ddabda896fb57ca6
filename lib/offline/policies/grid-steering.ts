/**
 * Steering in BabyAI by primitive moves, by the cells in view alone: to a cell beside something, through a door, to a free cell.
 *
 * @module
 */

import type { Draw } from "../../random.ts";
import { breadthFirst } from "./breadth-first.ts";
import { distance, type GridView, HERE, kindOf, type Sight } from "../reading/babyai-text.ts";

/** A cell and a facing, relative to the viewer: `turned` counts quarter turns to the right. */
interface Pose {
  readonly ahead: number;
  readonly right: number;
  readonly turned: number;
}

/** The moves for one instruction; where what it names is not in view, moves that look for it. */
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
      const isOpen = view.sights.find(({ name }) => kindOf(name) === x && name.endsWith(" door"))?.name.includes("open");
      return then(beside(x), ...(isOpen ? [] : ["toggle"]), "forward", "forward") ?? look(view, draw);
    }
    case "drop_entity":
      return then(movesTo(view, (pose) => cellAhead(view, pose) === "empty" && !isByDoor(view, ahead(pose))), "drop") ?? look(view, draw);
    case "drop_next_to_entity": {
      const goals = view.sights.filter(({ name }) => kindOf(name) === y);
      const moves = movesTo(view, (pose) => cellAhead(view, pose) === "empty" && goals.some((goal) => distance(ahead(pose), goal) === 1));
      return then(moves, "drop") ?? look(view, draw);
    }
    default:
      return look(view, draw);
  }
}

/** Turns, or walks on where the floor is free. */
function look(view: GridView, draw: Draw): string[] {
  const free = [1, 2, 3].findIndex((cells) => view.cell(cells, 0) !== "empty");
  const steps = Array.from({ length: free < 0 ? 3 : free }, () => "forward");
  return draw.pick([["left"], ["right"], ["left", "left"], [...steps, draw.pick(["left", "right"])]]);
}

function then(moves: readonly string[] | undefined, ...more: readonly string[]): string[] | undefined {
  return moves && [...moves, ...more];
}

/** The fewest moves to a pose, over free floor in view; `undefined` where there is no path. */
function movesTo(view: GridView, isGoal: (pose: Pose) => boolean): readonly string[] | undefined {
  const start: Pose = { ...HERE, turned: 0 };
  const edgesOf = (pose: Pose): [string, Pose][] => [
    ["left", { ...pose, turned: (pose.turned + 3) % 4 }],
    ["right", { ...pose, turned: (pose.turned + 1) % 4 }],
    ...(cellAhead(view, pose) === "empty" ? [["forward", { ...pose, ...ahead(pose) }] as [string, Pose]] : []),
  ];
  const poses = breadthFirst(start, edgesOf, ({ ahead, right, turned }) => `${ahead},${right},${turned}`);
  return poses.find(({ node }) => isGoal(node))?.path;
}

/** The cell ahead of a pose. */
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

/** Whether a cell lies next to a door. */
function isByDoor(view: GridView, place: Pick<Sight, "ahead" | "right">): boolean {
  return view.sights.some((sight) => sight.name.endsWith(" door") && distance(sight, place) === 1);
}
