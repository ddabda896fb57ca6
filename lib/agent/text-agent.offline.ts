/**
 * How the offline backbone answers the step-by-step text agents: all by the same rules.
 *
 * @module
 */

import { nextMove } from "../llm/offline/acting.ts";
import type { Responder } from "../llm/offline/backbone.ts";

/** `act/act`, `react/act`, `saycan/act` and `react-reflexion/act`. */
export const textAgentResponders: readonly Responder[] = ["act/act", "react/act", "saycan/act", "react-reflexion/act"]
  .map((role) => ({ role, answer: nextMove }));
