/**
 * Prints as a table in Markdown how the model answered each role in the whole plays of the
 * record:
 *
 * `.lab/tools/bin/deno run -A data/records/by-role.ts`
 */

import { getReplyRow, listCalls, listEpisodes, listEvents, openStore } from "labyrinth/store";
import { importReplies, playStudy } from "labyrinth/lab";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PLAYER, RECORDED } from "./studies.ts";

/** What came of the questions of one role. */
interface Answers {
  asks: number;
  malformedAtFirst: number;
  malformed: number;
  cut: number;
  promptTokens: number;
  completionTokens: number;
}

const byRole = new Map<string, Answers>();

function answersOf(role: string): Answers {
  return byRole.getOrInsertComputed(role, () => ({
    ...{ asks: 0, malformedAtFirst: 0, malformed: 0, cut: 0, promptTokens: 0, completionTokens: 0 },
  }));
}

for (const [name, study] of Object.entries(RECORDED)) {
  using store = openStore(":memory:");
  const folder = new URL(`${PLAYER}/${name}/`, import.meta.url);
  for (const part of readdirSync(folder).sort()) {
    importReplies(store, fileURLToPath(new URL(part, folder)));
  }
  await playStudy(study, { store, cacheMode: "replay", keepCalls: true });
  for (const { id, status } of listEpisodes(store, { study: study.id })) {
    if (status !== "completed") continue;
    // by key, since a play that was resumed has asked some questions twice
    const own = listCalls(store, id).filter(({ kind, model }) =>
      kind !== "wasted" && model === "qwen"
    );
    const calls = new Map(own.map((call) => [call.key, call])).values();
    for (const { role, key, reAsk, ...tokens } of calls) {
      const answers = answersOf(role);
      if (reAsk === undefined) answers.asks++;
      if (reAsk === 1) answers.malformedAtFirst++;
      const { choices } = getReplyRow(store, key)?.reply as { choices: { finish: string }[] };
      if (choices.some(({ finish }) => finish === "length")) answers.cut++;
      answers.promptTokens += tokens.promptTokens;
      answers.completionTokens += tokens.completionTokens;
    }
    for (const { kind, detail } of listEvents(store, id)) {
      const answers = byRole.get(detail.split(":")[0] ?? "");
      if (kind === "malformed-reply" && answers) answers.malformed++;
    }
  }
}

const columns = [
  ...["role", "asks", "malformed at first", "malformed after re-asks", "cut at the ceiling"],
  ...["tokens in", "tokens out"],
];
console.log(`| ${columns.join(" | ")} |`);
console.log(`| --- | ${Array(6).fill("---:").join(" | ")} |`);
for (const [role, one] of [...byRole].sort(([a], [b]) => a < b ? -1 : 1)) {
  const means = [one.promptTokens, one.completionTokens].map((sum) => Math.round(sum / one.asks));
  const counts = [one.asks, one.malformedAtFirst, one.malformed, one.cut, ...means];
  console.log(`| ${[role, ...counts].join(" | ")} |`);
}
