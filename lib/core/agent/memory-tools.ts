/** A memory's functions, as a planning model calls them. */

import { safeValue } from "../foreign-text.ts";
import type { AskTools } from "../llm/tool-calls.ts";
import { jsonOf } from "../text/json.ts";
import type { MemoryTool } from "../memory/memory.ts";

/** Limits and records of the calls. */
export interface ToolOptions {
  /** Calls that are answered, ≥ 1. */
  readonly most: number;
  /** Reports `refused-call` and `call-limit`. */
  readonly report: (kind: string, detail: string) => void;
  /** Each call is added to it: name, arguments, and whether it was answered. */
  readonly calls: Record<string, unknown>[];
}

/**
 * The functions of a memory as an asker takes them; none where the memory has none.
 *
 * @example
 * ```ts
 * import { toolsOf } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const spec = { name: "rooms", description: "All rooms.", parameters: {} };
 * const tools = [{ spec, call: () => ({ kind: "ok", text: "room 1" }) as const }];
 * const offered = toolsOf(tools, { most: 5, report: () => {}, calls: [] });
 * assert.equal(await offered?.call({ id: "1", name: "rooms", arguments: "{}" }), "room 1");
 * ```
 */
export function toolsOf(
  tools: readonly MemoryTool[],
  { most, report, calls }: ToolOptions,
): AskTools | undefined {
  if (tools.length === 0) return undefined;
  const names = tools.map(({ spec }) => spec.name).join(", ");
  return {
    specs: tools.map(({ spec }) => spec),
    call: ({ name, arguments: text }) => {
      const tool = tools.find(({ spec }) => spec.name === name);
      const shortName = name.slice(0, 64);
      const answer = tool?.call(safeValue(jsonOf(text, text))) ??
        { kind: "refused", text: `There is no function ${shortName}; there are ${names}.` };
      calls.push({ name: shortName, arguments: text.slice(0, 200), kind: answer.kind });
      if (answer.kind === "refused") {
        report("refused-call", `${shortName} ${JSON.stringify(text.slice(0, 100))}`);
      }
      return answer.text;
    },
    most,
    onSpent: () => report("call-limit", `${most} calls before one plan`),
  };
}
