/// <reference lib="dom" />
/** What the pages share: links, tables, small words and keys. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import type { EpisodeStatus } from "../../../lab/store/episodes.ts";
import { count } from "../../../core/text/amounts.ts";
import { brief } from "../brief.ts";
import type { Spent } from "../tally.ts";
import type { Loaded } from "./data.ts";
import { pieces } from "./pieces.ts";

/** The address of a page within this document. */
export function href(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** Goes to a page; `replace` leaves no entry in the history of the browser. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) location.replace(to);
  else location.hash = to;
}

/** Text of a model or a world, in the direction of its own script. */
export function Foreign(
  { text, mono = false }: { readonly text: string; readonly mono?: boolean },
): JSX.Element {
  return <pre class={mono ? "foreign mono" : "foreign"} dir="auto">{breakable(cut(text))}</pre>;
}

/** A text whose long words may be broken where it has been cut into pieces. */
export function breakable(text: string): ComponentChildren {
  return pieces(text).map((piece, at) => at === 0 ? piece : [<wbr key={at} />, piece]);
}

/** Foreign text within a line, isolated from its direction. */
export function words(text: string, most?: number): JSX.Element {
  return <bdi>{brief(text, most)}</bdi>;
}

/** Characters that are shown of one text. */
const SHOWN = 100_000;

function cut(text: string): string {
  return text.length > SHOWN
    ? `${text.slice(0, SHOWN)}\n… (${count(text.length - SHOWN)} more characters)`
    : text;
}

/** A member of a list of names and values. */
export function Named(
  { name, children }: { readonly name: string; readonly children: ComponentChildren },
): JSX.Element {
  return (
    <div>
      <dt>{words(name.replaceAll("_", " "))}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A part of the step under a title; a folded one opens with a click. */
export function Part({ title, isFolded = false, children }: {
  readonly title: string;
  readonly isFolded?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="part" open={!isFolded}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  );
}

/** Shows data once it is loaded, the error if it cannot be, and that it is loading until then. */
export function Await<T>(
  { of, children }: { readonly of: Loaded<T>; readonly children: (data: T) => ComponentChildren },
): JSX.Element {
  if (of.error !== undefined) return <p class="notice" role="alert">{of.error}</p>;
  return of.data === undefined ? <p class="notice quiet">loading …</p> : <>{children(of.data)}</>;
}

/** Shows a notice in place of data of another form than recorded, until `of` changes. */
export function Guard(
  { of, children }: { readonly of: unknown; readonly children: ComponentChildren },
): JSX.Element {
  const failed = useRef<unknown>();
  const [error, reset] = useErrorBoundary(() => void (failed.current = of));
  useEffect(() => {
    if (error && failed.current !== of) reset();
  }, [of]);
  if (!error) return <>{children}</>;
  return (
    <p class="notice" role="alert">
      what is recorded here has not the form that it should have: ./lab verify says more
    </p>
  );
}

/** The first of some items, and a button that shows more of them. */
export function useSome<T>(
  items: readonly T[],
  first: number,
  what = "",
): readonly [readonly T[], JSX.Element | false] {
  const [most, setMost] = useState(first);
  const left = items.length - most;
  const more = (
    <button type="button" onClick={() => setMost(most + 5 * first)}>{left} more {what}</button>
  );
  return [items.slice(0, most), left > 0 && more];
}

/** `3`, `0.25`, `–` for none. */
export function number(value: number | undefined): string {
  return typeof value !== "number" ? "–" : String(Math.round(value * 100) / 100);
}

/** Dollars, with `+` where some calls have no price. */
export function dollars(spent: Spent): string {
  return `$${spent.dollars.toFixed(2)}${spent.unpriced > 0 ? "+" : ""}`;
}

/** The cells with what was spent: tokens and dollars. */
export function SpentCells({ spent }: { readonly spent?: Spent }): JSX.Element {
  return (
    <>
      <td class="number">
        {spent ? count(spent.tokens) : "…"}
      </td>
      <td class="number">{spent ? dollars(spent) : "…"}</td>
    </>
  );
}

/** The title of a column, and whether it holds numbers. */
export type Column = readonly [title: ComponentChildren, kind?: "number"];

/** A table with a scroll bar of its own where it is too wide; `children` are its rows. */
export function Table({ label, kind, columns, children }: {
  /** What the table holds, for a screen reader. */
  readonly label: string;
  /** Its class. */
  readonly kind?: string;
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={kind}>
        <thead>
          <tr>
            {columns.map(([title, side], at) => <th key={at} scope="col" class={side}>{title}</th>)}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The share of the score that was reached, at most 1; below 0 where points were lost. */
export function share(
  { score, maxScore }: { readonly score?: number; readonly maxScore?: number },
): number | undefined {
  if (typeof score !== "number" || !maxScore) return undefined; // JSON has null for what is infinite
  return Math.min(1, score / maxScore);
}

/** The status of an episode as a coloured label. */
export function Status({ status, ended, failure }: {
  readonly status: EpisodeStatus;
  readonly ended?: string;
  readonly failure?: string;
}): JSX.Element {
  return (
    <span class={`status ${status}`}>
      {words(status === "completed" ? ended ?? status : failure ? `${status}: ${failure}` : status)}
    </span>
  );
}

/** ←, →, Home and End choose a step; the space bar does what `onSpace` does. */
export function useStepKeys(
  index: number,
  length: number,
  goTo: (index: number) => void,
  onSpace?: () => void,
): void {
  useKeys((key) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: length - 1 }[key];
    if (to !== undefined) goTo(to);
    else if (key === " " && onSpace) onSpace();
    else return false;
    return true;
  });
}

/** Calls `onKey` with each key outside text fields; it returns whether it used the key. */
export function useKeys(onKey: (key: string) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { tagName, type } = event.target as HTMLInputElement;
      const isPressed = event.key === " " &&
        (["BUTTON", "SUMMARY"].includes(tagName) || type === "checkbox"); // has a use of its own there
      const isWriting = tagName === "TEXTAREA" || tagName === "SELECT" ||
        (tagName === "INPUT" && type !== "range" && type !== "checkbox");
      if (
        document.querySelector("dialog[open]") || isWriting || isPressed || event.ctrlKey ||
        event.metaKey || event.altKey
      ) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
