/** The maps that GraphMind's pictures of single trials are put together from, and what stands above them. */

import { GRAPHMIND_CONDITIONS, type GraphMindTrial } from "./trials.ts";
import type { GridPanel } from "../../report/figures/grid-map.ts";
import { type GridStep, wholePath } from "./trace.ts";

/** Maps in a strip. */
const STRIP = 12;
/** Letters above a map of a strip before a line breaks. */
const LETTERS = 26;

/** A map with the whole way of a trial, and where wanted how often each cell was visited. */
export function wayPanel(trial: GraphMindTrial, heat: boolean): GridPanel {
  const steps = trial.trace();
  const { truth } = steps.at(-1) as GridStep;
  const path = wholePath(steps);
  const name = GRAPHMIND_CONDITIONS[trial.condition] ?? trial.condition;
  const decisions = trial.condition === "oracle" ? "" : `${steps.length - 1} decisions, `;
  return { title: `${name}: ${trial.success ? "success" : "failure"}\n${decisions}${path.length - 1} steps`, truth, path, heat };
}

/** A map after one instruction, with what was walked in it. */
export function stepPanel({ step, action, truth, path, sections }: GridStep): GridPanel {
  const held = sections["inventory"];
  const result = sections["result"] ?? "";
  const call = action.length > LETTERS ? action.replace("(", "\n(") : action;
  const came = [
    result.length > LETTERS ? `${result.slice(0, LETTERS - 1)}…` : result,
    ...(held && held !== "nothing" ? [`carries ${held}`] : []),
  ];
  if (step === 0) return { title: "start", truth };
  return { title: `${step}: ${call}\n${came.filter((part) => part !== "").join("; ")}`, truth, path };
}

/** As many steps as a strip holds, in order: the first and the last, those that brought something new, those that changed room or door, then the others. */
export function keySteps(steps: readonly GridStep[]): { readonly shown: readonly GridStep[]; readonly of: number } {
  const seen = ({ truth }: GridStep): number => truth.rooms.filter(({ visited }) => visited).length;
  const rankOf = (step: GridStep, at: number): number => {
    const before = steps[at - 1];
    if (!before || at === steps.length - 1) return 0;
    const { door_change: door = "", inventory_change: exchange = "" } = step.sections;
    if (seen(step) > seen(before) || door.includes("to open") || exchange !== "") return 1;
    return step.from !== step.to || door !== "" ? 2 : 3;
  };
  const ranked = [0, 1, 2, 3].flatMap((rank) => steps.filter((step, at) => rankOf(step, at) === rank));
  return { shown: ranked.slice(0, STRIP).sort((a, b) => a.step - b.step), of: steps.length };
}

/** The mission and its layout. */
export function missionOf({ mission, layout }: GraphMindTrial): string {
  return `${mission} on ${layout}`;
}

/** The mission, its layout, the attempt and the seed. */
export function placeOf({ mission, layout, attempt, seed }: GraphMindTrial): string {
  return `${mission} on layout ${layout}, attempt ${attempt}, seed ${seed}`;
}
