/// <reference lib="dom" />
/** Search through observations, triplets, replies and prompts. */

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Hit, SearchKind, SearchResult } from "../search.ts";
import { placeOf } from "./episode.tsx";
import { load } from "./data.ts";
import { go, href, words } from "./kit.tsx";

const KINDS: readonly SearchKind[] = ["observations", "triplets", "replies", "prompts"];

/** The page of a search; its words are in the address. */
export function Search({ q }: { readonly q: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => { // what was typed is not what an earlier address asks for, though one that is left at once is never drawn
    const show = (): void => {
      if (input.current) {
        input.current.value = new URLSearchParams(location.hash.split("?")[1]).get("q") ?? "";
      }
    };
    addEventListener("hashchange", show);
    return () => removeEventListener("hashchange", show);
  }, []);
  return (
    <>
      <h1>Search</h1>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          go(`${href("search")}?${new URLSearchParams({ q: input.current?.value ?? "" })}`);
        }}
      >
        <input
          ref={input}
          type="search"
          defaultValue={q}
          placeholder="words in observations, triplets, replies, prompts"
          aria-label="words to search for"
          dir="auto"
        />
        <button type="submit">Search</button>
      </form>
      {q !== "" && KINDS.map((kind) => <Results key={`${kind} ${q}`} kind={kind} q={q} />)}
    </>
  );
}

function Results({ kind, q }: { readonly kind: SearchKind; readonly q: string }): JSX.Element {
  const [hits, setHits] = useState<readonly Hit[]>([]);
  const [next, setNext] = useState<string | undefined>("");
  const [wanted, setWanted] = useState(10);
  const [error, setError] = useState<string>();
  useEffect(() => {
    // An answer that paused because of its time goes on by itself until there are enough hits.
    if (next === undefined || hits.length >= wanted) return;
    let isWanted = true;
    load(["search", kind], { q, ...next && { from: next } }).then(
      (result) => {
        if (!isWanted) return;
        const { hits: more, next: then } = result as SearchResult;
        setHits((before) => [...before, ...more]);
        setNext(then);
      },
      (error: Error) => isWanted && setError(error.message),
    );
    return () => {
      isWanted = false;
    };
  }, [next, wanted]);
  const isBusy = next !== undefined && hits.length < wanted;
  return (
    <section aria-label={kind}>
      <h2>
        {kind}{" "}
        <span class="quiet" role="status">
          {error ??
            (isBusy ? "searching …" : `${hits.length}${next === undefined ? "" : " or more"}`)}
        </span>
      </h2>
      <ul class="hits">
        {hits.map(({ episode, pass, step, call, where, excerpt, at }, index) => (
          <li key={index}>
            <a href={href("episode", episode, `${pass}.${step}`, ...call ? [call] : [])}>
              {episode.slice(0, 8)}, step {pass > 0 ? placeOf({ pass, step }) : step}
            </a>
            <span class="quiet">{words(where)}</span>
            <p dir="auto">
              … {excerpt.slice(0, at)}
              <mark>{excerpt.slice(at, at + q.length)}</mark>
              {excerpt.slice(at + q.length)} …
            </p>
          </li>
        ))}
      </ul>
      {next !== undefined && !isBusy && (
        <button
          type="button"
          onClick={() => setWanted(hits.length + 30)}
        >
          More {kind}
        </button>
      )}
    </section>
  );
}
