/** ReasonPlanner's look-ahead tree of a step, or what is left of its plan. */

import type { JSX } from "preact";
import { type Branch, lookAheadOf } from "../look-ahead.ts";
import type { StepView } from "../record.ts";
import { Foreign, Part, words } from "./kit.tsx";
import { Value } from "./value.tsx";

/** Shows the tree, or the plan's remaining actions; nothing of a step without either. */
export function LookAhead(
  { view: { turn: { details, action }, calls } }: { readonly view: StepView },
): JSX.Element | null {
  const { planned, expected, replan, plan } = details;
  const { steps, open } = lookAheadOf(calls);
  const isFollowing = typeof planned === "string";
  if (!isFollowing && steps.length === 0) return null;
  return (
    <Part title={steps.length > 0 ? `Look-ahead (${steps.length})` : "The plan goes on"}>
      <ol class="look-ahead">
        {steps.map((step, at) => (
          <li key={at}>
            <Queries of={step.queries} />
            <b>{words(step.action)}</b> → {words(step.response, 5000)}{" "}
            {step.done && <span class="tag">the task is over then</span>}
            {step.state !== undefined && (
              <details>
                <summary class="quiet">predicted state</summary>
                <Value value={step.state} />
              </details>
            )}
          </li>
        ))}
        {open.length > 0 && (
          <li>
            <Queries of={open} />
          </li>
        )}
        {steps.length === 0 && Array.isArray(plan) &&
          plan.map((step, at) => <li key={at}>{words(String(step))}</li>)}
      </ol>
      {isFollowing && (
        <p>
          Carried out now: <b>{words(planned)}</b>
          {planned !== action && [" as ", words(action ?? "")]}
        </p>
      )}
      {expected !== undefined && expected !== "" && (
        <>
          <h4>expected of it</h4>
          <Value value={expected} />
        </>
      )}
      {replan !== undefined && (
        <p class="event">
          <b>planned anew</b> {words(String(replan), 5000)}
        </p>
      )}
    </Part>
  );
}

function Queries({ of }: { readonly of: readonly Branch[] }): JSX.Element {
  return (
    <>
      {of.map(({ query, answer }, at) => (
        <details key={at} class="query">
          <summary>? {words(query)}</summary>
          <Foreign text={answer} />
        </details>
      ))}
    </>
  );
}
