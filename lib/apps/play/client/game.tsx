/// <reference lib="dom" />
/** A game: what the world has shown so far, and what the player can do now. */

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { load } from "../../view/client/data.ts";
import { Foreign, number } from "../../view/client/kit.tsx";
import { Sight, told } from "../../view/client/sight.tsx";
import type { Moment, SessionView } from "../session-view.ts";
import { counted } from "../../../core/text/amounts.ts";
import { Controls } from "./controls.tsx";

const ENDS: Readonly<Record<string, string>> = {
  won: "You won",
  lost: "You lost",
  limit: "The step limit ended the game",
};

/** The worlds that show one picture at a time: of their earlier turns only the actions stay. */
const PICTURED = ["babyai", "babyai/sized", "nethack"];

/** Posts a value and returns the answer. @throws {Error} with what the server says, or that it cannot be reached. */
export async function send<T>(path: string, value: unknown): Promise<T> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  };
  const response = await fetch(`data/${path}`, request).catch(() => {
    throw new Error(
      "the server cannot be reached; a game that was begun is kept, and its link takes it up again",
    );
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return await response.json();
}

export function Game({ link }: { readonly link: string }): JSX.Element {
  const [view, setView] = useState<SessionView>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const look = (): Promise<void> =>
    load(["session", link]).then((data) => setView(data as SessionView));
  const isConnected = usePresence(
    link,
    () => look().then(() => setProblem(""), (error: Error) => setProblem(error.message)),
  );

  async function act(action: string, note: string): Promise<boolean> {
    if (!view || isBusy) return false;
    setBusy(true);
    setProblem("");
    try {
      const { turn, ...choices } = await send<Moment>(`act/${link}`, {
        step: view.turns.length - 1,
        action,
        ...note && { note },
      });
      setView({ ...view, turns: [...view.turns, turn], ...choices });
      return true;
    } catch (error) {
      setProblem((error as Error).message);
      await look().catch(() => {}); // what is wrong has been said
      return false;
    } finally {
      setBusy(false);
    }
  }

  const last = view?.turns.at(-1);
  if (!view || !last) {
    return problem === "" ? <p class="notice quiet">loading …</p> : (
      <p class="notice" role="alert">
        {problem}. <a href="#">Begin another game</a>
      </p>
    );
  }
  return (
    <>
      <h1>
        {view.world} {view.name !== undefined && (
          <span class="quiet">
            played by <bdi>{view.name}</bdi>
          </span>
        )}
      </h1>
      <div class="playing">
        <Story link={link} view={view} />
        <aside class="step">
          <p class="facts">
            <span>score {number(last.score)} of {number(last.maxScore)}</span>
            <span>{counted(last.step, "step")}</span>
            {last.ended === undefined && (
              <span class={isConnected ? "live on" : "live"}>
                {isConnected ? "connected" : "not connected"}
              </span>
            )}
          </p>
          <p role="alert" class="bad">{problem}</p>
          {last.ended === undefined
            ? <Controls view={view} step={last.step} isBusy={isBusy} act={act} />
            : (
              <div role="status">
                <h2>{ENDS[last.ended]} after {counted(last.step, "step")}.</h2>
                <p>
                  The tables now hold it as episode <code>{view.episode}</code>.
                </p>
                <p>
                  <a class="button" href="#">Play another game</a>
                </p>
              </div>
            )}
        </aside>
      </div>
    </>
  );
}

/** The goal and every turn; the last one in full. */
function Story(
  { link, view: { world, documents, turns, hasPicture } }: {
    readonly link: string;
    readonly view: SessionView;
  },
): JSX.Element {
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (turns.length > 1) end.current?.scrollIntoView({ block: "start" });
  }, [turns.length]);
  const isPictured = PICTURED.includes(world);
  return (
    <section class="step story" aria-label="the game">
      <h3>Goal</h3>
      <Foreign text={turns[0]?.goal ?? ""} />
      {documents.map(({ title, text }, at) => (
        <div key={at}>
          <h4 dir="auto">{title}</h4>
          <Foreign text={text} />
        </div>
      ))}
      <div role="log" aria-label="what happened">
        <ol>
          {turns.map((turn, at) => {
            const isLast = at === turns.length - 1;
            if (isPictured && !isLast && turn.action === undefined) return null;
            return (
              <li key={at} ref={isLast ? end : undefined}>
                {turn.action !== undefined && <h3 dir="auto">{turn.action}</h3>}
                {isLast && hasPicture && (
                  <img
                    class="picture"
                    src={`pictures/${link}/${turn.step}`}
                    alt="the screen; its text follows"
                  />
                )}
                {isLast
                  ? <Sight world={world} turn={turn} />
                  : !isPictured && <Foreign text={told(turn.observation)} />}
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

/** Reports presence to the server; calls `onHere` with each new connection. */
function usePresence(link: string, onHere: () => void): boolean {
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    const events = new EventSource(`live/${link}`);
    events.onopen = () => {
      setConnected(true);
      onHere();
    };
    events.onerror = () => {
      setConnected(false);
      if (events.readyState === EventSource.CLOSED) onHere(); // it was refused: the look says why
    };
    return () => events.close();
  }, [link]);
  return isConnected;
}
