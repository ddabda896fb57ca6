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

/** All steps where a strip holds them; else those that changed the map, the room or what is carried, in their order. */
export function keySteps(steps: readonly GridStep[]): { readonly shown: readonly GridStep[]; readonly of: number } {
  if (steps.length <= STRIP) return { shown: steps, of: steps.length };
  const changed = ({ step, sections, from, to }: GridStep): boolean =>
    step === 0 || from !== to || (sections["door_change"] ?? "") !== "" || (sections["inventory_change"] ?? "") !== "" ||
    step === steps.at(-1)?.step;
  const all = steps.filter(changed);
  const first = all.length > STRIP ? [...all.slice(0, STRIP - 1), ...all.slice(-1)] : all; // how it ended is always shown
  const rest = steps.filter((step) => !first.includes(step)).slice(0, STRIP - first.length);
  return { shown: [...first, ...rest].sort((a, b) => a.step - b.step), of: steps.length };
}

/** The mission and its layout. */
export function missionOf({ mission, layout }: GraphMindTrial): string {
  return `${mission} on ${layout}`;
}

/** The mission, its layout, the attempt and the seed. */
export function placeOf({ mission, layout, attempt, seed }: GraphMindTrial): string {
  return `${mission} on layout ${layout}, attempt ${attempt}, seed ${seed}`;
}
