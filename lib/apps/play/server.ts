/** The server of the play page. */

import { z } from "zod";
import type { WorldEntry } from "../../core/env/mod.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { safeValue } from "../../core/foreign-text.ts";
import { file, HEADERS, missing, refuse, turnAway } from "../view/http.ts";
import type { Handler } from "../view/server.ts";
import { CONSENT, type GameChoice, type SessionsOptions } from "./session-view.ts";
import { Sessions } from "./sessions.ts";

export interface Offer {
  readonly consent: string;
  readonly games: readonly Pick<WorldEntry, "id" | "doc">[];
}

export interface PlayHandlerOptions extends SessionsOptions {
  readonly catalogue: readonly WorldEntry[];
  /**
   * The one game that is offered.
   * @default every world of the catalogue that can be played without parameters
   */
  readonly game?: GameChoice;
  readonly page: ReadonlyMap<string, Uint8Array | string>;
  readonly token?: string;
}

const START = z.strictObject({
  world: z.string(),
  name: z.string().trim().max(100, "a name has 100 characters at most"),
  consent: z.literal(
    true,
    "without your consent nothing can be recorded, and so nothing be played",
  ),
});

const MOVE = z.strictObject({
  step: z.int().min(0),
  action: z.string().trim().min(1, "an action is missing").max(
    2000,
    "an action has 2000 characters at most",
  ),
  note: z.string().trim().max(10_000, "a note has 10,000 characters at most").optional(),
});

/** The longest body of a request, in bytes. */
const LONGEST = 65_536;

export function createPlayHandler(options: PlayHandlerOptions): Handler {
  const { catalogue, game, page, token, onError } = options;
  const sessions = new Sessions(options);
  const offered = catalogue.filter(({ id, problem, parameters }) =>
    game ? id === game.world : problem === undefined && !parameters.required
  );
  const offer: Offer = { consent: CONSENT, games: offered.map(({ id, doc }) => ({ id, doc })) };

  async function answer(request: Request): Promise<Response> {
    if (!URL.canParse(request.url)) return refuse(400, "the address cannot be read");
    try {
      return await route(request, new URL(request.url));
    } catch (error) {
      if (
        error instanceof UsageError || (error instanceof WorldError && error.kind === "bad-action")
      ) return refuse(400, error.message);
      onError?.(error as Error);
      return refuse(503, why(error));
    }
  }

  async function route(request: Request, url: URL): Promise<Response> {
    const away = turnAway(request, url, token);
    if (away) return away;
    const [, folder = "", name = "", link = ""] = url.pathname.split("/");
    if (request.method === "POST") {
      return json(await posted(name, link, await bodyOf(request, url)));
    }
    if (request.method !== "GET") return refuse(405, "this server takes GET and POST alone");
    if (folder === "live") {
      const stream = sessions.watch(name);
      return stream
        ? new Response(stream, { headers: { ...HEADERS, "content-type": "text/event-stream" } })
        : missing();
    }
    if (folder === "pictures") return file("picture.png", sessions.picture(name));
    if (folder === "data") {
      return json(
        name === "offer" ? offer : name === "session" ? await sessions.look(link) : undefined,
      );
    }
    return file(folder || "index.html", page.get(folder || "index.html"));
  }

  async function posted(name: string, link: string, body: unknown): Promise<unknown> {
    if (name === "act") return await sessions.act(link, checked(MOVE, body));
    if (name !== "start") return undefined;
    const { world, name: player } = checked(START, body);
    if (!offered.some(({ id }) => id === world)) {
      throw new UsageError(`"${world}" cannot be played here; choose another world`);
    }
    // NetHack's screen says more to a person than its description in words; no turn depends on it.
    const params = { ...world === "nethack" && { image: true }, ...game?.params };
    return { link: await sessions.begin({ world, params }, player) };
  }

  return { answer, close: () => sessions.close() };
}

/** The message of an error for a player; particulars may name files of the server. */
function why(error: unknown): string {
  const kind = error instanceof WorldError ? error.kind : undefined;
  if (kind === "diverged") {
    return "the world has changed since you played: this game cannot be taken up again";
  }
  if (kind === "too-many-sessions") return "too many games are being played here: try again later";
  return "the world does not answer: reload this page to take the game up again, or ask who runs this server, whose terminal says why";
}

function json(value: unknown): Response {
  return value === undefined
    ? refuse(404, "no game has this address; it may not have been copied whole")
    : file("data.json", JSON.stringify(safeValue(value)));
}

/**
 * The body of a request that the page itself has sent: a page from elsewhere can send one too, but
 * the browser adds whose it is.
 *
 * @throws {UsageError} for any other one
 */
async function bodyOf(request: Request, url: URL): Promise<unknown> {
  const origin = request.headers.get("origin") ?? "";
  if (!URL.canParse(origin) || new URL(origin).host !== url.host) {
    throw new UsageError("only this server's own page can do this");
  }
  if (!(Number(request.headers.get("content-length") ?? Infinity) <= LONGEST)) {
    throw new UsageError("the request is too long");
  }
  try {
    return await request.json();
  } catch {
    throw new UsageError("invalid JSON");
  }
}

function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
  throw new UsageError(`${path.join(".") || "the request"}: ${message}`);
}
