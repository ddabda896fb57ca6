/**
 * The studies that a real model plays for the record, as data: games, seeds, limits and conditions,
 * fixed before the first reply of each.
 */

import { parseRoleMap } from "labyrinth";
import { experiment, type Study } from "labyrinth/lab";
import { arigraphQuestionsStudy } from "labyrinth/papers/arigraph";
import { reasonPlannerStudy } from "labyrinth/papers/reasonplanner";
import { weseStudy } from "labyrinth/papers/wese";
import { shortened } from "../../lib/papers/study-options.ts";

/** One model in every role, asked as `--models qwen` asks it. */
const QWEN = parseRoleMap(JSON.stringify({
  "*": {
    model: "qwen",
    extraBody: {
      ...{ repeat_penalty: 1.05, dry_multiplier: 2, dry_base: 2 },
      ...{ dry_allowed_length: 6, dry_penalty_last_n: 256 },
    },
  },
}));

/** The same model, as `--models qwen` asked it when the questions were begun. */
const QWEN_BEFORE = parseRoleMap('{"*": {"model": "qwen", "extraBody": {"repeat_penalty": 1.1}}}');

/** WESE's two models, with the parameters of their servers. */
const WESE = parseRoleMap('{"*": "qwen", "wese/*": "smollm2", "wese/act": "qwen"}');

const CLAIMS = ["cot", "act", "react", "react-wese"];

/** The numbers of the tasks behind the first 25 of each set, up to 40. */
const MORE: Readonly<Record<string, RegExp>> = {
  hotpotqa: /\/(?:questions-(?:2\d|3[01])|comparisons-[5-7])\|/,
  fever: /\/claims-(?:2[5-9]|3\d)\|/,
};

/** Fifteen tasks more of one of WESE's sets. */
function moreOf(set: string): Study {
  const id = `wese-${set}-more@qwen+smollm2`;
  const { chains, ...study } = weseStudy({ full: true, only: [set, ...CLAIMS], models: WESE });
  return { ...study, id, chains: chains.filter((chain) => MORE[set]!.test(chain.id)) };
}

/** Six of the ten tasks whose gold paths ReasonPlanner's Table 1 calls short. */
const SHORT_TASKS = [
  ...["find-living-thing", "find-non-living-thing", "find-plant", "find-animal"],
  ...["lifespan-longest-lived", "lifespan-shortest-lived"],
];

/** Game by game, so that a study that was interrupted has whole games. */
function gameByGame(study: Study): Study {
  const place = ({ episodes: [first] }: Study["chains"][number]): string =>
    JSON.stringify([first?.world, first?.params]);
  const groups = Map.groupBy(study.chains, place);
  return { ...study, chains: [...groups.values()].flat() };
}

/** GraphRAG last, since it takes ten times as long as the other memories together. */
function graphRagLast(study: Study): Study {
  const [others, last] = [false, true].map((is) =>
    study.chains.filter(({ id }) => id.endsWith("|graphrag") === is)
  );
  return { ...study, chains: [...others!, ...last!] };
}

/** Test plays of 15 steps; the training walks its gold paths to their ends. */
function shortPlays(): Study {
  const whole = reasonPlannerStudy({
    ...{ only: [...SHORT_TASKS, "react", "reasonplanner"], attempts: 1, models: QWEN },
  });
  const short = shortened(whole, 15);
  const training = whole.chains.filter(({ id }) => id === "training");
  return { ...short, chains: [...training, ...short.chains.filter(({ id }) => id !== "training")] };
}

/** Who plays, as folders of records and figures name it. */
export const PLAYER = "qwen2.5-coder-1.5b";

/** Folder of the record → its study, as planned; the paper is the first word. */
export const PLANNED: Readonly<Record<string, Study>> = {
  "wese-hotpotqa": weseStudy({ only: ["hotpotqa", ...CLAIMS], models: WESE }),
  "wese-fever": weseStudy({ only: ["fever", ...CLAIMS], models: WESE }),
  "wese-hotpotqa-more": moreOf("hotpotqa"),
  "wese-fever-more": moreOf("fever"),
  // four rooms: the smallest that the generator draws, chosen before anything was played
  "arigraph-hunts": gameByGame(experiment({
    ...{ id: "arigraph-hunts@qwen", title: "AriGraph: Treasure Hunts of four rooms" },
    ...{ worlds: ["textworld/long-hunt"], params: { rooms: 4, movesAStep: 20 } },
    ...{ games: [4, 5, 6, 7, 8, 9, 10, 11], methods: ["ariadne", "random"], steps: 20 },
    ...{ memories: ["arigraph", "full-history", "rag", "none"], models: QWEN, truth: true },
  })),
  "arigraph-questions": graphRagLast(arigraphQuestionsStudy({
    ...{ questions: 12, only: ["arigraph", "full-context", "embedding", "graphrag"] },
    models: QWEN_BEFORE,
  })),
  "graphmind-rooms": gameByGame(experiment({
    ...{ id: "graphmind-rooms@qwen", title: "GraphMind: 2 × 2 rooms with and without a graph" },
    worlds: ["d1-1", "d1-2", "d1-3", "d3-1", "d3-2", "d3-3"].map((layout) => ({
      ...{ world: "babyai", params: { layout: `2x2-${layout}`, mission: "open-door" } },
    })),
    ...{ methods: ["graphmind"], memories: ["room-graph", "none"], steps: 15 },
    ...{ models: QWEN, truth: true },
  })),
  "reasonplanner-short": shortPlays(),
};

/** Which chains the record holds of a study that is recorded in part, by their ids. */
const HELD: Readonly<Record<string, RegExp>> = {
  "arigraph-hunts": /game [4-9]\|/,
  "reasonplanner-short": /(?!)/,
};

/** Folder of the record → its study, as far as it is recorded. */
export const RECORDED: Readonly<Record<string, Study>> = Object.fromEntries(
  Object.entries(PLANNED).map(([name, { chains, ...study }]) =>
    [name, { ...study, chains: chains.filter(({ id }) => HELD[name]?.test(id) ?? true) }] as const
  ).filter(([, { chains }]) => chains.length > 0),
);

/** Paper → the notebook that shows its recorded studies. */
export const NOTEBOOKS: Readonly<Record<string, string>> = {
  wese: "11_a_real_model",
  arigraph: "12_a_real_model_arigraph",
  graphmind: "13_a_real_model_graphmind",
};
