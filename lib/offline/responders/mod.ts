/**
 * The list of all built-in responders.
 *
 * @module
 */

import { agenticMemoryResponders } from "./agentic-memories.ts";
import { ariadneResponders } from "./ariadne.ts";
import { graphmindResponders } from "./graphmind.ts";
import { graphMemoryResponders } from "./graph-memories.ts";
import { reasonPlannerResponders } from "./reasonplanner.ts";
import { questionResponders } from "./questions.ts";
import { noteResponders } from "./notes.ts";
import { textAgentResponders } from "./text-agents.ts";
import type { Responder } from "../stand-in.ts";
import { arigraphResponders } from "./arigraph.ts";
import { roomGraphResponders } from "./room-graph.ts";
import { temporalGraphResponders } from "./temporal-graph.ts";

/** A responder for each role of the registered memories and methods. */
export const offlineResponders: readonly Responder[] = [
  ...agenticMemoryResponders,
  ...arigraphResponders,
  ...ariadneResponders,
  ...graphmindResponders,
  ...graphMemoryResponders,
  ...roomGraphResponders,
  ...reasonPlannerResponders,
  ...questionResponders,
  ...noteResponders,
  ...temporalGraphResponders,
  ...textAgentResponders,
];
