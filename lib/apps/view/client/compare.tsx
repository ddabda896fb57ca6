/// <reference lib="dom" />
/** Two episodes in step: where they part, and what their prompts differ in. */

import { diffWordsWithSpace } from "diff";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CallView, EpisodeView, StepLine, StepView } from "../record.ts";
import { placeOf, usePlay } from "./episode.tsx";
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
  useData,
  useStepKeys,
  words,
} from "./kit.tsx";
import { Sight } from "./sight.tsx";
import { Strip } from "./strip.tsx";

/** The page that compares two episodes. */
export function Compare(
  { a, b, at }: { readonly a: string; readonly b: string; readonly at?: string },
): JSX.Element {
  const [left, right] = [
    useData<EpisodeView>(["episode", a]),
    useData<EpisodeView>(["episode", b]),
  ];
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

/** The same step of two episodes; absent of one that never came to it. */
type Paired = Two<StepLine | undefined>;

/** The steps of two episodes by pass and step: an exploration that takes longer in one of them shifts nothing of what follows. */
function inStep(views: Two<EpisodeView>): readonly Paired[] {
  const places = new Map(views.flatMap(({ steps }) => steps).map((line) => [placeOf(line), line]));
  const [one, other] = views.map(({ steps }) =>
    new Map(steps.map((line) => [placeOf(line), line]))
  );
  return [...places].sort(([, a], [, b]) => a.pass - b.pass || a.step - b.step).map((
    [place],
  ) => [one?.get(place), other?.get(place)]);
}

function differs([one, other]: Paired): boolean {
  return !one || !other || one.action !== other.action;
}

/** Changes of a graph, which a comparison does not show. */
const NONE: readonly never[] = [];

function Pair(
  { views, at }: { readonly views: Two<EpisodeView>; readonly at?: string },
): JSX.Element {
  const [a, b] = views;
  const pairs = useMemo(() => inStep(views), [a, b]);
  const steps = useMemo(() =>
    pairs.map((pair): StepLine => ({
      ...(pair[0] ?? pair[1]) as StepLine,
      score: 0,
      events: differs(pair) ? ["differs"] : [],
    })), [pairs]);
  const { length } = steps;
  const parting = steps.findIndex(({ events }) => events.length > 0);
  const place = at?.includes(".") ? at : `0.${at}`;
  const found = at === undefined ? parting : steps.findIndex((step) => placeOf(step) === place);
  const index = found >= 0 ? found : at === undefined ? length - 1 : 0;
  const nameOf = (step: StepLine | undefined): string =>
    !step ? "" : steps.some(({ pass }) => pass > 0) ? placeOf(step) : String(step.step);
  const goTo = (to: number): void => {
    const step = steps[Math.max(0, Math.min(length - 1, to))];
    if (step) go(href("compare", a.episode.id, b.episode.id, placeOf(step)), { replace: true });
  };
  const [isPlaying, setPlaying] = usePlay(index, length, goTo);
  useStepKeys(index, length, goTo, () => setPlaying(!isPlaying));
  return (
    <>
      <div class="pair heads">{views.map((view, side) => <Head key={side} view={view} />)}</div>
      <p class="notice quiet">
        {parting < 0 ? "Both took the same actions throughout." : (
          <>
            Their actions first differ at step {nameOf(steps[parting])}.{" "}
            <button type="button" onClick={() => goTo(parting)}>Go there</button>
          </>
        )}
      </p>
      {length > 0 && (
        <Strip
          steps={steps}
          changes={NONE}
          index={index}
          goTo={goTo}
          isPlaying={isPlaying}
          setPlaying={setPlaying}
        />
      )}
      <Rows
        views={views}
        pairs={pairs}
        names={steps.map(nameOf)}
        index={index}
        parting={parting}
        goTo={goTo}
      />
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

/** Lines that are shown before and after the one at hand. */
const AROUND = 4;

function Rows({ views, pairs, names, index, parting, goTo }: {
  readonly views: Two<EpisodeView>;
  readonly pairs: readonly Paired[];
  readonly names: readonly string[];
  readonly index: number;
  readonly parting: number;
  readonly goTo: (index: number) => void;
}): JSX.Element {
  const first = Math.max(0, index - AROUND);
  const cell = (step: StepLine | undefined): JSX.Element => (
    <>
      <td class="action" dir="auto">{step ? words(step.action ?? "(reset)") : "–"}</td>
      <td class="number">{step && number(step.score)}</td>
    </>
  );
  return (
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
      {pairs.slice(first, index + AROUND + 1).map((pair, offset) => {
        const at = first + offset;
        return (
          <tr
            key={at}
            class={[at === index && "here", at === parting && "parting", differs(pair) && "differs"]
              .filter(Boolean).join(" ")}
          >
            <th scope="row" class="number">
              <button type="button" onClick={() => goTo(at)}>{names[at]}</button>
            </th>
            {cell(pair[0])}
            {cell(pair[1])}
          </tr>
        );
      })}
    </Table>
  );
}

function Steps(
  { views, pair }: { readonly views: Two<EpisodeView>; readonly pair?: Paired },
): JSX.Element {
  const [a, b] = views.map(({ episode }, side) => {
    const step = pair?.[side];
    return useData<StepView>(step && ["step", episode.id, placeOf(step)]);
  });
  const isWhole = [a, b].every((loaded, side) => !pair?.[side] || loaded?.data); // before, a call of both sides would be that of one
  const [left, right] = isWhole
    ? [callsByName(a?.data), callsByName(b?.data)]
    : [callsByName(), callsByName()];
  return (
    <>
      <h2>What the world showed then</h2>
      <div class="pair">
        {[a, b].map((loaded, side) => (
          <div key={side} class="card">
            {loaded?.data
              ? (
                <Sight
                  world={views[side]?.episode.world ?? ""}
                  turn={loaded.data.turn}
                  itself={loaded.data.world}
                />
              )
              : <p class="quiet">{loaded?.error ?? "–"}</p>}
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

/** A call of both sides or of one alone, folded at first: differences are looked for where they are to be seen. */
function Pairing(
  { name, a, b }: { readonly name: string; readonly a?: CallView; readonly b?: CallView },
): JSX.Element {
  const [wasOpened, setOpened] = useState(false);
  const [prompts, replies] = [[textOf(a), textOf(b)], [a?.reply ?? "", b?.reply ?? ""]] as const;
  const isSame = prompts[0] === prompts[1] && replies[0] === replies[1];
  return (
    <details
      class="call"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>
        <b>{words(name)}</b>{" "}
        <span class="quiet">
          {a && b
            ? isSame ? "the same on both sides" : "different"
            : a
            ? "left alone"
            : "right alone"}
        </span>
      </summary>
      {wasOpened && (
        <>
          <Difference title="prompt" a={prompts[0]} b={prompts[1]} />
          <Difference title="reply" a={replies[0]} b={replies[1]} />
        </>
      )}
    </details>
  );
}

/** The calls of a step that were answered, by role; the second one of a role is named `role (2)`, and so on. */
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

/** The longest time that finding the differences of two texts may take, in ms; after it they are shown side by side. */
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
  if (lines.length <= 2 * KEPT + 3) return text;
  return [
    ...lines.slice(0, KEPT),
    `  ⋯ ${lines.length - 2 * KEPT} equal lines ⋯`,
    ...lines.slice(-KEPT),
  ].join("\n");
}
