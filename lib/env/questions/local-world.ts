/**
 * A world of this process, which needs no server: questions and claims.
 *
 * @module
 */

import { z } from "zod";
import { WorldError } from "../../errors.ts";
import type { MeasuredEnvironment } from "../environment.ts";
import { missingFile, type OfficialFile } from "./data-folder.ts";

/** What opening a world has to do with whoever asks for it. */
export interface Opening {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Told, in one line, of work that may take minutes before it begins. */
  readonly onDelay?: ((what: string) => void) | undefined;
}

/** A world of this process. */
export interface LocalWorld {
  /** What it is, in one line. */
  readonly doc: string;
  /** JSON Schema of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Why it cannot be opened here; `undefined` if it can. */
  problem(): string | undefined;
  /** @throws {WorldError} `bad-parameter`; {@linkcode UsageError} where its files are missing or broken. The signal's reason once it fires. */
  open(params: Readonly<Record<string, unknown>>, opening?: Opening): Promise<MeasuredEnvironment>;
}

/** How a world of this process is made. */
export interface LocalWorldOptions<Params> {
  readonly doc: string;
  readonly schema: z.ZodType<Params>;
  /** The files of which it needs one. */
  readonly files?: readonly OfficialFile[];
  /** Opens it; the parameters have been checked. */
  readonly open: (params: Params, opening: Opening) => Promise<MeasuredEnvironment>;
}

/** A world whose parameters are checked before it is opened. */
export function localWorld<Params>(id: string, { doc, schema, files = [], open }: LocalWorldOptions<Params>): LocalWorld {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return {
    doc,
    parameters,
    problem: () => {
      const problems = files.map(missingFile);
      return problems.includes(undefined) ? undefined : problems[0];
    },
    async open(given, opening = {}): Promise<MeasuredEnvironment> {
      const checked = schema.safeParse(given);
      if (checked.success) return await open(checked.data, opening);
      const issues = checked.error.issues.map(({ path, message }) => path.length > 0 ? `${path.join(".")}: ${message}` : message);
      throw new WorldError("bad-parameter", `${id} cannot be opened with these parameters: ${issues.join("; ")}`);
    },
  };
}

/** The record at a place, once it is known to be there. @throws {WorldError} `bad-parameter` beyond the last. */
export async function checkedAt<T>(
  id: string,
  { size, at }: { size(): Promise<number>; at(index: number): Promise<T> },
  index: number,
): Promise<T> {
  const count = await size();
  if (index < count) return await at(index);
  throw new WorldError("bad-parameter", `${id} has no question ${index}: index may be 0 … ${count - 1}`);
}
