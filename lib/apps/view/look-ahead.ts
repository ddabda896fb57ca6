/** ReasonPlanner's look-ahead tree, as the calls of a step tell it. */

import type { CallView } from "./record.ts";

export interface Branch {
  readonly query: string;
  readonly answer: string;
}

/** A predicted action, and the state that is to follow it. */
export interface Predicted {
  readonly action: string;
  readonly response: string;
  state?: unknown;
  done?: boolean;
  /** What was asked before the action, and before the state after it. */
  readonly queries: Branch[];
}

/** Reads the predictions of a plan in order; `open` are questions after the last one. */
export function lookAheadOf(
  calls: readonly Pick<CallView, "role" | "reply" | "parsed">[],
): { readonly steps: readonly Predicted[]; readonly open: readonly Branch[] } {
  const steps: Predicted[] = [];
  let open: Branch[] = [];
  for (const { role, reply, parsed } of calls) {
    const told = role.startsWith("reasonplanner/predict-")
      ? parsed as Readonly<Record<string, unknown>> | undefined
      : undefined;
    const last = steps.at(-1);
    if (told && typeof told.query === "string") {
      open.push({ query: told.query, answer: "nothing is known" });
    } else if (role === "reasonplanner/answer" && open.length > 0) {
      open.push({ query: open.pop()?.query ?? "", answer: reply });
    } else if (told && role === "reasonplanner/predict-action") {
      steps.push({
        action: String(told.action),
        response: String(told.response ?? ""),
        queries: open,
      });
      open = [];
    } else if (told && last) {
      last.queries.push(...open);
      [last.state, last.done, open] = [told.state, told.done === true, []];
    }
  }
  return { steps, open };
}
