/** Replies as models send them, each beside what a person reads in it. */

import assert from "node:assert/strict";
import { parseAnswer } from "../../../lib/core/agent/answer.prompts.ts";
import { parseAct } from "../../../lib/core/agent/ariadne-replies.ts";
import { parseExecute, parsePlan } from "../../../lib/core/agent/graphmind-replies.ts";
import { parseCommands, parseReflection } from "../../../lib/core/agent/reasonplanner.prompts.ts";
import { parseLesson } from "../../../lib/core/agent/reflexion.prompts.ts";
import { parseMove } from "../../../lib/core/agent/text-agent.prompts.ts";
import { parseEntities, parseExtract } from "../../../lib/core/memory/arigraph-replies.ts";
import {
  parseFacts,
  parseObsolete,
  parseOperations,
} from "../../../lib/core/memory/others/mem0.prompts.ts";
import { parseDone } from "../../../lib/core/memory/others/memgpt.prompts.ts";
import { parseExtracted, parseVote } from "../../../lib/core/memory/room-graph-replies.ts";
import { parseQuestions } from "../../../lib/core/memory/simulacra.prompts.ts";
import { parseSummary } from "../../../lib/core/memory/summary.prompts.ts";
import {
  parseAnswer as parseKnown,
  parseResolved,
} from "../../../lib/core/memory/temporal-graph.prompts.ts";
import type { ReplyParser } from "../../../lib/core/text/reply-text.ts";

const plan = parsePlan(["pass_door({door})", "find_door()"]);
const entities = parseEntities(2);
const KEY = "key, is in, hall";
const FACT = { subject: "key", relation: "is in", object: "hall" };
const go = (action: string): object => ({ reason_for_action: "", action_to_take: action });

/** A parser, what it reads, and replies that say that. */
const MET: readonly (readonly [ReplyParser<unknown>, unknown, ...string[]])[] = [
  [
    parseExtract,
    [FACT],
    `${KEY}\n\nThese triplets capture the room, its exits, and its contents.`,
    `Based on the observation, the goal, and the plan:\n${KEY}`,
    `Here are the triplets extracted from the observation, without duplicates, in order:\n${KEY}`,
    `Entities: key, hall, locker\n${KEY}`,
    `In this room, there is a key, which opens the locker.\n\n${KEY}`,
    `${KEY}\n\nI have left out the walls, the floor, the ceiling.`,
    `Your answer: ${KEY}`,
    `-${KEY}`,
    '[{"source": "key", "target": "hall", "relation": "is in"}]',
    "- {'subject': 'key', 'relation': 'is in', 'object': 'hall'}",
  ],
  [
    parseExtract,
    [{ subject: "here we: a", relation: "by", object: "and b" }],
    "Here We: A, by, And B",
  ],
  [
    parseQuestions(2),
    ["Where is the key?", "What opens it?"],
    "Based on the memories, these are the most salient:\n\n1. Where is the key?\n2. What opens it?",
    "**Q1:** Where is the key?\n**Q2:** What opens it?",
    '{"question1": "Where is the key?", "question2": "What opens it?"}',
    "### Salient questions\n- Where is the key?\n- What opens it?",
  ],
  [
    entities,
    new Map([["key", 2], ["hall", 1]]),
    '{"key": 2, "hall": 1}\n\nI left out the walls [not relevant].',
    '{"entities": [{"name": "key", "importance": 2}, "hall"]}\n\n[Note: the most relevant ones]',
  ],
  [
    entities,
    new Map([["key", 2]]),
    '{"name": "key", "importance": "2"}',
    '[{"entity": "key", "importance": 2}]',
    '{"entities": ["key: 2"]}',
  ],
  [parseFacts, ["The hall is dark."], '["The hall is dark."]\n\n[Note: nothing else is new]'],
  [
    parseObsolete(3),
    [2],
    '{"obsolete": ["Relation 2"]}',
    '{"obsolete": ["2 (old key)"]}',
    '{"obsolete": [2]}\n\nIt contradicts [1].',
  ],
  [
    parseOperations,
    [{ operation: "DELETE", memory: 2, text: "" }],
    '{"operations": [{"operation": "DELETE", "memory": "2", "text": ""}]}',
  ],
  [
    parseMove,
    { thought: "The key is north.", action: "go north", ignored: 0 },
    "**Thought**\nThe key is north.\n**Action**\ngo north",
    "## Thought\nThe key is north.\n\n## Action\ngo north",
    "Thought:\nThe key is north.\nAction: go north",
    '{"thought": "The key is north.", "action": "go north"}',
    "**Thought**: The key is north.\n**Action**: **go north**",
    "Reasoning: The key is north.\n(1) go north",
    "Thought: The key is north.\nAction: `go north`",
    "[Thought] The key is north.\n[Action] go north",
    "Thought: The key is north. Action: go north",
    "think: The key is north. > go north",
    "The key is north.\n\nMy next action is:\n> go north",
    "Thought: The key\nis north.\n\nAction: > go north",
    "think[The key is north.]\n### go north",
  ],
  [
    parseMove,
    { action: "go north", ignored: 3 },
    "go north\nObservation: A.\nThought: b\nAction: c",
  ],
  [
    parseMove,
    { action: "go north", ignored: 2 },
    "go north\nYou are in a hall.\n> go south",
    "go north\nOK.\nAction: look",
  ],
  [parseMove, { action: "go north", ignored: 0 }, "[Action: go north]", "Action: `go north`."],
  [parseMove, { action: "go north", ignored: 0 }, "think:\ngo north", '{"action": "go north"}'],
  [
    parseMove,
    { action: "search[Tarn]", ignored: 0 },
    "search[Tarn] It lies in Ostrea.",
    'Next Action: "search[Tarn]"',
  ],
  [
    parseAct,
    { action: "go north", reason: "" },
    `${JSON.stringify(go("go north"))}\n\nObservation: A hall.\n${JSON.stringify(go("take key"))}`,
    `<output><answer>${JSON.stringify(go("go north"))}</answer></output>`,
  ],
  [
    parseAnswer,
    "Ostrea",
    "CoT: a.\nDirect answer: Ostrea\n\nQuestion: Where is Moor?\nCoT: b.\nDirect answer: Vale",
    "Direct answer: Ostrea [1][2]",
    "Direct answer: (Ostrea)",
    "Direct answer: $\\boxed{\\text{Ostrea}}$",
    "Direct answer: Ostrea [1, 2].",
    "Direct answer: <|begin_of_box|>Ostrea<|end_of_box|>",
  ],
  [
    parseSummary,
    "A hall.",
    "<summary>\nA hall.\n</summary>",
    "Here is my thought process:\nIt is dark.\n\nHere is my response:\nA hall.",
    "<analysis>It is dark.</analysis>A hall.",
    "A hall.<end_of_utterance>",
    "A hall.assistant\n\nA hall.",
    "### Your summary\nA hall.",
    "Based on the observation, here is the updated summary:\n\nA hall.\n\nPlease let me know!",
  ],
  [
    parseLesson,
    "Look first.",
    "<reflection>Look first.</reflection>",
    "<lesson>Look first.</lesson>",
    "**Lesson learned:**\n\nLook first.",
  ],
  [parseResolved("It is hot."), "The kiln is hot.", "Rewritten text: The kiln is hot."],
  [
    plan,
    { instructions: ["find_door()", "pass_door(red door)"] },
    '{"subplans": ["find_door(), pass_door(red door)"]}',
    `{"subplans": ["find_door", "pass_door(door='red door')"]}`,
    '{"subplans": "find_door() -> pass_door(door: red door)"}',
    `{"subplans": ["find_door", 'pass_door({"door": "red door"})']}`,
    '{"subplans": ["find_door", {"name": "pass_door", "door": "red door"}]}',
    '{"subplans": ["find_door", {"step": 2, "name": "pass_door", "arguments": ["red door"]}]}',
  ],
  [parseExecute, ["left", "forward"], '{"actions": ["left, forward"]}'],
  [
    parseCommands,
    [{ command: "open kiln", state: "" }],
    '{"commands": [{"command": "", "state": ""}, {"command": "open kiln", "state": ""}, null]}',
  ],
];

