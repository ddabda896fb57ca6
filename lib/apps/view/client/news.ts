/// <reference lib="dom" />
/** What a page asks of its server, and the news that it has from it. */

import { useEffect, useState } from "preact/hooks";

/**
 * The longest time that an answer took to come since the page was last brought up to date, in ms.
 */
let slowest = 0;

/** A page pauses this many times as long as its slowest answer took. */
const REST = 15;
/** The longest pause between two updates, in ms. */
const LONGEST = 15_000;
/** Time until a connection that the server refused is tried again, in ms. */
const AGAIN = 2000;

/** Asks the server. @throws {Error} where it does not answer, in words for a reader of the page. */
export async function ask(address: string): Promise<Response> {
  const begin = performance.now();
  try {
    return await fetch(address);
  } catch {
    throw new Error("the server of this page does not answer: start ./lab view again");
  } finally {
    slowest = Math.max(slowest, performance.now() - begin);
  }
}

/** What a page knows of its server's news. */
interface News {
  /** A number that grows when the store has new rows. */
  readonly revision: number;
  /** Why there is no news, empty where there is. */
  readonly problem?: string;
}

/** Hears the server's news. */
export function useNews(hasServer: boolean): News {
  const [revision, setRevision] = useState(0);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLost = false;
    const renew = (): void => {
      timer = undefined;
      slowest = 0;
      setRevision((before) => before + 1);
    };
    const connect = (): void => {
      const events = new EventSource("live");
      events.onopen = () => {
        setProblem("");
        if (isLost) renew(); // what changed meanwhile was told to nobody
        isLost = false;
      };
      events.onerror = () => {
        isLost = true;
        whyNot().then((why) => isLost && setProblem(why));
        if (events.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN); // a browser tries again only where nothing was answered
      };
      events.onmessage = () => {
        timer ??= setTimeout(renew, Math.min(slowest * REST, LONGEST));
      };
    };
    if (hasServer) connect();
  }, []);
  return { revision, problem };
}

/** Why the server sends no news, in its own words where it has any. */
async function whyNot(): Promise<string> {
  const response = await ask("live").catch((error: Error) => error.message);
  if (typeof response === "string" || !response.ok) {
    return typeof response === "string" ? response : await response.text();
  }
  await response.body?.cancel();
  return "the connection was lost, and is tried again";
}
