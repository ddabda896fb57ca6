/** How long a world lets an agent play. */

import type { EnvSpec } from "./environment.ts";

const LIMITS = ["maxCalls", "stepLimit"];

export function stepLimitOf({ parameters }: Pick<EnvSpec, "parameters">): number | undefined {
  return LIMITS.map((name) => parameters[name]).find((limit) =>
    typeof limit === "number" && limit >= 1
  ) as number | undefined;
}
