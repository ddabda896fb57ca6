/** Search in observations, triplets, replies and prompts, for a limited time each. */

import type { SQLInputValue } from "node:sqlite";
import type { Store } from "../../lab/store/open.ts";
import { withTools } from "./record.ts";

/** What is searched. */
export type SearchKind = "observations" | "triplets" | "replies" | "prompts";

export interface Hit {
  readonly episode: string;
  readonly pass: number;
  readonly step: number;
  /** The key of the call that it occurs in; absent of an observation or a triplet. */
  readonly call?: string;
  /** What it occurs in, e.g. the role of a call. */
  readonly where: string;
  readonly excerpt: string;
  /** Index in the excerpt at which the wanted text begins. */
  readonly at: number;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** Where to go on; absent at the end. */
  readonly next?: string;
}

/** Hits after which a search pauses, and the time after which it does, in ms. */
const MOST = 30;
const TIME = 800;
/** Characters of an excerpt before and after the text. */
const AROUND = 90;

/** A table that is read in the order of its key. */
interface Source {
  /** Selects rows above the key, in its order; a row's key is its columns named `k…`. */
  readonly sql: string;
  readonly first: readonly SQLInputValue[];
  text(row: Record<string, unknown>): string;
  where(row: Record<string, unknown>): string;
}

const CALLS = (what: string): string => `
  select calls.id as k1, episode, pass, step, calls.role as role, calls.key as call, ${what} as text from calls join replies on replies.key = calls.key
  where calls.id > ? and calls.kind <> 'wasted' and episode is not null order by calls.id`;

const SOURCES: Readonly<Record<SearchKind, Source>> = {
  observations: {
    sql:
      `select episode as k1, pass as k2, step as k3, episode, pass, step, coalesce('> ' || action || char(10), '') || observation as text
      from turns where (episode, pass, step) > (?, ?, ?) order by episode, pass, step`,
    first: ["", 0, 0],
    text: ({ text }) => String(text),
    where: () => "observation",
  },
  triplets: {
    sql: `select episode as k1, pass as k2, step as k3, ordinal as k4, episode, pass, step, op,
        subject || ', ' || relation || ', ' || object as text
      from graph_changes where (episode, pass, step, ordinal) > (?, ?, ?, ?) order by episode, pass, step, ordinal`,
    first: ["", 0, 0, 0],
    text: ({ text }) => String(text),
    where: ({ op }) => op === "add" ? "triplet added" : "triplet removed",
  },
  replies: {
    sql: CALLS("reply"),
    first: [0],
    text: ({ text }) =>
      (JSON.parse(String(text)) as { choices: { text: string }[] }).choices.map(withTools).join(
        "\n",
      ),
    where: ({ role }) => `reply to ${role}`,
  },
  prompts: {
    sql: CALLS("request"),
    first: [0],
    text: ({ text }) => textOf((JSON.parse(String(text)) as { messages: unknown }).messages),
    where: ({ role }) => `prompt of ${role}`,
  },
};

/** The kinds that can be searched. */
export const SEARCH_KINDS = Object.keys(SOURCES) as readonly SearchKind[];

/** Searches one kind of text, ignoring case, from the start or from where a search ended. */
export function search(
  store: Store,
  kind: SearchKind,
  wanted: string,
  from?: string,
): SearchResult {
  const { sql, first, text, where } = SOURCES[kind];
  const hits: Hit[] = [];
  if (wanted === "") return { hits };
  const pattern = new RegExp(RegExp.escape(wanted), "iu"); // not by lower case, which may be longer than the text itself
  const until = performance.now() + TIME;
  for (
    const row of store.database.prepare(sql).iterate(
      ...(from === undefined ? first : keyOf(from, first.length)),
    )
  ) {
    const whole = readable(() => text(row));
    const at = whole.search(pattern);
    if (at >= 0) {
      const begin = Math.max(0, at - AROUND);
      const excerpt = whole.slice(begin, at + wanted.length + AROUND);
      hits.push({
        episode: String(row.episode),
        pass: Number(row.pass),
        step: Number(row.step),
        call: row.call as string | undefined,
        where: where(row),
        excerpt,
        at: at - begin,
      });
    }
    if (hits.length >= MOST || performance.now() > until) {
      return {
        hits,
        next: JSON.stringify([row.k1, row.k2, row.k3, row.k4].slice(0, first.length)),
      };
    }
  }
  return { hits };
}

/** The text of a row; none of one that is damaged, which hides no other. */
function readable(text: () => string): string {
  try {
    return text();
  } catch {
    return "";
  }
}

function keyOf(text: string, length: number): SQLInputValue[] {
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch { /* is refused below */ }
  const isKey = Array.isArray(key) && key.length === length &&
    key.every((part) => typeof part === "string" || Number.isInteger(part));
  return isKey ? key as SQLInputValue[] : new Array(length).fill("\u{10FFFF}"); // a key that cannot be read counts as behind every row
}

/** The texts of a prompt's messages. */
function textOf(messages: unknown): string {
  if (typeof messages === "string") return messages;
  if (!Array.isArray(messages)) return "";
  return messages.map((
    { content, text = textOf(content), toolCalls }: {
      content?: unknown;
      text?: string;
      toolCalls?: unknown;
    },
  ) => withTools({ text, toolCalls })).join("\n");
}
