/** What a memory in another process recalls, read and made safe on entry. */

import { z } from "zod";
import { MemoryError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import type { Recollection } from "./memory.ts";

const MAX_CHARACTERS = 500_000;

const texts = z.array(z.string());
const recollection = z.strictObject({
  sections: z.record(z.string().regex(/^\p{Lu}[^\n#]{0,79}$/u), z.string()),
  status: z.string().optional(),
  isHistory: z.boolean().optional(),
  exits: texts.optional(),
  recalled: z.record(z.string(), texts).optional(),
  beliefs: z.record(z.string(), z.unknown()).optional(),
});

/** @throws {MemoryError} `memory-reply` for anything but a recollection of moderate length. */
export function readRecollection(id: string, ok: unknown): Recollection {
  const parsed = recollection.safeParse(ok);
  if (!parsed.success) {
    const what = z.prettifyError(parsed.error).replaceAll(/\s+/g, " ").slice(0, 300);
    throw new MemoryError("memory-reply", `the memory ${id} recalls no recollection: ${what}`);
  }
  const read = safeValue(parsed.data);
  const { sections, status, exits } = read;
  const shown = [...Object.entries(sections).flat(), status ?? "", ...exits ?? []];
  const length = shown.join("").length;
  if (length > MAX_CHARACTERS) {
    throw new MemoryError(
      "memory-reply",
      `the memory ${id} recalls ${length} characters and may recall ${MAX_CHARACTERS}`,
    );
  }
  return status === undefined ? read : { ...read, status: status.replaceAll(/\s+/g, " ") };
}
