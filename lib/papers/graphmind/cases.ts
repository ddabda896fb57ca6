/**
 * GraphMind's pictures of single trials, chosen by rule among those of a study: a desired and a failed trajectory (Fig. 1), an update of the graph
 * (Fig. 3), KG against SM (Fig. 4), right and wrong verdicts on a passage (Fig. 6), the forms of an observation (Fig. 7), strips of successes (Figs. 8
 * and 9), heat maps and trajectories of oracle, KG and SM (Figs. 10 and 11).
 *
 * @module
 */

import { type Room, roomsOf } from "../../graph/room-graph.ts";
import { tripletsAfter } from "../../lab/recorded-graph.ts";
import type { Store } from "../../store/open.ts";
import type { Figure } from "../../report/figure.ts";
import { gameMapFigure, type GameTruth } from "../../report/figures/game-map.ts";
import { GRAPHMIND_CONDITIONS, roomsOrder } from "./conditions.ts";
import { gridMapFigure, type GridPanel } from "../../report/figures/grid-map.ts";
import { observationFigure } from "./figures/observation.ts";
import { distinct, keySteps, missionOf, placeOf, type Played, stepPanel, wayPanel } from "./panels.ts";
import { type GridStep, gridSteps } from "./trace.ts";
import type { GraphMindTrial } from "./trials.ts";
import { transitionsOf } from "./transitions.ts";

/** What all pictures say. */
interface Named {
  readonly backbone: string;
}

/**
 * Every picture that the study's completed trials allow. The rules: of the largest maps up to 3 × 3 those of PutNextTo come first, then by
 * layout and attempt; the first trial that shows what the figure is about is taken.
 */
export function graphmindCases(
  store: Store,
  trials: readonly GraphMindTrial[],
  named: { readonly backbone: string },
): Figure[] {
  const done = trials.filter(({ status }) => status === "completed").sort((a, b) =>
    rank(a) - rank(b) || (a.layout < b.layout ? -1 : a.layout > b.layout ? 1 : a.attempt - b.attempt)
  );
  const steps = new Map<string, GridStep[]>();
  const played = (trial: GraphMindTrial | undefined): Played | undefined => {
    if (!trial) return undefined;
    const some = steps.getOrInsertComputed(trial.episode, () => gridSteps(store, trial.episode));
    return some.length > 1 ? { trial, steps: some } : undefined;
  };
  const of = (condition: string): GraphMindTrial[] => done.filter((trial) => trial.condition === condition);
  const beside = (trial: GraphMindTrial, condition: string): GraphMindTrial | undefined =>
    of(condition).find(({ mission, layout, attempt }) =>
      mission === trial.mission && layout === trial.layout && (attempt === trial.attempt || condition === "oracle")
    );
  const context: Context = { store, named, played, of, beside };
  return [figure1, figure3, figure4, figure6, figure7, figures8And9, figures10And11].flatMap((draw) => draw(context));
}

interface Context {
  readonly store: Store;
  readonly named: Named;
  readonly played: (trial: GraphMindTrial | undefined) => Played | undefined;
  readonly of: (condition: string) => GraphMindTrial[];
  readonly beside: (trial: GraphMindTrial, condition: string) => GraphMindTrial | undefined;
}

/** 3 × 3 before 2 × 2 before larger maps; PutNextTo before OpenDoor. */
function rank({ rooms, mission }: GraphMindTrial): number {
  return 2 * (["3x3", "2x2"].indexOf(rooms) + 1 || 2 + roomsOrder(rooms)) + (mission === "PutNextTo" ? 0 : 1);
}

/** A trial that reached its goal, and one on the same map that did not. */
function figure1({ named: { backbone }, played, of, beside }: Context): Figure[] {
  const pairs = [...of("kg"), ...of("oracle")].filter(({ success }) => success).flatMap((good) =>
    ["none", "sm", "kg", "random-dsl"].flatMap((condition) => {
      const bad = condition === good.condition ? undefined : beside(good, condition);
      return bad && !bad.success ? [{ good, bad }] : [];
    })
  );
  const [pair] = pairs;
  const [good, bad] = [played(pair?.good), played(pair?.bad)];
  if (!good || !bad) return [];
  return [gridMapFigure([good, bad].map((one) => wayPanel(one)), {
    id: `graphmind-fig1-${backbone}`,
    title: `A desired and a failed trajectory: ${missionOf(good)}`,
    subtitle: `backbone: ${backbone}`,
    caption:
      `A trajectory that completes its mission and one that does not (after Figure 1), ${placeOf(good)}; backbone ${backbone}, n = 2, ` +
      `trials ${good.trial.episode} and ${bad.trial.episode}.`,
    columns: 2,
    width: 330,
  })];
}

