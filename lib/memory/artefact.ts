/**
 * Reading a stored memory back.
 *
 * @module
 */

import type { z } from "zod";
import type { Artefact } from "./memory.ts";

/** The body of an artefact of a kind, read by its schema. @throws {TypeError} if it is of another kind or shape. */
export function readArtefact<S extends z.ZodType>({ kind, body }: Artefact, own: string, schema: S): z.output<S> {
  const parsed = schema.safeParse(body);
  if (kind === own && parsed.success) return parsed.data;
  throw new TypeError(`cannot load the memory: wanted what the memory ${own} saved, got ${JSON.stringify(kind)}; start from none`);
}
