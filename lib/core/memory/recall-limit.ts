/**
 * A limit on what a memory may recall, which cuts every memory by the same rule and holds it to its
 * port.
 */

import { z } from "zod";
import { unlessAborted } from "../platform.ts";
import { cutSections } from "../text/sections.ts";
import { loadTokenCounter } from "../text/tokens.ts";
import type { Cue, MemoryFactory, Perception, Recollection } from "./memory.ts";

/**
 * Tokens of titles and exits together, which the limit does not count: those of the library's own
 * memories stay far below.
 */
const MAX_BESIDE = 2000;

const texts = z.array(z.string());
const recollection = z.looseObject({
  sections: z.record(z.string().regex(/^.+$/), z.string()),
  exits: texts.optional(),
  recalled: z.record(z.string(), texts).optional(),
});

/**
 * Limits the sections of each recalled context to a number of tokens (o200k) together: the longest
 * section loses its last lines, or its first ones if the sections are the whole history. The record
 * keeps the entries shown in full. Event: `cut-recollection`. The memory gets copies, and one that
 * hangs ends with the run; a wrong form, or over 2,000 tokens of titles and exits, is a
 * `TypeError`.
 */
export function limitRecall(create: MemoryFactory, most: number): MemoryFactory {
  return (context) => {
    const memory = create(context);
    async function recall(cue: Cue): Promise<Recollection> {
      const found = await unlessAborted(memory.recall(cue), context.signal);
      const { error } = recollection.safeParse(found);
      if (error) {
        throw new TypeError(
          `the memory ${memory.id} recalls what is no recollection: ${
            z.prettifyError(error).replaceAll(/\s+/g, " ")
          }`,
        );
      }
      const count = await loadTokenCounter();
      const { exits = [] } = found;
      const beside = count([...Object.keys(found.sections), ...exits].join("\n"));
      if (beside > MAX_BESIDE) {
        throw new TypeError(
          `the memory ${memory.id} recalls ${beside} tokens of titles and exits and may recall ${MAX_BESIDE}`,
        );
      }
      const total = Object.values(found.sections).reduce((sum, text) => sum + count(text), 0);
      if (total > most) {
        context.onEvent?.("cut-recollection", `it has ${total} tokens and may have ${most}`);
      }
      const sections = cutSections(found.sections, most, count, found.isHistory ? "first" : "last");
      const shown = [...Object.values(sections), ...exits].join("\n");
      const entries = Object.entries(found.recalled ?? {}).map((
        [kind, all],
      ) => [kind, all.filter((entry) => shown.includes(entry))]);
      return {
        ...found,
        sections,
        ...(found.recalled && { recalled: Object.fromEntries(entries) }),
      };
    }
    const limited = {
      recall,
      observe: (perception: Perception): Promise<void> =>
        unlessAborted(memory.observe(structuredClone(perception)), context.signal),
    };
    return new Proxy(memory, {
      get: (target, name) => {
        const value: unknown = name in limited
          ? limited[name as keyof typeof limited]
          : Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value; // private fields want the memory itself
      },
    });
  };
}
