/**
 * GraphMind's pictures of single trials: a desired and a failed trajectory (Fig. 1), an update of the graph (Fig. 3), KG against SM (Fig. 4), right
 * and wrong verdicts on a passage (Fig. 6), the forms of an observation (Fig. 7), strips of successes (Figs. 8 and 9), heat maps and trajectories of
 * oracle, KG and SM (Figs. 10 and 11).
 *
 * A rule chooses the trials: of the maps up to 3 × 3 (larger ones where there is no other) those of PutNextTo come first, then by layout and attempt.
 * Of the trials that show what a figure is about, the first on a layout that the fewest figures before it show is taken.
 */

import { playerName } from "../../report/caption-text.ts";
import { type Room, roomsOf } from "../../core/graph/room-graph.ts";
import { tripletsAfter } from "../../lab/recorder.ts";
import type { Figure } from "../../report/figure.ts";
import { gameMapFigure } from "../../report/figures/game-map.ts";
import { gridMapFigure, type GridMapOptions, type GridPanel } from "../../report/figures/grid-map.ts";
import type { ReportInput } from "../../report/study-report.ts";
import { getPicture } from "../../lab/store/artefacts.ts";
import { listCalls } from "../../lab/store/calls.ts";
import type { Store } from "../../lab/store/open.ts";
import { getRequest } from "../../lab/store/replies.ts";
import { GRAPHMIND_CONDITIONS, type GraphMindTrial, graphmindTrials, roomsOrder } from "./trials.ts";
import { observationFigure } from "./figures/observation.ts";
import { keySteps, missionOf, placeOf, stepPanel, wayPanel } from "./panels.ts";
import type { GridStep } from "./trace.ts";
import { transitionsOf } from "./transitions.ts";

/** Every picture that the study's completed trials allow. */
export function graphmindCases({ store, reader, study, backbone }: ReportInput): Figure[] {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const rank = ({ rooms, mission }: GraphMindTrial): number =>
    2 * (["3x3", "2x2"].indexOf(rooms) + 1 || 2 + roomsOrder(rooms)) + (mission === "PutNextTo" ? 0 : 1);
  const done = trials.filter(({ status }) => status === "completed").sort((a, b) => rank(a) - rank(b)); // stable: layout and attempt stay in order
  const uses = new Map<string, number>();
  const usesOf = ({ layout }: GraphMindTrial): number => uses.get(layout) ?? 0;
  const context: Context = {
    store,
    backbone,
    of: (condition) => done.filter((trial) => trial.condition === condition),
    beside: (trial, condition) =>
      done.find(({ mission, layout, attempt, ...other }) =>
        other.condition === condition && mission === trial.mission && layout === trial.layout &&
        (attempt === trial.attempt || condition === "oracle")
      ),
    first: (candidates, draw) => {
      const small = candidates.filter(({ rooms }) => roomsOrder(rooms) <= 3);
      for (const trial of (small.length > 0 ? small : candidates).toSorted((a, b) => usesOf(a) - usesOf(b))) {
        const drawn = trial.trace().length > 1 ? draw(trial) : undefined;
        if (!drawn) continue;
        uses.set(trial.layout, usesOf(trial) + 1);
        return drawn;
      }
      return [];
    },
  };
  return [figure1, figure3, figure4, figure6, figure7, figures8And9, figures10And11].flatMap((draw) => draw(context));
}

interface Context {
  readonly store: Store;
  readonly backbone: string;
  /** The completed trials of a condition, by rank. */
  of(condition: string): GraphMindTrial[];
  /** The trial of another condition on the same map. */
  beside(trial: GraphMindTrial, condition: string): GraphMindTrial | undefined;
  /** The first figures that can be drawn of a trial, those on layouts that the fewest figures show before others. */
  first(candidates: readonly GraphMindTrial[], draw: (trial: GraphMindTrial) => Figure[] | undefined): Figure[];
}

/** The texts and the layout of a figure of maps. */
interface Maps extends Pick<GridMapOptions, "title" | "caption" | "columns" | "width"> {
  readonly number: number;
  readonly about?: string;
}

/** A figure of maps of the paper's number. */
function mapsOf(panels: readonly GridPanel[], { backbone }: Pick<Context, "backbone">, { number, about = "", ...options }: Maps): Figure {
  return gridMapFigure(panels, {
    id: `graphmind-fig${number}-${backbone}`,
    subtitle: `model: ${playerName(backbone)}${about}`,
    ...options,
  });
}

/** Condition → what its name stands for. */
const MEANING: Readonly<Record<string, string>> = {
  kg: " KG: knowledge graph of rooms.",
  sm: " SM: relations stacked as they are observed.",
};

