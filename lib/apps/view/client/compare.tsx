/// <reference lib="dom" />
/** Two episodes in step: where their actions part, and what their prompts differ in. */

import { diffWordsWithSpace } from "diff";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CallView, EpisodeView, StepLine, StepView } from "../record.ts";
import { placeOf } from "./episode.tsx";
import { useData } from "./data.ts";
import {
  Await,
  breakable,
  type Column,
  Foreign,
  go,
  href,
  number,
  Status,
  Table,
  useStepKeys,
  words,
} from "./kit.tsx";
import { Sight } from "./sight.tsx";

export function Compare(
  { a, b, at }: { readonly a: string; readonly b: string; readonly at?: string },
): JSX.Element {
  const left = useData<EpisodeView>(["episode", a]);
  const right = useData<EpisodeView>(["episode", b]);
  return (
    <>
      <p class="crumbs">
        <a href={href()}>Studies</a>
      </p>
      <h1>Two episodes in step</h1>
      <Await of={left}>
        {(one) => <Await of={right}>{(other) => <Pair views={[one, other]} at={at} />}</Await>}
      </Await>
    </>
  );
}

type Two<T> = readonly [T, T];

/** The same pass and step of two episodes; absent of one that never came to it. */
type Paired = Two<StepLine | undefined>;

function inStep(views: Two<EpisodeView>): readonly Paired[] {
  const places = new Map(views.flatMap(({ steps }) => steps).map((line) => [placeOf(line), line]));
  const [one, other] = views.map(({ steps }) =>
    new Map(steps.map((line) => [placeOf(line), line]))
  );
  return [...places].sort(([, a], [, b]) => a.pass - b.pass || a.step - b.step)
    .map(([place]) => [one?.get(place), other?.get(place)]);
}

function differs([one, other]: Paired): boolean {
  return !one || !other || one.action !== other.action;
}

/** Lines that are shown before and after the one at hand. */
const AROUND = 4;

function Pair(
  { views, at }: { readonly views: Two<EpisodeView>; readonly at?: string },
): JSX.Element {
  const [a, b] = views;
  const pairs = useMemo(() => inStep(views), [a, b]);
  const places = pairs.map(([one, other]) => placeOf((one ?? other) as StepLine));
  const hasPasses = places.some((place) => !place.startsWith("0."));
  const names = places.map((place) => hasPasses ? place : place.slice(2));
  const parting = pairs.findIndex(differs);
  const wanted = at === undefined ? parting : places.indexOf(at.includes(".") ? at : `0.${at}`);
  const index = wanted >= 0 ? wanted : at === undefined ? pairs.length - 1 : 0;
  const goTo = (to: number): void => {
    const place = places[Math.max(0, Math.min(pairs.length - 1, to))];
    if (place) go(href("compare", a.episode.id, b.episode.id, place), { replace: true });
  };
  useStepKeys(index, pairs.length, goTo);
  const first = Math.max(0, index - AROUND);
  return (
    <>
      <div class="pair heads">{views.map((view, side) => <Head key={side} view={view} />)}</div>
      <p class="notice quiet">
        {parting < 0 ? "Both took the same actions throughout." : (
          <>
            Their actions first differ at step {names[parting]}.{" "}
            <button type="button" onClick={() => goTo(parting)}>Go there</button>
          </>
        )}
      </p>
      <Table
        label="both in step"
        kind="in-step"
        columns={[
          ["Step", "number"],
          ...views.flatMap((
            { episode },
          ): Column[] => [[words(episode.condition)], ["Score", "number"]]),
        ]}
      >
        {pairs.slice(first, index + AROUND + 1).map((pair, offset) => (
          <tr
            key={first + offset}
            class={`${first + offset === index ? "here" : ""} ${differs(pair) ? "differs" : ""}`}
          >
            <th scope="row" class="number">
              <button type="button" onClick={() => goTo(first + offset)}>
                {names[first + offset]}
              </button>
            </th>
            {pair.flatMap((step, side) => [
              <td key={`action ${side}`} class="action" dir="auto">
                {step ? words(step.action ?? "(reset)") : "–"}
              </td>,
              <td key={`score ${side}`} class="number">{step && number(step.score)}</td>,
            ])}
          </tr>
        ))}
      </Table>
      <Steps views={views} pair={pairs[index]} />
    </>
  );
}

