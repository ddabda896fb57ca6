/// <reference lib="dom" />
/** A step: what the agent did and saw, what it recalled, and every call that led to it. */

import type { JSX } from "preact";
import type { StepLine, StepView } from "../record.ts";
import { Call } from "./call.tsx";
import type { Look } from "./graph.tsx";
import { Foreign, number, Part, useSome, words } from "./kit.tsx";
import type { Row } from "./layout.ts";
import { LookAhead } from "./look-ahead.tsx";
import { Line } from "./memory.tsx";
import { holds, linesRecalled, type RecalledLine } from "./recalled.ts";
import { Value } from "./value.tsx";
import { Sight } from "./sight.tsx";

/** Events, changes and calls that are shown at first. */
const SHOWN = 100;

/** Details that have a part of their own on the page. */
const SHOWN_APART = ["recalled", "plan", "reason"];

export function Step({ view, line, before, world, isLast, call, addressOf }: {
  readonly view: StepView;
  readonly line: StepLine;
  readonly before?: StepLine;
  readonly world: string;
  readonly isLast: boolean;
  readonly call?: string;
  readonly addressOf: (call: string) => string;
}): JSX.Element {
  const { turn, calls, events } = view;
  const changes = changesOf(view);
  const linked = calls.findLast(({ key }) => key === call);
  const details = Object.fromEntries(
    Object.entries(turn.details).filter(([name]) => !SHOWN_APART.includes(name)),
  );
  const { plan, reason } = turn.details;
  const [someEvents, moreEvents] = useSome(events, SHOWN, "events");
  const [someCalls, moreCalls] = useSome(
    calls,
    linked ? Math.max(SHOWN, calls.indexOf(linked) + 1) : SHOWN,
    "calls",
  );
  const [someChanges, moreChanges] = useSome(changes, SHOWN, "changes");
  const gain = before?.pass === turn.pass ? turn.score - before.score : 0;
  return (
    <>
      <h2>
        <span class="no">{turn.pass > 0 ? `${turn.pass}.` : ""}{turn.step}</span>{" "}
        {words(turn.action ?? "(reset)")}
      </h2>
      <p class="facts">
        <span>score {number(turn.score)} of {number(turn.maxScore)}</span>
        {gain !== 0 && (
          <span class={gain > 0 ? "gain" : "loss"}>
            {gain > 0 ? "+" : "−"}
            {number(Math.abs(gain))}
          </span>
        )}
        {turn.ended !== undefined && <span class="tag">{turn.ended}</span>}
        {line.graphSize !== undefined && <span class="quiet">{line.graphSize} triplets</span>}
        {isLast && <span class="quiet">last step</span>}
      </p>
      {someEvents.map(({ kind, detail }, at) => (
        <p key={at} class="event">
          <b>{kind}</b> {words(detail, 5000)}
        </p>
      ))}
      {moreEvents}
      {turn.step <= 1 && (
        <Part title="Task">
          <Foreign text={turn.goal} />
        </Part>
      )}
      {reason !== undefined && reason !== "" && (
        <Part title="Reason">
          <Foreign text={String(reason)} />
        </Part>
      )}
      <Part title="What the world showed then">
        <Sight world={world} turn={turn} itself={view.world} />
      </Part>
      <Recalled view={view} />
      <LookAhead view={view} />
      {changes.length > 0 && (
        <Part title={`Changes of the graph (${changes.length})`} isFolded={changes.length > 12}>
          <ul class="changes">
            {someChanges.map(({ row, look, word }, at) => (
              <Line key={at} row={row} look={look} word={word} />
            ))}
          </ul>
          {moreChanges}
        </Part>
      )}
      {plan !== undefined && (
        <Part title="Plan" isFolded>
          <Value value={plan} />
        </Part>
      )}
      {calls.length > 0 && (
        <Part title={`Calls (${calls.length})`}>
          {someCalls.map((call, at) => (
            <Call
              key={`${turn.episode} ${turn.pass} ${turn.step} ${at}`}
              call={call}
              address={addressOf(call.key)}
              isLinked={call === linked}
            />
          ))}
          {moreCalls}
        </Part>
      )}
      {Object.keys(details).length > 0 && (
        <Part title="Details" isFolded>
          <Value value={details} />
        </Part>
      )}
    </>
  );
}

/** What became of each changed triplet; one removed and added again is confirmed. */
function changesOf(
  { changes }: StepView,
): { readonly row: Row; readonly look: Look; readonly word: string }[] {
  const rows = Map.groupBy(
    changes,
    ({ subject, relation, object }) => JSON.stringify([subject, relation, object]),
  );
  return [...rows].map(([row, ops]) => {
    const [first, last] = [ops[0]?.op, ops.at(-1)?.op];
    const [look, word] = first === "remove" && last === "add"
      ? ["plain", "confirmed"] as const
      : last === "add"
      ? ["added", "new"] as const
      : ["removed", "removed"] as const;
    return { row: JSON.parse(row) as Row, look, word };
  });
}

/** What the memory recalled, and the roles whose prompts hold it. */
function Recalled({ view: { turn, calls } }: { readonly view: StepView }): JSX.Element | null {
  const prompts = calls.map(({ role, prompt }) => ({
    role,
    text: prompt.map(({ content }) => content).join("\n"),
  }));
  const item = ({ text }: RecalledLine): JSX.Element => {
    const roles = [
      ...new Set(
        prompts.filter((prompt) => holds(prompt.text, text)).map(({ role }) =>
          role.split("/").at(-1)
        ),
      ),
    ];
    return (
      <li key={text} class={roles.length > 0 ? "used" : undefined}>
        <Foreign text={text} />
        <small>{roles.length > 0 ? roles.join(", ") : "in no prompt"}</small>
      </li>
    );
  };
  const [passages, lines] = [true, false].map((wanted) =>
    linesRecalled(turn.details).filter(({ text }) => text.includes("\n") === wanted)
  );
  return (
    <>
      {passages && passages.length > 0 && (
        <Part title={`Passages recalled (${passages.length})`}>
          <ul class="recalled-group">{passages.map(item)}</ul>
        </Part>
      )}
      {lines && lines.length > 0 && (
        <Part title={`Recalled (${lines.length})`} isFolded={lines.length > 40}>
          {[...Map.groupBy(lines, ({ group }) =>
            group)].map(([group, members]) => (
              <div key={group}>
                <h4>{group}</h4>
                <ul class="recalled-group">{members.map(item)}</ul>
              </div>
            ))}
        </Part>
      )}
    </>
  );
}
