/**
 * How the stand-in keeps A-MEM, Mem0 and MemGPT: read by their own parsers, and of use to
 * its own planner.
 */

import assert from "node:assert/strict";
import type { ChatReply } from "../../../lib/core/llm/chat-model.ts";
import { FUNCTION_SPECS } from "../../../lib/core/memory/others/memgpt.prompts.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";

async function reply(
  role: string,
  sections: Record<string, string>,
  tools = false,
  seed = 0,
): Promise<ChatReply["choices"][0]> {
  const model = createStandIn({ responders: offlineResponders, modelOptions: { seed } });
  const messages = [{ role: "user" as const, content: renderSections(sections) }];
  return (await model.chat({ role, messages, ...(tools ? { tools: FUNCTION_SPECS } : {}) }))
    .choices[0];
}

const GORF =
  "Game step #1\n-= Gorf =-\nYou see a Vurn locker.\nThere is an exit to the east.\nInventory: You are carrying nothing.";
const MELP =
  "Game step #2\n-= Melp =-\nYou see a closed Hesp locker.\nThere is an exit to the west.\nInventory: You are carrying nothing.\nAction that led to this observation: go east";
const NOTE =
  "Game step #3\nKey 3 fits the Hesp locker.\nInventory: You are carrying: a Key 3.\nAction that led to this observation: examine Note 3";

Deno.test("memgpt/manage writes what is new, replaces what has changed, searches the archive, and is done after that", async () => {
  const calls = async (sections: Record<string, string>): Promise<unknown[]> =>
    ((await reply("memgpt/manage", sections, true)).toolCalls ?? []).map((
      call,
    ) => [call.name, JSON.parse(call.arguments)]);
  const sections = {
    "Main goal": "Find the dulim.",
    "Message queue": GORF,
    "Core memory":
      "task (0 of 2000 characters):\n\nworld (26 of 2000 characters):\nhesp locker, is, locked",
    Stores: "1 messages, 0 of them evicted; 0 texts in archival memory",
    "New message": MELP.replace("closed", "open"),
  };
  assert.deepEqual(await calls(sections), [
    ["core_memory_replace", {
      label: "world",
      old_content: "hesp locker, is, locked",
      new_content: "hesp locker, is, open",
    }],
    ["core_memory_append", {
      label: "world",
      content: "hesp locker, is in, melp\nmelp, has exit, west\nmelp, is east of, gorf",
    }],
  ]);
  assert.deepEqual(await calls({ ...sections, "New message": NOTE }), [
    ["core_memory_append", { label: "task", content: "key 3, unlocks, hesp locker" }],
    ["core_memory_append", { label: "world", content: "key 3, is in, inventory" }],
  ]);
  const full = {
    ...sections,
    "Core memory": "world (1990 of 2000 characters):",
    Stores: "2 messages, 0 of them evicted; 1 texts in archival memory",
  };
  assert.deepEqual((await calls(full)).map((call) => (call as [string])[0]), [
    "archival_memory_insert",
    "archival_memory_search",
  ]);
  assert.equal(
    (await reply("memgpt/manage", { ...sections, "core_memory_append {}": "Written." }, true)).text,
    "done",
  );
  assert.equal(
    (await reply("memgpt/manage", sections)).text,
    "done",
    "where no function is offered",
  );
});

Deno.test("what these memories recall tells the actor the way, whatever the seed that breaks its ties", async () => {
  const chosen = async (title: string): Promise<string[]> => {
    const actions = new Set<string>();
    for (let seed = 0; seed < 10; seed++) {
      const { text } = await reply(
        "ariadne/act",
        {
          "Main goal": "Find the dulim.",
          "Current observation": GORF.replace("#1", "#9").replace(" nothing", ": a Key 3").replace(
            "east.",
            "east. There is an exit to the south.",
          ),
          [title]: "melp, is east of, gorf\nhesp locker, is in, melp\nkey 3, unlocks, hesp locker",
          "Possible actions": "go south\ngo east\nlook",
        },
        false,
        seed,
      );
      actions.add((JSON.parse(text) as { action_to_take: string }).action_to_take);
    }
    return [...actions].sort();
  };
  for (
    const title of ["Core memory", "Facts from memory, oldest first", "Found in archival memory"]
  ) {
    assert.deepEqual(await chosen(title), ["go east"]);
  }
  assert.deepEqual(await chosen("A section that nobody reads"), ["go east", "go south"]);
});