/** The graph before and after the first step on which a passage added a room. */
function figure3({ store, named: { backbone }, played, of }: Context): Figure[] {
  for (const trial of of("kg")) {
    const steps = played(trial)?.steps ?? [];
    const roomsAt = (step: number): Room[] => roomsOf(tripletsAfter(store, trial.episode, { pass: 0, step }));
    const grown = steps.find(({ step }) => step > 0 && roomsAt(step - 1).length > 0 && roomsAt(step).length > roomsAt(step - 1).length);
    if (!grown) continue;
    return (["before", "after"] as const).map((when) => {
      const step = when === "before" ? grown.step - 1 : grown.step;
      const title = `The room graph ${when} ${grown.action}`;
      const figure = gameMapFigure(asGame(roomsAt(step), beliefsOf(steps[step])), { id: `graphmind-fig3-${when}-${backbone}`, title });
      return {
        ...figure,
        caption:
          `${title} (after Figure 3): rooms as the memory numbers them, their doors and what they contain; tinted: where it believes the agent to ` +
          `be. Backbone ${backbone}, n = 1, trial ${trial.episode}, step ${step}, ${trial.mission} on ${trial.layout}, seed ${trial.seed}.`,
        spec: { ...figure.spec, title: { text: title, subtitle: `backbone: ${backbone}` } },
      };
    });
  }
  return [];
}

/** KG and SM on one map: where they went and how often, KG's success first. */
function figure4({ named: { backbone }, played, of, beside }: Context): Figure[] {
  const pairs = of("kg").flatMap((kg) => {
    const sm = beside(kg, "sm");
    return sm ? [{ kg, sm }] : [];
  });
  const pair = pairs.find(({ kg, sm }) => kg.success && !sm.success) ?? pairs[0];
  const [kg, sm] = [played(pair?.kg), played(pair?.sm)];
  if (!kg || !sm) return [];
  return [gridMapFigure([kg, sm].map((one) => wayPanel(one, true)), {
    id: `graphmind-fig4-${backbone}`,
    title: `KG and SM: ${missionOf(kg)}`,
    subtitle: `backbone: ${backbone}`,
    caption: `Room graph against stacked memory on one map (after Figure 4), ${placeOf(kg)}; backbone ${backbone}, n = 2, trials ` +
      `${kg.trial.episode} and ${sm.trial.episode}.`,
    columns: 2,
    width: 330,
  })];
}

/** Passages judged rightly and wrongly, two of each where there are as many. */
function figure6({ named: { backbone }, played, of }: Context): Figure[] {
  const right: GridPanel[] = [];
  const wrong: GridPanel[] = [];
  for (const trial of ["kg", "kg-static", "kg-llm-actor"].flatMap(of)) {
    const steps = played(trial)?.steps ?? [];
    for (const verdict of transitionsOf(steps)) {
      const side = verdict.right ? right : wrong;
      // of right ones one passage and one stay
      if (side.length >= 2 || (verdict.right && right.length === (verdict.moved ? 1 : 0))) continue;
      const step = steps.find((one) => one.step === verdict.step);
      if (!step || step.path.length < 2) continue;
      const [door] = (step.sections["passed_door"] ?? "").split(",");
      const votes = `${verdict.for} of ${verdict.for + verdict.against} votes for a passage`;
      side.push({
        title:
          `${verdict.right ? "right" : "wrong"}: ${verdict.moved ? `passed ${door || "a door"}` : "stayed"}, judged ${
            verdict.passed ? "passed" : "stayed"
          }\n` +
          `${step.action}\n${GRAPHMIND_CONDITIONS[trial.condition]}, ${trial.layout} step ${step.step}\n${votes}`,
        truth: step.truth,
        path: step.isTraced ? step.path : undefined,
      });
    }
    if (right.length >= 2 && wrong.length >= 2) break;
  }
  const panels = distinct([...right, ...wrong]);
  if (panels.length === 0) return [];
  return [gridMapFigure(panels, {
    id: `graphmind-fig6-${backbone}`,
    title: "Verdicts on whether a door was passed",
    subtitle: `backbone: ${backbone}`,
    caption:
      `Steps after which the memory judged rightly and wrongly whether the agent had changed rooms (after Figure 6); backbone ${backbone}, ` +
      `n = ${panels.length} steps, ${right.length} right and ${wrong.length} wrong${
        wrong.length === 0 ? " (there was no wrong one)" : ""
      }.`,
    columns: 4,
    width: 230,
  })];
}

