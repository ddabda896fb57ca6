/**
 * All that the offline backbone can answer: the responders of the memories and methods, collected.
 *
 * @module
 */

import { answerResponders } from "../agent/answer.offline.ts";
import { ariadneResponders } from "../agent/ariadne.offline.ts";
import { graphmindResponders } from "../agent/graphmind.offline.ts";
import { reasonPlannerResponders } from "../agent/reasonplanner.offline.ts";
import { netplayResponders } from "../agent/netplay.offline.ts";
import { cotResponders } from "../agent/cot.offline.ts";
import { reflexionResponders } from "../agent/reflexion.offline.ts";
import { textAgentResponders } from "../agent/text-agent.offline.ts";
import { weseResponders } from "../agent/wese.offline.ts";
import type { Responder } from "../llm/offline/backbone.ts";
import { arigraphQuestionResponders } from "../memory/arigraph-questions.offline.ts";
import { arigraphResponders } from "../memory/arigraph.offline.ts";
import { roomGraphResponders } from "../memory/room-graph.offline.ts";
import { simulacraResponders } from "../memory/simulacra.offline.ts";
import { summaryResponders } from "../memory/summary.offline.ts";
import { temporalGraphResponders } from "../memory/temporal-graph.offline.ts";

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