/** Whole trajectories beside one another, of which the caption begins with `about`; `undefined` where one was not recorded. */
function trajectories(
  trials: readonly GraphMindTrial[],
  context: Pick<Context, "backbone">,
  { about, title, heat = true, ...options }: Omit<Maps, "caption"> & { readonly heat?: boolean },
): Figure[] | undefined {
  const [one, last] = [trials[0], trials.at(-1)];
  if (!one || !last || trials.some((trial) => trial.trace().length < 2)) return undefined;
  const episodes = trials.map(({ episode }) => episode).join(", ");
  return [mapsOf(trials.map((trial) => wayPanel(trial, heat)), context, {
    title: `${title}: ${missionOf(one)}`,
    caption: `${about} (after Figure ${options.number}), ${placeOf(last)}; model: ${playerName(context.backbone)}, ` +
      `n = ${trials.length}, trials ${episodes}.${[...new Set(trials.map(({ condition }) => MEANING[condition] ?? ""))].join("")}`,
    columns: trials.length,
    width: 330,
    ...options,
  })];
}

/** A trial that reached its goal, and one on the same map that did not. */
function figure1(context: Context): Figure[] {
  const good = [...context.of("kg"), ...context.of("oracle")].filter(({ success }) => success);
  return context.first(good, (trial) => {
    const others = ["none", "sm", "kg", "random-dsl"].filter((condition) => condition !== trial.condition);
    const bad = others.flatMap((condition) => context.beside(trial, condition) ?? []).find(({ success }) => !success);
    const about = "A trajectory that completes its mission and one that does not";
    return bad && trajectories([trial, bad], context, { number: 1, title: "A desired and a failed trajectory", about, heat: false });
  });
}

/** The graph before and after the first step on which a passage added a room, one whose entities have distances where there is one. */
function figure3({ store, backbone, of, first }: Context): Figure[] {
  return first(of("kg"), (trial) => {
    const roomsAt = (step: number): Room[] => roomsOf(tripletsAfter(store, trial.episode, { pass: 0, step }));
    const added = trial.trace().filter(({ step }) =>
      step > 0 && roomsAt(step - 1).length > 0 && roomsAt(step).length > roomsAt(step - 1).length
    );
    const grown = added.find(({ step }) => (roomsAt(step).at(-1)?.distances.length ?? 0) > 0) ?? added[0];
    return grown && (["before", "after"] as const).map((when) => {
      const step = when === "before" ? grown.step - 1 : grown.step;
      const title = `The room graph ${when} ${grown.action}`;
      const options = { id: `graphmind-fig3-${when}-${backbone}`, title, subtitle: `model: ${playerName(backbone)}` };
      return {
        ...roomGraphMap(roomsAt(step), trial.trace()[step], options),
        caption:
          `${title} (after Figure 3): rooms as the memory numbers them (the nodes), their doors (is_connected_with), what they contain with its direction ` +
          `(contains, is_located_to), and distances in cells (are_apart); tinted: where the memory believes the agent to be. Model: ${
            playerName(backbone)
          }, n = 1, ` +
          `trial ${trial.episode}, step ${step}, ${placeOf(trial)}.`,
      };
    });
  });
}

/** The memory's rooms as a map, each entity with its direction and its distances to others. */
function roomGraphMap(
  rooms: readonly Room[],
  step: GridStep | undefined,
  options: { readonly id: string; readonly title: string; readonly subtitle: string },
): Figure {
  const beliefs = step?.details["beliefs"] as { readonly room?: unknown } | undefined;
  const here = typeof beliefs?.room === "number" ? beliefs.room : rooms[0]?.number ?? 1;
  return gameMapFigure({
    rooms: rooms.map(({ number }) => `room ${number}`),
    exits: rooms.flatMap(({ number, exits }) =>
      exits.map(({ door, to, direction = "east" }) => ({ from: `room ${number}`, direction, to: `room ${to}`, door }))
    ),
    location: `room ${here}`,
    facts: rooms.flatMap(({ number, entities }) =>
      entities.map(({ name, direction }) => [direction ? `${name} (${direction})` : name, "in", `room ${number}`])
    ),
    notes: Object.fromEntries(
      rooms.map(({ number, distances }) => [`room ${number}`, distances.map(({ a, b, cells }) => `${a} – ${b}: ${cells} apart`)]),
    ),
  }, options);
}

/** KG and SM on one map: where they went and how often; maps on which KG alone succeeded come first. */
function figure4(context: Context): Figure[] {
  const draw = (isWanted: (kg: GraphMindTrial, sm: GraphMindTrial) => boolean): Figure[] =>
    context.first(context.of("kg"), (kg) => {
      const sm = context.beside(kg, "sm");
      const about = "Room graph against stacked memory on one map";
      return sm && isWanted(kg, sm) ? trajectories([kg, sm], context, { number: 4, title: "KG and SM", about }) : undefined;
    });
  const parted = draw((kg, sm) => kg.success === true && !sm.success);
  return parted.length > 0 ? parted : draw(() => true);
}

