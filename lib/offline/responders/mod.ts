/**
 * All that the offline backbone can answer: the responders of the memories and methods, collected.
 *
 * @module
 */

import { answerResponders } from "./answer.ts";
import { ariadneResponders } from "./ariadne.ts";
import { graphmindResponders } from "./graphmind.ts";
import { reasonPlannerResponders } from "./reasonplanner.ts";
import { netplayResponders } from "./netplay.ts";
import { cotResponders } from "./cot.ts";
import { reflexionResponders } from "./reflexion.ts";
import { textAgentResponders } from "./text-agent.ts";
import { weseResponders } from "./wese.ts";
import type { Responder } from "../backbone.ts";
import { arigraphQuestionResponders } from "./arigraph-questions.ts";
import { arigraphResponders } from "./arigraph.ts";
import { roomGraphResponders } from "./room-graph.ts";
import { simulacraResponders } from "./simulacra.ts";
import { summaryResponders } from "./summary.ts";
import { temporalGraphResponders } from "./temporal-graph.ts";

/** One for each role that a registered memory or method asks. */
export const offlineResponders: readonly Responder[] = [
  ...arigraphResponders,
  ...arigraphQuestionResponders,
  ...ariadneResponders,
  ...answerResponders,
  ...graphmindResponders,
  ...roomGraphResponders,
  ...reasonPlannerResponders,
  ...cotResponders,
  ...netplayResponders,
  ...reflexionResponders,
  ...simulacraResponders,
  ...summaryResponders,
  ...temporalGraphResponders,
  ...textAgentResponders,
  ...weseResponders,
];
