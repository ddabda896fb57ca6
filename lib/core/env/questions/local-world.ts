/** A world that this process plays without a server: questions and claims. */

import { z } from "zod";
import { UsageError, WorldError } from "../../errors.ts";
import { issuesOf } from "../../text/json.ts";
import type { MeasuredEnvironment } from "../environment.ts";
import { missingFile, type OfficialFile } from "./data-folder.ts";
import type { RecordSet } from "./official-sets.ts";

export interface Opening {
  readonly signal?: AbortSignal;
  readonly onDelay?: (what: string) => void;
}

export interface LocalWorld {
  readonly doc: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Why it cannot be opened here; `undefined` if it can. */
  problem(): string | undefined;
  /**
   * @throws {WorldError} `bad-parameter`; `unknown-world` where its files are missing or broken,
   *   `bad-game` where one record is. The signal's reason once it fires.
   */
  open(params: Readonly<Record<string, unknown>>, opening?: Opening): Promise<MeasuredEnvironment>;
}

/** Worlds by id. */
export type LocalWorlds = Readonly<Record<string, LocalWorld>>;

export interface LocalWorldOptions<Params> {
  readonly doc: string;
  readonly schema: z.ZodType<Params>;
  readonly files?: readonly OfficialFile[];
  readonly open: (params: Params, opening: Opening) => Promise<MeasuredEnvironment>;
}

export function localWorld<Params>(
  id: string,
  { doc, schema, files = [], open }: LocalWorldOptions<Params>,
): LocalWorlds {
  const world: LocalWorld = {
    doc,
    get parameters() {
      const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
      return parameters;
    },
    problem: () => {
      const problems = files.map(missingFile);
      return problems.includes(undefined) ? undefined : problems[0];
    },
    async open(given, opening = {}): Promise<MeasuredEnvironment> {
      const checked = schema.safeParse(given);
      if (checked.success) {
        const env = await open(checked.data, opening).catch((error) =>
          refused("unknown-world", error)
        );
        return {
          ...env,
          step: (action) => env.step(action).catch((error) => refused("bad-game", error)),
        };
      }
      throw new WorldError(
        "bad-parameter",
        `${id} cannot be opened with these parameters: ${issuesOf(checked.error).join("; ")}`,
      );
    },
  };
  return { [id]: world };
}

/**
 * Throws what is wrong with a user's file as an error of its world or game, so that the others of a
 * study are played.
 */
function refused(kind: "unknown-world" | "bad-game", error: unknown): never {
  throw error instanceof UsageError ? new WorldError(kind, error.message, { cause: error }) : error;
}

/**
 * The question or dialogue at an index.
 * @throws {WorldError} `bad-parameter` beyond the last, `bad-game` for a broken record.
 */
export async function checkedAt<Item>(
  id: string,
  set: Omit<RecordSet<Item>, "file">,
  index: number,
  item = "question",
): Promise<Item> {
  const count = await set.size();
  if (index < count) return await set.at(index).catch((error) => refused("bad-game", error));
  throw new WorldError(
    "bad-parameter",
    `${id} has no ${item} ${index}: index may be 0 … ${count - 1}`,
  );
}
