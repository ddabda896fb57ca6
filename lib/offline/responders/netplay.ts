/**
 * Answers NetPlay: reads the situation and chooses a skill by common sense.
 *
 * @module
 */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { chooseSkill } from "../policies/nethack-policy.ts";
import { readCalls, readDungeon, readNews } from "../reading/nethack-text.ts";

/** `netplay/skill`. */
export const netplayResponders: readonly Responder[] = [{ role: "netplay/skill", answer: choose }];

function choose({ sections }: OfflinePrompt): string {
  const { Task: task = "", "What has happened so far": history = "", "Current situation": situation = "" } = sections;
  const view = readDungeon(situation);
  if (!view) return written("explore_level()", "There is nothing to go by.", "");
  const told = `${history}\n${situation}`;
  const { call, reason } = chooseSkill({ view, task, made: readCalls(told), news: readNews(told) });
  return written(call, reason, view.place ?? "");
}

/** The skill call in NetPlay's answer format. */
function written(call: string, reasoning: string, place: string): string {
  const name = call.split("(")[0] ?? "";
  const params = [...call.matchAll(/(\w+)=("[^"]*"|[^,)]+)/g)].map(([, key = "", value = ""]) => [key, JSON.parse(value)]);
  return JSON.stringify({
    thoughts: { observations: place === "" ? "" : `I am in ${place}.`, reasoning, speak: reasoning },
    skill: { name, ...Object.fromEntries(params) },
  });
}
