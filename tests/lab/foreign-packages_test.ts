/** Real memory packages as they are, each in its own environment, behind the lab's meter. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ChatRequest } from "../../lib/core/llm/chat-model.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { listCalls } from "../../lib/lab/store/calls.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { listTurns } from "../../lib/lab/store/turns.ts";
import "../../lib/offline/mod.ts";
import { tinyWorlds as worlds } from "../core/agent/tiny-world.ts";
import { slowTest } from "../slow.ts";
import { packaged } from "../uv.ts";

interface Package {
  readonly folder: string;
  readonly file: string;
  /** The answer of a model to the package's own prompts. */
  readonly reply: (request: ChatRequest) => string;
  readonly recalls: RegExp;
}

const PACKAGES: readonly Package[] = [
  {
    folder: "mem0",
    file: "mem0_memory.py",
    reply: ({ messages }) => {
      const asked = String(messages.at(-1)?.content).split("## New Messages").at(-1) ?? "";
      const place = /-= (\w+) =-/.exec(asked)?.[1];
      return JSON.stringify({ memory: place ? [{ text: `The ${place} was visited` }] : [] });
    },
    recalls: /The Hall was visited/,
  },
  {
    folder: "graphiti",
    file: "graphiti_memory.py",
    reply: (request) => {
      const { response_format: form } = (request.sampling?.extraBody ?? {}) as {
        response_format?: { json_schema?: { schema?: { properties?: Record<string, unknown> } } };
      };
      const names = Object.keys(form?.json_schema?.schema?.properties ?? {});
      const said: Readonly<Record<string, unknown>> = {
        extracted_entities: [{ name: "Hall", entity_type_id: 0 }, {
          name: "house",
          entity_type_id: 0,
        }],
        edges: [{
          source_entity_name: "Hall",
          target_entity_name: "house",
          relation_type: "IS_IN",
          fact: "The Hall is in the house",
        }],
      };
      return JSON.stringify(Object.fromEntries(names.map((name) => [name, said[name] ?? []])));
    },
    recalls: /The Hall is in the house/,
  },
];

for (const { folder, file, reply, recalls } of PACKAGES) {
  slowTest(`the real ${folder} plays behind the meter, and its episode is replayed`, async () => {
    const memory = await packaged(folder, file);
    let asked = 0;
    const mine = scripted({ "*": (request) => (asked++, reply(request)) }, { id: "mine" });
    const role = `python/${file.replace(".py", "")}`;
    const study = {
      ...experiment({ id: "real", worlds: ["tiny"], memories: [memory] }),
      models: { "*": "offline", [role]: "mine" },
    };
    using store = openStore(":memory:");
    const options = { store, worlds, providers: [localProvider(mine)] };
    const [episode] = (await playStudy(study, options)).episodes;
    assert.equal(episode?.status, "completed", `${episode?.failureMessage}`);
    const calls = listCalls(store, episode?.id ?? "").filter((call) => call.role === role);
    assert.ok(calls.length >= 4 && calls.length === asked, `${calls.length} of ${asked} calls`);
    const recalled = (id = ""): string[] =>
      listTurns(store, id).map(({ details }) =>
        JSON.stringify((details as { recalled?: unknown } | undefined)?.recalled)
      );
    assert.match(recalled(episode?.id).join("\n"), recalls);
    const again = await playStudy({ ...study, id: "again" }, { ...options, cacheMode: "replay" });
    assert.equal(again.episodes[0]?.status, "completed", `${again.episodes[0]?.failureMessage}`);
    assert.deepEqual(recalled(again.episodes[0]?.id), recalled(episode?.id));
    assert.equal(calls.length, asked, "nothing is asked again");
  });
}

/** The reference memory server of MCP, as its package is. */
const REFERENCE = "@modelcontextprotocol/server-memory@2026.8.31";

slowTest("the reference memory server of MCP plays, and finds what it was told", async () => {
  const folder = join(checkoutRoot(), ".lab", "mcp");
  await promisify(execFile)("npm", ["install", "--silent", "--prefix", folder, REFERENCE]);
  const script = join(folder, "node_modules", REFERENCE.replace(/@[\d.]+$/, ""), "dist/index.js");
  const study = experiment({ id: "mcp", worlds: ["tiny"], memories: [`mcp:node ${script}`] });
  using store = openStore(":memory:");
  const [episode] = (await playStudy(study, { store, worlds })).episodes;
  assert.equal(episode?.status, "completed", `${episode?.failureMessage}`);
  assert.equal(episode?.memory, "mcp:node index.js");
  const [, first] = listTurns(store, episode?.id ?? "");
  const { memory = [] } = (first?.details as { recalled: { memory?: string[] } }).recalled;
  assert.match(memory.join(" "), /"name": "step 1",\s+"entityType": "Hall"/i);
});