/** The view with the most in it on the way of the first trial. */
function figure7({ named: { backbone }, played, of }: Context): Figure[] {
  const [trial] = of("kg");
  const steps = played(trial)?.steps ?? [];
  const things = (view: string): number => new Set(view.match(/\w+_(?:Door|Key|Ball|Box)/g)).size;
  const [best] = [...steps].sort((a, b) => things(b.observation) - things(a.observation) || a.step - b.step);
  if (!trial || !best) return [];
  const facing = best.sections["facing"];
  return [observationFigure(best.observation, {
    id: `graphmind-fig7-${backbone}`,
    title: "An observation as picture and as text",
    subtitle: `backbone: ${backbone}`,
    caption:
      `Two forms of one observation (after Figure 7): trial ${trial.episode} (${trial.mission} on ${trial.layout}, seed ${trial.seed}), after ` +
      `step ${best.step}; backbone ${backbone}, n = 1.`,
    facing,
  })];
}

/** Successes of KG step by step: one on 3 × 3, one on 2 × 2; where none succeeded, the first trial. */
function figures8And9({ named: { backbone }, played, of }: Context): Figure[] {
  return ([["3x3", 8], ["2x2", 9]] as const).flatMap(([rooms, number]) => {
    const trials = of("kg").filter((trial) => trial.rooms === rooms);
    const one = played(trials.find(({ success }) => success) ?? trials[0]);
    if (!one) return [];
    const { shown, of: all } = keySteps(one.steps);
    return [gridMapFigure(shown.map(stepPanel), {
      id: `graphmind-fig${number}-${backbone}`,
      title: `${missionOf(one)}: ${one.trial.success ? "completed" : "not completed"}`,
      subtitle: `backbone: ${backbone}; ${placeOf(one)}`,
      caption:
        `A trial with the room graph step by step (after Figure ${number}): the map after each instruction, what the agent walked in it, and what came ` +
        `of it; ${placeOf(one)}; backbone ${backbone}, n = 1, trial ${one.trial.episode}` +
        `${shown.length < all ? `; ${shown.length} of ${all} steps, those that changed something first` : ""}.`,
      columns: 6,
      width: 200,
    })];
  });
}

/** Oracle, KG and SM on one map: two maps of 3 × 3, or what there is. */
function figures10And11({ named: { backbone }, played, of, beside }: Context): Figure[] {
  const layouts = new Map<string, GraphMindTrial>();
  for (const trial of of("kg")) layouts.getOrInsertComputed(trial.layout, () => trial);
  return [...layouts.values()].slice(0, 2).flatMap((kg, index) => {
    const trials = [played(beside(kg, "oracle")), played(kg), played(beside(kg, "sm"))].filter((one) => one !== undefined);
    if (trials.length < 2) return [];
    return [gridMapFigure(trials.map((one) => wayPanel(one, true)), {
      id: `graphmind-fig${10 + index}-${backbone}`,
      title: `Where the agents went: ${missionOf(trials[0] as Played)}`,
      subtitle: `backbone: ${backbone}; ${placeOf(trials[1] as Played)}`,
      caption:
        `Visitation and trajectory of the oracle and of the agents with room graph and stacked memory (after Figure ${10 + index}), ` +
        `${placeOf(trials[1] as Played)}; backbone ${backbone}, n = 1 each, trials ${trials.map(({ trial }) => trial.episode).join(", ")}.`,
      columns: 3,
      width: 300,
    })];
  });
}

/** The memory's own rooms as a game's map draws them. */
function asGame(rooms: readonly Room[], here: number | undefined): GameTruth {
  return {
    rooms: rooms.map(({ number }) => `room ${number}`),
    exits: rooms.flatMap(({ number, exits }) =>
      exits.map(({ door, to, direction = "east" }) => ({ from: `room ${number}`, direction, to: `room ${to}`, door }))
    ),
    location: `room ${here ?? rooms[0]?.number ?? 1}`,
    facts: rooms.flatMap(({ number, entities }) => entities.map(({ name }) => [name, "in", `room ${number}`])),
  };
}

function beliefsOf(step: GridStep | undefined): number | undefined {
  const beliefs = step?.details["beliefs"] as { readonly room?: unknown } | undefined;
  return typeof beliefs?.room === "number" ? beliefs.room : undefined;
}
