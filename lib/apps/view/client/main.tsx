/// <reference lib="dom" />
/** The run page: one document whose address after `#` names the page that is shown. */

import { type JSX, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { brief } from "../brief.ts";
import { Compare } from "./compare.tsx";
import { Episode } from "./episode.tsx";
import { isEmbedded } from "./data.ts";
import { go, Guard, href, useKeys } from "./kit.tsx";
import { Graph } from "./graph-page.tsx";
import { useNews } from "./news.ts";
import { Search } from "./search.tsx";
import { Studies } from "./studies.tsx";
import { Study } from "./study.tsx";

function Page(): JSX.Element {
  const [path, query] = usePlace();
  const { revision, problem } = useNews(!isEmbedded);
  const isLive = problem === "";
  const [isHelping, setHelping] = useState(false);
  const title = [path.slice(0, 3).map((part) => brief(part)).join(" "), "Labyrinth"].filter(Boolean)
    .join(" · ");
  useEffect(() => void (document.title = title), [title]);
  useKeys((key) => {
    if (key === "?") setHelping(true);
    else if (key === "/" && !isEmbedded) go(href("search"));
    else return false;
    return true;
  });
  const main = (
    <main>
      {problem && <p class="notice bad" role="alert">{problem}</p>}
      <Guard of={path.join("/")}>{pageOf(path, query, revision)}</Guard>
    </main>
  );
  if (isEmbedded) return main;
  return (
    <>
      <header class="top">
        <a class="brand" href={href()}>
          <img src="icon.svg" alt="" width="22" height="22" /> Labyrinth
        </a>
        <nav aria-label="pages">
          <a
            href={href()}
            aria-current={path[0] === undefined || path[0] === "" ? "page" : undefined}
          >
            Studies
          </a>
          <a href={href("search")} aria-current={path[0] === "search" ? "page" : undefined}>
            Search
          </a>
        </nav>
        <span class={isLive ? "live on" : "live"} role="status">
          {isLive ? "live" : "not connected"}
        </span>
        <Theme />
        <button type="button" onClick={() => setHelping(true)} aria-label="keys and help">?</button>
      </header>
      {main}
      {isHelping && <Help close={() => setHelping(false)} />}
    </>
  );
}

function pageOf(
  [name, id = "", more = "", step]: readonly string[],
  query: URLSearchParams,
  revision: number,
): JSX.Element {
  switch (name) {
    case undefined:
    case "":
      return <Studies revision={revision} />;
    case "study":
      return <Study key={id} id={id} query={query} revision={revision} />;
    case "episode":
      return <Episode key={id} id={id} place={more} side={step} revision={revision} />;
    case "compare":
      return <Compare key={`${id} ${more}`} a={id} b={more} at={step} />;
    case "graph":
      return <Graph />;
    case "search":
      return <Search q={query.get("q") ?? ""} />;
    default:
      return (
        <p class="notice">
          There is no page of this name; <a href={href()}>the studies</a> are here.
        </p>
      );
  }
}

/** The parts of the address after `#`; those of one that cannot be decoded stand as they are. */
function usePlace(): readonly [readonly string[], URLSearchParams] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listener = (): void => setHash(location.hash);
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return [path === "" ? [] : path.split("/").map(decoded), new URLSearchParams(query)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const THEMES = ["light dark", "light", "dark"] as const;
const THEME_NAMES = ["as the system", "light", "dark"] as const;

function Theme(): JSX.Element {
  const [theme, setTheme] = useState(() =>
    Number(localStorage.getItem("labyrinth-theme") ?? 0) % THEMES.length
  );
  useEffect(() => {
    document.documentElement.style.colorScheme = THEMES[theme] ?? "";
    localStorage.setItem("labyrinth-theme", String(theme));
    dispatchEvent(new Event("labyrinth-theme"));
  }, [theme]);
  return (
    <button
      type="button"
      onClick={() => setTheme((theme + 1) % THEMES.length)}
      aria-label={`colours: ${THEME_NAMES[theme]}`}
      title={`colours: ${THEME_NAMES[theme]}`}
    >
      ◐
    </button>
  );
}

const KEYS = [
  ["← →", "step back and forward"],
  ["Home End", "first and last step"],
  ["space", "play the steps"],
  ["/", "search"],
  ["?", "this list"],
] as const;

function Help({ close }: { readonly close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="keys" onClose={close}>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        In the strip of an episode the area is its score, green and red bars are triplets that came
        and went, and marks at the top are events.
      </p>
      <p class="quiet">The page only reads the record; nothing here changes a run.</p>
      <button type="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}

const root = document.getElementById("page");
if (root) render(<Page />, root);
