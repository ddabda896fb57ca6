/**
 * The methods whose loss is attributed, as data: the stages of a step with the roles of each, and what they play.
 *
 * | method | stages without a role, and why |
 * |---|---|
 * | AriGraph | none |
 * | GraphMind | retrieval: the planner itself asks the graph, by its functions; acting: the world's own actor reads nothing. A model as actor would be a stage, but explores so blindly that `reader:perfect`, too, loses 7 of 8 games |
 * | WESE | staleness: a later relation of a pair replaces the earlier one by rule (Algorithm 1); planning: it acts without a plan |
 * | ReasonPlanner | staleness: facts keep their times, and none is taken back |
 */

import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS } from "../../env/alfworld.ts";
import { experiment, type ExperimentWorld } from "../../lab/experiment.ts";
import type { Factors, Lane } from "../../lab/study.ts";
import { reasonPlannerStudy } from "../reasonplanner/study.ts";
import { withFactors } from "./siblings.ts";
import { longHunt } from "./memory-length.ts";

/** The form of a study. */
export type Form = "quick" | "full";

/** What the lanes of a method depend on. */
export interface LaneChoices {
  readonly form: Form;
  /** Games of each kind, ≥ 1. */
  readonly games: number;
  /** Rooms of the hunts. @default those of the form */
  readonly rooms?: number;
  /** Factors of every episode. */
  readonly factors: Factors;
}

/** A method whose loss is attributed. */
export interface AttributedMethod {
  /** As titles name it. */
  readonly title: string;
  /** Where its games are, in the plural. */
  readonly place: string;
  /** Stage → the roles that belong to it, in the order of a step. */
  readonly stages: Readonly<Record<string, readonly string[]>>;
  /** Stages of other methods that it has no role in, each with why. */
  readonly without: Readonly<Record<string, string>>;
  /** Games of each kind: of the hunts; layouts of each size and density; households of each type of task; test variations of each task. */
  readonly games: Readonly<Record<Form, number>>;
  /** The episodes. A lane that others start from is named `training`, and so is the factor `task` of its episodes. */
  lanes(choices: LaneChoices): Lane[];
}

/** AriGraph in hunts. */
export const ARIGRAPH: AttributedMethod = {
  title: "AriGraph",
  place: "hunts",
  stages: {
    extraction: ["arigraph/extract"],
    staleness: ["arigraph/outdate"],
    retrieval: ["arigraph/entities", "arigraph/explore"],
    planning: ["ariadne/plan"],
    acting: ["ariadne/act"],
  },
  without: {},
  games: { quick: 4, full: 20 },
  lanes: ({ form, games, rooms = HUNT_ROOMS[form], factors }) => [
    ...experiment({
      id: "lanes",
      worlds: [{
        world: "textworld/long-hunt",
        label: `${rooms} rooms`,
        params: longHunt(rooms),
        factors,
      }],
      games,
      memories: ["arigraph"],
      steps: 500,
    }).lanes,
  ],
};

const HUNT_ROOMS = { quick: 16, full: 36 } as const;

/** GraphMind in BabyAI. */
const GRAPHMIND: AttributedMethod = {
  title: "GraphMind",
  place: "BabyAI",
  stages: {
    extraction: ["graphmind/verify-transition", "graphmind/extract", "graphmind/locate"],
    staleness: ["graphmind/update-entities"],
    planning: ["graphmind/plan"],
    verification: ["graphmind/verify-completion"],
  },
  without: { retrieval: "its planner asks the graph itself", acting: "the world's own actor reads nothing" },
  games: { quick: 2, full: 5 },
  lanes: ({ form, games, factors }) => [
    ...experiment({
      id: "lanes",
      worlds: ROOM_SIDES[form].flatMap((side) =>
        [1, 3].flatMap((density) => numbered(games, (number) => `${side}x${side}-d${density}-${number}`)).map((
          layout,
        ): ExperimentWorld => ({
          ...{ world: "babyai", label: layout, params: { layout, mission: "put-next-to", image: false } },
          factors: { ...factors, rooms: side ** 2 },
        }))
      ),
      methods: ["graphmind"],
      memories: ["room-graph"],
      steps: form === "full" ? 400 : 100,
    }).lanes,
  ],
};

const ROOM_SIDES = { quick: [2, 3], full: [2, 3, 4] } as const;

/** WESE over ReAct in households, which it explores for the paper's 50 steps. */
const WESE: AttributedMethod = {
  title: "WESE",
  place: "households",
  stages: {
    exploring: ["wese/explore"],
    extraction: ["wese/extract"],
    retrieval: ["wese/task-entities"],
    acting: ["wese/act"],
  },
  without: { staleness: "a rule replaces old relations", planning: "it acts without a plan" },
  games: { quick: 2, full: 10 },
  lanes: ({ games, factors }) => [
    ...experiment({
      id: "lanes",
      worlds: Object.keys(ALFWORLD_TASKS).flatMap((type) =>
        ALFWORLD_HOUSEHOLDS.filter(({ task }) => task === type).slice(0, games).map(({ index }): ExperimentWorld => ({
          ...{ world: "alfworld", label: `alfworld/${type}, household ${index}`, factors },
          params: { set: "households", game: index, stepLimit: 50 },
        }))
      ),
      methods: ["wese"],
      factors: { base: ["react"], explorationSteps: [50], retrieval: ["one-hop"] },
      steps: 50,
    }).lanes,
  ],
};

/** ReasonPlanner in ScienceWorld, trained on gold paths that the same models read. */
const REASONPLANNER: AttributedMethod = {
  title: "ReasonPlanner",
  place: "ScienceWorld",
  stages: {
    extraction: ["reasonplanner/summarize", "reasonplanner/coreference", "reasonplanner/extract"],
    retrieval: ["reasonplanner/query-entities", "reasonplanner/answer"],
    planning: ["reasonplanner/predict-action", "reasonplanner/predict-state"],
    criticism: ["reasonplanner/critic", "reasonplanner/reflect"],
    acting: ["reasonplanner/actor"],
  },
  without: { staleness: "facts keep their times, and none is taken back" },
  games: { quick: 3, full: 3 },
  lanes: ({ form, games, factors }) => {
    const tasks = SCIENCE_TASKS[form];
    const [training] = reasonPlannerStudy({ only: ["reasonplanner", ...tasks], full: form === "full" }).lanes;
    if (!training) throw new Error("ReasonPlanner is not trained");
    const { lanes } = experiment({
      id: "lanes",
      worlds: tasks.flatMap((task) =>
        numbered(games, (index): ExperimentWorld => ({
          ...{ world: "scienceworld", label: `${task}, variation ${index}` },
          params: { task, split: "test", index, stepLimit: 100 },
          factors: { ...factors, task },
        }))
      ),
      methods: ["reasonplanner"],
      steps: form === "full" ? 100 : 25,
    });
    return [...withFactors([training], { ...factors, task: "training" }), ...lanes.map((lane) => ({ ...lane, after: training.id }))];
  },
};

const SCIENCE_TASKS = {
  quick: ["find-living-thing", "lifespan-longest-lived"],
  full: ["find-living-thing", "lifespan-longest-lived", "melt", "test-conductivity"],
} as const;

/** Name of a method, as ids of studies and `--only` have it → the method. */
export const ATTRIBUTED: Readonly<Record<string, AttributedMethod>> = {
  arigraph: ARIGRAPH,
  graphmind: GRAPHMIND,
  wese: WESE,
  reasonplanner: REASONPLANNER,
};

function numbered<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}
