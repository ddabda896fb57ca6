/**
 * `./lab verify <manifest.json>`: says whether the store holds the plays that exported tables and
 * figures are made of.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../../core/errors.ts";
import { digestOf } from "../../lab/digest.ts";
import { brokenEpisodes, excludeBroken } from "../../lab/store/damage.ts";
import type { Store } from "../../lab/store/open.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { inColumns } from "./options.ts";

/** A study behind exhibits, compared with the store. */
interface CheckedStudy {
  readonly study: string;
  /**
   * `equal`: the store holds the same plays; `other`: it holds other plays of the study; `absent`:
   * none.
   */
  readonly state: "equal" | "other" | "absent";
  /** Names of the exhibits made of it. */
  readonly exhibits: readonly string[];
}

/** A manifest, compared with a store. */
export interface CheckedFile {
  readonly file: string;
  readonly studies: readonly CheckedStudy[];
  /** What is broken in the store, one line for each episode. */
  readonly broken: readonly string[];
}

const manifest = z.object({
  studies: z.record(z.string(), z.object({ digest: z.string() })),
  exhibits: z.record(z.string(), z.object({ studies: z.array(z.string()).default([]) })),
});

/** Compares a manifest with a store. @throws {UsageError} for a file that is none. */
export function checkFile(store: Store, file: string): CheckedFile {
  const { studies, exhibits } = read(file);
  const held = listStudies(store);
  const checked = Object.entries(studies).map(([study, { digest }]): CheckedStudy => {
    if (held.includes(study)) excludeBroken(store, study);
    const state = !held.includes(study)
      ? "absent"
      : digestOf(store, study) === digest
      ? "equal"
      : "other";
    return {
      study,
      state,
      exhibits: Object.entries(exhibits).flatMap(([name, { studies }]) =>
        studies.includes(study) ? [name] : []
      ),
    };
  });
  return { file, studies: checked, broken: brokenEpisodes(store) };
}

function read(file: string): z.infer<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError
      ? "it is no manifest"
      : (error as Error).message.split(",")[0];
    throw new UsageError(
      `cannot read ${file}: ${why}; give a manifest.json that ./lab reproduce wrote beside tables and figures`,
      {
        cause: error,
      },
    );
  }
}

/** Whether nothing is to be complained of. */
export function isAsWritten({ studies, broken }: CheckedFile): boolean {
  return broken.length === 0 && studies.every(({ state }) => state === "equal");
}

const STATES: Readonly<Record<CheckedStudy["state"], string>> = {
  equal: "as in the store",
  other: "NOT as in the store, which holds other plays of it",
  absent: "not in the store",
};

/** The findings in words. */
export function describeFile({ studies, broken }: CheckedFile): string {
  const rows = studies.map((
    { study, state, exhibits },
  ) => [study, STATES[state], exhibits.join(" ")]);
  return [inColumns(rows), ...broken.map((line) => `${line}\n`)].join("");
}
