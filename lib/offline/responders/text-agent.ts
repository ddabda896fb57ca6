/**
 * How the offline backbone answers the step-by-step text agents: all by the same rules.
 *
 * @module
 */

import { nextMove } from "../policies/text-agent-policy.ts";
import type { Responder } from "../backbone.ts";

/** `act/act`, `react/act`, `saycan/act` and `react-reflexion/act`. */
export const textAgentResponders: readonly Responder[] = ["act/act", "react/act", "saycan/act", "react-reflexion/act"]
  .map((role) => ({ role, answer: nextMove }));