function Head({ view: { episode } }: { readonly view: EpisodeView }): JSX.Element {
  return (
    <div class="card">
      <h2>
        <a href={href("episode", episode.id)}>{words(episode.condition)}</a>{" "}
        <span class="quiet">in</span> {words(episode.label ?? episode.world)}
      </h2>
      <p class="quiet">
        trial {episode.attempt}, score {number(episode.score)} of {number(episode.maxScore)} in{" "}
        {number(episode.steps)} steps <Status status={episode.status} ended={episode.ended} />
      </p>
    </div>
  );
}

function Steps(
  { views, pair }: { readonly views: Two<EpisodeView>; readonly pair?: Paired },
): JSX.Element {
  const sides = views.map(({ episode }, side) => {
    const step = pair?.[side];
    return useData<StepView>(step && ["step", episode.id, placeOf(step)]);
  });
  // until both are loaded, a call of both sides would look like a call of one
  const isWhole = sides.every(({ data }, side) => !pair?.[side] || data);
  const [left, right] = sides.map(({ data }) => callsByName(isWhole ? data : undefined)) as [
    ReadonlyMap<string, CallView>,
    ReadonlyMap<string, CallView>,
  ];
  return (
    <>
      <h2>What the world showed then</h2>
      <div class="pair">
        {sides.map(({ data, error }, side) => (
          <div key={side} class="card">
            {data
              ? (
                <Sight
                  world={views[side]?.episode.world ?? ""}
                  turn={data.turn}
                  itself={data.world}
                />
              )
              : <p class="quiet">{error ?? "–"}</p>}
          </div>
        ))}
      </div>
      <h2>Prompts and replies</h2>
      <p>
        <del>only on the left</del> <ins>only on the right</ins>
      </p>
      {[...new Set([...left.keys(), ...right.keys()])].map((name) => (
        <Pairing
          key={`${name} ${pair?.map((step) => step && placeOf(step))}`}
          name={name}
          a={left.get(name)}
          b={right.get(name)}
        />
      ))}
    </>
  );
}

/** A call of both sides or of one, folded at first. */
function Pairing(
  { name, a, b }: { readonly name: string; readonly a?: CallView; readonly b?: CallView },
): JSX.Element {
  const [wasOpened, setOpened] = useState(false);
  const texts = { prompt: [textOf(a), textOf(b)], reply: [a?.reply ?? "", b?.reply ?? ""] };
  const isSame = Object.values(texts).every(([one, other]) => one === other);
  return (
    <details
      class="call"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>
        <b>{words(name)}</b>{" "}
        <span class="quiet">
          {!b ? "left only" : !a ? "right only" : isSame ? "the same on both sides" : "different"}
        </span>
      </summary>
      {wasOpened &&
        Object.entries(texts).map(([title, [a = "", b = ""]]) => (
          <Difference key={title} title={title} a={a} b={b} />
        ))}
    </details>
  );
}

/** The answered calls of a step by role; the second of a role is named `role (2)`, and so on. */
function callsByName(step?: StepView): ReadonlyMap<string, CallView> {
  const answered = step?.calls.filter(({ kind }) => kind !== "wasted") ?? [];
  return new Map(
    [...Map.groupBy(answered, ({ role }) => role)].flatMap(([role, calls]) =>
      calls.map((call, at) => [at === 0 ? role : `${role} (${at + 1})`, call] as const)
    ),
  );
}

function textOf(call: CallView | undefined): string {
  return call?.prompt.map(({ role, content }) => `[${role}]\n${content}`).join("\n\n") ?? "";
}

/** The longest time to find differences, in ms; after it texts are shown side by side. */
const TIMEOUT = 1000;

function Difference(
  { title, a, b }: { readonly title: string; readonly a: string; readonly b: string },
): JSX.Element {
  const parts = useMemo(() => diffWordsWithSpace(a, b, { timeout: TIMEOUT }), [a, b]);
  return (
    <div class="difference">
      <h3>{title}</h3>
      {a === b
        ? <p class="quiet">the same on both sides</p>
        : parts
        ? (
          <pre class="foreign" dir="auto">
          {parts.map(({ value, added, removed }, at) => added ? <ins key={at}>{breakable(value)}</ins> : removed ? <del key={at}>{breakable(value)}</del> : <span key={at}>{breakable(folded(value))}</span>)}
          </pre>
        )
        : (
          <div class="pair">
            <Foreign text={a} />
            <Foreign text={b} />
          </div>
        )}
    </div>
  );
}

/** Lines that are kept at each end of a part that is the same on both sides. */
const KEPT = 3;

function folded(text: string): string {
  const lines = text.split("\n");
  const left = lines.length - 2 * KEPT;
  if (left <= 3) return text;
  return [...lines.slice(0, KEPT), `  ⋯ ${left} equal lines ⋯`, ...lines.slice(-KEPT)].join("\n");
}