/** Passages judged rightly and wrongly, two of each where there are as many. */
function figure6(context: Context): Figure[] {
  const [right, wrong] = [new Map<string, GridPanel>(), new Map<string, GridPanel>()]; // by title
  for (const trial of ["kg", "kg-static", "kg-llm-actor"].flatMap(context.of)) {
    for (const { step: number, ...verdict } of transitionsOf(trial.trace())) {
      const side = verdict.right ? right : wrong;
      // of right ones one passage and one stay
      if (side.size >= 2 || (verdict.right && right.size === (verdict.moved ? 1 : 0))) continue;
      const step = trial.trace().find((one) => one.step === number);
      if (!step || step.path.length < 2) continue;
      const [door] = (step.sections["passed_door"] ?? "").split(",");
      const passed = verdict.moved ? `passed ${door || "a door"}` : "stayed";
      const title = [
        `${verdict.right ? "right" : "wrong"}: ${passed}, judged ${verdict.passed ? "passed" : "stayed"}`,
        step.action,
        `${GRAPHMIND_CONDITIONS[trial.condition]}, ${trial.layout} step ${number}`,
        `${verdict.for} of ${verdict.for + verdict.against} votes for a passage`,
      ].join("\n");
      side.set(title, { title, truth: step.truth, path: step.isTraced ? step.path : undefined });
    }
    if (right.size >= 2 && wrong.size >= 2) break;
  }
  const panels = [...right.values(), ...wrong.values()];
  if (panels.length === 0) return [];
  return [mapsOf(panels, context, {
    number: 6,
    title: "Verdicts on whether a door was passed",
    caption:
      `Steps after which the memory judged rightly and wrongly whether the agent had changed rooms (after Figure 6); model: ${
        playerName(context.backbone)
      }, ` +
      `n = ${panels.length} steps, ${right.size} right and ${wrong.size} wrong${wrong.size === 0 ? " (there was no wrong one)" : ""}.`,
    width: 230,
  })];
}

/** The view of a trial with the most in it, beside the picture of it that the model was shown. */
function figure7({ store, backbone, of, first }: Context): Figure[] {
  const things = (view: string): number => new Set(view.match(/\w+_(?:Door|Key|Ball|Box)/g)).size;
  return first(of("kg"), (trial) => {
    const [best] = trial.trace().toSorted((a, b) => things(b.observation) - things(a.observation) || a.step - b.step);
    return best && [observationFigure(best.observation, {
      id: `graphmind-fig7-${backbone}`,
      title: "An observation as picture and as text",
      subtitle: `model: ${playerName(backbone)}`,
      caption:
        `Two forms of one observation (after Figure 7), after step ${best.step} of trial ${trial.episode}, ${placeOf(trial)}; model: ` +
        `${playerName(backbone)}, n = 1.`,
      facing: best.sections["facing"],
      picture: pictureAfter(store, trial.episode, best.step),
    })];
  });
}

/** The picture of the view after a step: the one that the extractor was shown at the next step. */
function pictureAfter(store: Store, episode: string, step: number): Uint8Array | undefined {
  const call = listCalls(store, episode, { pass: 0, step: step + 1 }).find(({ role, kind }) =>
    role === "graphmind/extract" && kind !== "wasted"
  );
  const messages = call && getRequest(store, call.key)?.messages as readonly { readonly content: unknown }[] | undefined;
  const images = messages?.flatMap(({ content }) => Array.isArray(content) ? content.flatMap((part) => part.image ?? []) : []) ?? [];
  return images[0] === undefined ? undefined : getPicture(store, images[0]);
}

/** Which steps `keySteps` takes where a strip cannot hold all. */
const KEY_STEPS =
  "the first and the last, then those that entered a new room, opened a door, picked up or dropped something, then others, " +
  "the earliest first";

/** Successes of KG step by step: one on 3 × 3, one on 2 × 2; where none succeeded, a failure. */
function figures8And9(context: Context): Figure[] {
  return ([["3x3", 8], ["2x2", 9]] as const).flatMap(([rooms, number]) => {
    const trials = context.of("kg").filter((trial) => trial.rooms === rooms);
    const successes = trials.filter(({ success }) => success);
    return context.first(successes.length > 0 ? successes : trials, (trial) => {
      const { shown, of: all } = keySteps(trial.trace());
      return [mapsOf(shown.map(stepPanel), context, {
        number,
        title: `${missionOf(trial)}: ${trial.success ? "completed" : "not completed"}`,
        about: `; ${placeOf(trial)}`,
        caption:
          `A trial with the room graph step by step (after Figure ${number}): the map after each instruction, what the agent walked in it, and what came ` +
          `of it; ${placeOf(trial)}; model: ${playerName(context.backbone)}, n = 1, trial ${trial.episode}` +
          (shown.length < all ? `; ${shown.length} of ${all} steps: ${KEY_STEPS}.` : "."),
        columns: 4,
        width: 120,
      })];
    });
  });
}

/** Oracle, KG and SM on one map, twice, on two layouts where there are as many. */
function figures10And11(context: Context): Figure[] {
  const shown = new Set<string>();
  return [10, 11].flatMap((number) =>
    context.first(context.of("kg").filter(({ layout }) => !shown.has(layout)), (kg) => {
      const trials = [context.beside(kg, "oracle"), kg, context.beside(kg, "sm")].filter((trial) => trial !== undefined);
      if (trials.length < 2) return undefined;
      const about = "Visitation and trajectory of the oracle and of the agents with room graph and stacked memory";
      const drawn = trajectories(trials, context, { number, title: "Where the agents went", about, width: 300 });
      if (drawn) shown.add(kg.layout);
      return drawn;
    })
  );
}
