/** A model with scripted replies, for tests, walkthroughs and notebooks. */

import { ModelError } from "../errors.ts";
import type { ChatModel, ChatReply, ChatRequest, Usage } from "./chat-model.ts";

/** A scripted text, or parts of a reply; absent parts have defaults. */
export type ScriptedText = string | Partial<ChatReply>;

/** Computes a reply from the request; it may throw a `ModelError`, as a model does. */
export type ScriptedResponder = (request: ChatRequest) => ScriptedText | Promise<ScriptedText>;

/** One scripted reply. */
export type ScriptedReply = ScriptedText | ScriptedResponder;

/**
 * Replies in order; or by role (`ariadne/plan`, `ariadne/*`, `*`) either replies in order or one
 * function for every request.
 */
export type Script =
  | readonly ScriptedReply[]
  | Readonly<Record<string, readonly ScriptedReply[] | ScriptedResponder>>;

/** A scripted model. */
export interface ScriptedModel extends ChatModel {
  /** The requests so far, in order. */
  readonly requests: readonly ChatRequest[];
  /**
   * Checks that every reply has been used.
   * @throws {ModelError} `exhausted`, with the number of unused replies by role.
   */
  assertDone(): void;
}

/**
 * Creates a model that gives the replies of a script.
 *
 * @example Replies by role: the planner has one reply, the actor always waits
 * ```ts
 * import { scripted } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "ariadne/plan": ['{"sub_plans": []}'], "ariadne/act": () => '{"action": "wait"}' });
 * const ask = (role: string) => model.chat({ role, messages: [{ role: "user", content: "?" }] });
 * assert.equal((await ask("ariadne/act")).choices[0].text, '{"action": "wait"}');
 * assert.equal((await ask("ariadne/plan")).choices[0].text, '{"sub_plans": []}');
 * await assert.rejects(ask("ariadne/plan"), { kind: "exhausted" });
 * model.assertDone();
 * ```
 *
 * @throws {ModelError} from `chat`: `exhausted` if the replies have run out, or none is there for
 *   the role.
 */
export function scripted(
  script: Script,
  options: { readonly id?: string; readonly usage?: Usage } = {},
): ScriptedModel {
  const { id = "scripted", usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 } } =
    options;
  const lists = new Map(Object.entries(isList(script) ? { "*": script } : script));
  const next = new Map<string, number>();
  const requests: ChatRequest[] = [];

  return {
    id,
    requests,
    chat: async (request) => {
      requests.push(request);
      const key = [request.role, `${request.role.split("/")[0]}/*`, "*"].find((key) =>
        lists.has(key)
      );
      const list = key === undefined ? undefined : lists.get(key);
      const at = next.get(key ?? "") ?? 0;
      const scriptedReply = typeof list === "function" ? list : list?.[at];
      if (key === undefined || scriptedReply === undefined) {
        const had = list
          ? `its ${list.length} replies are used up`
          : `the script speaks for ${[...lists.keys()].join(", ") || "nobody"}`;
        throw new ModelError(
          "exhausted",
          `no scripted reply for request ${requests.length}, role ${request.role}: ${had}; add one`,
        );
      }
      next.set(key, at + 1);
      const part = typeof scriptedReply === "function"
        ? await scriptedReply(request)
        : scriptedReply;
      return typeof part === "string"
        ? { model: id, choices: [{ text: part, finish: "stop" }], usage }
        : { model: id, choices: [{ text: "", finish: "stop" }], usage, ...part };
    },
    assertDone: () => {
      const left = [...lists].flatMap(([key, list]) => {
        const count = typeof list === "function" ? 0 : list.length - (next.get(key) ?? 0);
        return count > 0 ? [`${count} for ${key}`] : [];
      });
      if (left.length > 0) {
        throw new ModelError(
          "exhausted",
          `scripted replies are left over: ${left.join(", ")}; the run ended early`,
        );
      }
    },
  };
}

function isList(script: Script): script is readonly ScriptedReply[] {
  return Array.isArray(script);
}