for (const [parse, value, ...replies] of MET) {
  for (const reply of replies) {
    Deno.test(`read as ${JSON.stringify(value)}: ${JSON.stringify(reply)}`, () => {
      const read = parse(reply);
      assert.deepEqual(read.kind === "ok" ? read.value : read, value);
    });
  }
}

Deno.test("what is no answer is malformed", () => {
  const calls = [
    'core_memory_append(label="world", content="key")\ndone',
    "I have not done anything.",
  ];
  for (const reply of calls) assert.equal(parseDone(reply).kind, "malformed");
  for (
    const thought of ["It is dark. It may be north.", "I need the key", "### Task\nopen {door}"]
  ) {
    assert.equal(parseMove(`${thought}\nLet me`, true).kind, "malformed");
  }
  for (const reply of ["...", "[your answer]"]) {
    assert.equal(parseAnswer(`Direct answer: ${reply}`).kind, "malformed");
  }
  assert.equal(entities('{"name": "null", "importance": 2}').kind, "malformed");
  assert.equal(parseReflection('{"reflection": "...", "subtask": "x"}').kind, "malformed");
  assert.deepEqual(parseKnown("UNKNOWN. No fact bears on it."), { kind: "ok", value: undefined });
});

Deno.test("a vote without confidence has the middle one, and names of a relation lose their marks", () => {
  const vote = parseVote('{"check_pass_door": false, "answer_confidence_score": null}');
  assert.equal(vote.kind === "ok" && vote.value.confidence, 0.5);
  const relation = { from: "1. key", relation: "are_apart", to: "**red door**", cells: 2 };
  const room = parseExtracted(JSON.stringify({
    current_room_entities: ["key", "red door"],
    entities_relationships: [relation],
    direction_of_entities: {},
  }));
  assert.deepEqual(room.kind === "ok" && room.value.contents.distances, [
    { a: "key", b: "red door", cells: 2 },
  ]);
});
