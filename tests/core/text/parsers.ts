/**
 * The parsers of all methods and memories, each with a plain reply as a model is asked for it: what
 * `wrappings_test.ts` wraps.
 */

import * as answer from "../../../lib/core/agent/answer.prompts.ts";
import * as ariadne from "../../../lib/core/agent/ariadne-replies.ts";
import * as graphmind from "../../../lib/core/agent/graphmind-replies.ts";
import * as netplay from "../../../lib/core/agent/netplay.prompts.ts";
import * as reasonplanner from "../../../lib/core/agent/reasonplanner.prompts.ts";
import * as reflexion from "../../../lib/core/agent/reflexion.prompts.ts";
import * as textAgent from "../../../lib/core/agent/text-agent.prompts.ts";
import * as wese from "../../../lib/core/agent/wese.prompts.ts";
import * as aMem from "../../../lib/core/memory/others/a-mem.prompts.ts";
import * as arigraph from "../../../lib/core/memory/arigraph-replies.ts";
import * as graphiti from "../../../lib/core/memory/others/graphiti.prompts.ts";
import * as graphrag from "../../../lib/core/memory/others/graphrag.prompts.ts";
import * as hipporag from "../../../lib/core/memory/others/hipporag.prompts.ts";
import * as mem0 from "../../../lib/core/memory/others/mem0.prompts.ts";
import * as memgpt from "../../../lib/core/memory/others/memgpt.prompts.ts";
import * as roomGraph from "../../../lib/core/memory/room-graph-replies.ts";
import * as simulacra from "../../../lib/core/memory/simulacra.prompts.ts";
import * as summary from "../../../lib/core/memory/summary.prompts.ts";
import * as temporalGraph from "../../../lib/core/memory/temporal-graph.prompts.ts";
import {
  type Reading,
  readText,
  refined,
  type ReplyParser,
} from "../../../lib/core/text/reply-text.ts";

/** A parser, and a plain reply that it reads. */
export interface KnownParser {
  /** The role that asks; with a word behind it where one role has several forms of reply. */
  readonly name: string;
  readonly parse: ReplyParser<unknown>;
  /** Other roles whose replies it reads. */
  readonly also?: readonly string[];
  /**
   * What the reply is: JSON, a list with an entry a line (no entry ends in a mark), or any other
   * text.
   */
  readonly form: "json" | "lines" | "text";
  readonly reply: string;
}

const move = {
  name: "move_to(x={x}, y={y})",
  params: ["x", "y"],
  description: "",
  explores: false,
};

/** Without the notes on what was dropped. */
function contentsOf({ contents }: roomGraph.ReadContents): Reading<unknown> {
  return { kind: "ok", value: contents };
}

/** Text, or what JSON tells; lists are said to be. */
type Listed = Pick<KnownParser, "name" | "parse" | "also"> & {
  readonly form?: "lines";
  readonly reply: string | object;
};

const LISTED: readonly Listed[] = [
  // methods
  {
    name: "answer/answer",
    also: ["converse/answer", "cot/answer"],
    parse: answer.parseAnswer,
    reply: "CoT: Tarn lies in Ostrea.\nDirect answer: Ostrea",
  },
  {
    name: "ariadne/plan",
    parse: ariadne.parsePlan,
    reply: planOf("sub_goal_1", "sub_goal_2"),
  },
  {
    name: "ariadne/plan, as enforced",
    parse: ariadne.parsePlan,
    reply: planOf("sub_goal", "sub_goal"),
  },
  {
    name: "ariadne/act",
    parse: ariadne.parseAct,
    reply: { reason_for_action: "It's dark.", action_to_take: "go north" },
  },
  {
    name: "act/act",
    also: ["saycan/act", "sese/act", "sese/explore", "wese/act", "wese/explore"],
    parse: textAgent.parseMove,
    reply: "go north",
  },
  {
    name: "react/act",
    also: ["react-reflexion/act"],
    parse: textAgent.parseMove,
    reply: "think: The key is north of here.\ngo north",
  },
  {
    name: "graphmind/plan",
    parse: graphmind.parsePlan(["pass_door", "find_door"]),
    reply: {
      subplan_target_entity: "red door",
      subplans_rationale: "It's near.",
      subplans: ["find_door", "pass_door(red door)"],
    },
  },
  {
    name: "graphmind/verify-completion",
    parse: graphmind.parseVerdict,
    reply: { is_complete: true, need_to_adjust: false },
  },
  {
    name: "graphmind/execute",
    parse: graphmind.parseExecute,
    reply: { actions_rationale: "a", actions: ["left", "forward"] },
  },
  {
    name: "netplay/skill",
    parse: netplay.parseSkill([move]),
    reply: {
      thoughts: { observations: "a", reasoning: "b", speak: "c" },
      skill: { name: "move_to", x: 3, y: 4 },
    },
  },
  {
    name: "netplay/skill, as text",
    parse: netplay.parseSkill([move]),
    reply: { thoughts: {}, skill: "move_to(3, 4)" },
  },
  {
    name: "reasonplanner/predict-action",
    parse: reasonplanner.parsePredictAction(true),
    reply: { action: "open the kiln", response: "It's open." },
  },
  {
    name: "reasonplanner/predict-action, query",
    parse: reasonplanner.parsePredictAction(true),
    reply: { query: "Where is clay?" },
  },
  {
    name: "reasonplanner/predict-state",
    parse: reasonplanner.parsePredictState(true),
    reply: {
      query: null,
      state: { observation: "A kiln.", inventory: ["clay", "bowl"] },
      done: false,
    },
  },
  {
    name: "reasonplanner/actor",
    parse: reasonplanner.parseCommands,
    reply: {
      commands: [{ command: "go to pottery", state: "there" }, { command: "open kiln", state: "" }],
    },
  },
  {
    name: "reasonplanner/critic",
    parse: reasonplanner.parseVerdict,
    reply: { replan: false, reason: "It didn't fail." },
  },
  {
    name: "reasonplanner/reflect",
    parse: reasonplanner.parseReflection,
    reply: { reflection: "Look first.", subtask: "Look." },
  },
  {
    name: "reflexion/reflect",
    parse: reflexion.parseLesson,
    reply: "Take the key first.\nThen open the locker.",
  },
  {
    name: "wese/extract",
    also: ["sese/extract"],
    parse: wese.parseExtracted,
    form: "lines",
    reply: "key, is in, hall\nhall, has exit, east",
  },
  {
    name: "wese/task-entities",
    also: ["sese/task-entities"],
    parse: wese.parseEntities(["key", "hall"]),
    form: "lines",
    reply: "key\nhall",
  },
  // memories
  {
    name: "a-mem/note",
    parse: aMem.parseNote,
    reply: { keywords: ["key", "hall"], context: "The cook's key.", tags: ["tool"] },
  },
  {
    name: "a-mem/evolve",
    parse: aMem.parseEvolution(3),
    reply: {
      links: [1, 2],
      tags: ["tool"],
      neighbours: [{ number: 2, context: "A key.", tags: ["tool"] }],
    },
  },
  {
    name: "arigraph/extract",
    also: ["arigraph/extract-paragraph"],
    parse: arigraph.parseExtract,
    form: "lines",
    reply: "key, is in, hall\nhall, has exit, east",
  },
  {
    name: "arigraph/extract, one line",
    parse: arigraph.parseExtract,
    reply: "key, is in, hall; hall, has exit, east",
  },
  {
    name: "arigraph/outdate",
    parse: arigraph.parseOutdate,
    reply: "[[key, is in, hall -> key, is in, inventory]]",
  },
  {
    name: "arigraph/entities",
    also: ["arigraph/question-entities"],
    parse: arigraph.parseEntities(2),
    reply: { key: 2, hall: 1 },
  },
  {
    name: "arigraph/entities, as enforced",
    parse: arigraph.parseEntities(2),
    reply: { entities: [{ name: "key", importance: 2 }, { name: "hall", importance: 1 }] },
  },
  {
    name: "arigraph/outdate, without arrows",
    parse: arigraph.parseOutdateOf({
      existing: [{ subject: "key", relation: "is in", object: "hall" }],
      fresh: [{ subject: "key", relation: "is in", object: "inventory" }],
    }),
    reply: "[[key, is in, hall], [key, is in, inventory]]",
  },
  { name: "arigraph/explore", parse: arigraph.parseExplore, reply: "True" },
  {
    name: "graphiti/extract",
    parse: graphiti.parseExtract,
    reply: {
      facts: [{
        source: "key",
        relation: "is in",
        target: "hall",
        fact: "The cook's key is in the hall.",
        from: 3,
      }],
    },
  },
  {
    name: "graphiti/resolve",
    parse: graphiti.parseResolved(["old key"], ["key"]),
    reply: { same: [{ new: "old key", known: "key" }] },
  },
  {
    name: "graphiti/judge",
    parse: graphiti.parseVerdicts({ known: 3, fresh: 3 }),
    reply: {
      repeated: [{ new: 1, known: 2 }],
      contradicted: [{ new: 2, known: 3 }, { new: 3, known: 1 }],
    },
  },
  {
    name: "graphiti/summarise",
    parse: graphiti.parseSummary,
    reply: "The key and the hall.\nThey belong together.",
  },
  {
    name: "hipporag/names",
    parse: hipporag.parseNames,
    reply: { names: ["key", "cook's hat"] },
  },
  {
    name: "hipporag/triplets",
    parse: hipporag.parseTriplets,
    reply: { triplets: [["key", "is in", "hall"], ["hall", "has exit", "east"]] },
  },
  {
    name: "hipporag/recognise",
    parse: hipporag.parseRecognised(3),
    reply: { facts: [2, 1] },
  },
  {
    name: "graphrag/extract",
    also: ["graphrag/glean"],
    parse: graphrag.parseExtracted,
    reply: {
      entities: [{ name: "Ada", type: "person", description: "A cook's daughter." }],
      relations: [{ source: "Ada", target: "Tarn", description: "Ada lives in Tarn." }],
    },
  },
  {
    name: "graphrag/describe",
    parse: graphrag.parseDescription,
    reply: "Ada is a cook's daughter who lives in Tarn.",
  },
  {
    name: "graphrag/report",
    parse: graphrag.parseReport,
    reply: {
      title: "Ada of Tarn",
      summary: "Where Ada lives.",
      rating: 5,
      findings: [{ summary: "She's old.", explanation: "Born 1871." }],
    },
  },
  {
    name: "graphrag/map",
    parse: graphrag.parsePoints,
    reply: { points: [{ description: "Ada's in Tarn.", score: 80 }] },
  },
  {
    name: "mem0/extract",
    parse: mem0.parseFacts,
    reply: { facts: ["The cook's key is here.", "The hall is dark."] },
  },
  {
    name: "mem0/update",
    parse: mem0.parseOperations,
    reply: {
      operations: [{ operation: "ADD", memory: 0, text: "a" }, {
        operation: "DELETE",
        memory: 2,
        text: "",
      }],
    },
  },
  {
    name: "mem0/entities",
    parse: mem0.parseEntities,
    reply: { entities: [{ name: "key", type: "thing" }] },
  },
  {
    name: "mem0/relations",
    parse: mem0.parseRelations,
    reply: { relations: [{ source: "key", relation: "is in", destination: "hall" }] },
  },
  {
    name: "mem0/conflicts",
    parse: mem0.parseObsolete(3),
    reply: { obsolete: [1, 2] },
  },
  { name: "memgpt/manage", parse: memgpt.parseDone, reply: "done" },
  {
    name: "graphmind/verify-transition",
    parse: roomGraph.parseVote,
    reply: {
      connected_door: "red door",
      door_direction: "north",
      check_pass_door: true,
      answer_confidence_score: 0.9,
    },
  },
  {
    name: "graphmind/locate",
    parse: roomGraph.parseNode([1, 2]),
    reply: { current_graph_node_id: 3 },
  },
  {
    name: "graphmind/extract",
    parse: refined(roomGraph.parseExtracted, contentsOf),
    reply: {
      current_room_entities: ["red door", "blue key"],
      entities_relationships: [{
        from: "red door",
        relation: "are_apart",
        to: "blue key",
        cells: 2,
      }],
      direction_of_entities: { "red door": "north", "blue key": "east" },
    },
  },
  {
    name: "graphmind/update-entities",
    parse: refined(roomGraph.parseUpdated, contentsOf),
    reply: {
      graph_entities: ["red door", "blue key"],
      graph_entities_relate: [{
        from: "red door",
        relation: "are_apart",
        to: "blue key",
        cells: 2,
      }],
      graph_dir_of_entities: { "red door": "north", "blue key": "east" },
    },
  },
  {
    name: "mem0/summarise",
    also: ["memgpt/summarise"],
    parse: readText(),
    reply: "The key is in the hall.\nIt is red.",
  },
  { name: "simulacra/importance", parse: simulacra.parseImportance, reply: "7" },
  {
    name: "simulacra/questions",
    parse: simulacra.parseQuestions(3),
    form: "lines",
    reply: "Where is the key?\nWhat opens the locker?",
  },
  {
    name: "simulacra/insights",
    parse: simulacra.parseInsights({ statements: 5, most: 3 }),
    form: "lines",
    reply: "The key opens the locker (because of 1, 2)\nThe hall is dark (because of 3)",
  },
  {
    name: "summary/rewrite",
    parse: summary.parseSummary,
    reply: "The key is in the hall.\n\nThe locker is closed.",
  },
  {
    name: "reasonplanner/summarize",
    parse: temporalGraph.parseSummary,
    reply: "The kiln was opened\nin the pottery.",
  },
  {
    name: "reasonplanner/coreference",
    parse: temporalGraph.parseResolved("The kiln is open.\nIt is hot."),
    reply: "The kiln is open.\nThe kiln is hot.",
  },
  {
    name: "reasonplanner/extract",
    parse: temporalGraph.parseExtract("The kiln is open."),
    reply: {
      entities: ["kiln"],
      relations: [{ entity1: "kiln", relation: "is", entity2: "open" }],
    },
  },
  {
    name: "reasonplanner/query-entities",
    parse: temporalGraph.parseQueryEntities(["kiln", "clay"]),
    reply: { entities: ["kiln"] },
  },
  {
    name: "reasonplanner/answer",
    parse: temporalGraph.parseAnswer,
    reply: "The clay is in the kiln.",
  },
];

/** All of them. */
export const PARSERS: readonly KnownParser[] = LISTED.map(({ reply, ...listed }) =>
  typeof reply === "string"
    ? { form: "text", ...listed, reply }
    : { ...listed, form: "json", reply: JSON.stringify(reply) }
);

function planOf(first: string, second: string): object {
  return {
    main_goal: "find the treasure",
    plan_steps: [
      { [first]: "take the key", reason: "it opens the locker" },
      { [second]: "open the locker", reason: "" },
    ],
    your_emotion: { your_current_emotion: "calm", reason_behind_emotion: "all is well" },
  };
}
