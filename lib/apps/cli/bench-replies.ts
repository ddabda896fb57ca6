/** `./lab bench replies`: how a model answers every role of every method and memory. */

import { writeFileSync } from "node:fs";
import process from "node:process";
import { type Asked, measureReplies, repliesTable } from "../bench/replies.ts";
import { playsOf } from "../bench/reply-plays.ts";
import { UsageError } from "../../core/errors.ts";
import { rolesOf } from "../../lab/choices.ts";
import { checkModels, studyModels } from "../../lab/models.ts";
import { parseRoleMap, withParameters } from "../../core/llm/role-map.ts";
import { backboneOf } from "../../core/llm/roles.ts";
import { tableMarkdown } from "../../core/text/written.ts";
import { command } from "./command.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";
import { complain, printResult, stopSignal, userPath } from "./options.ts";
import { wholeAbove0 } from "./run-options.ts";

export const benchReplies = command({
  name: "bench replies",
  description:
    "ask a model in every role, and count malformed, cut and impossible replies, tokens and seconds",
  options: {
    models: { value: "models", description: "choose a role map or a model id", default: "offline" },
    param: {
      value: "name=value",
      description: "set a parameter of model calls, as in ./lab study",
      multiple: true,
    },
    asks: {
      value: "N",
      description: "ask N questions in each role",
      defaultDescription: "40",
      read: wholeAbove0,
    },
    role: { value: "role", description: "limit to this role or family (wese/*)", multiple: true },
    minutes: {
      value: "N",
      description: "stop after N minutes; run the same command again to go on",
      read: wholeAbove0,
    },
    to: {
      value: "file",
      description: "write the table there (.md), and each answer next to it (.json)",
    },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, async ({ models, param = [], asks = 40, role: wanted = [], minutes, to, json, ...values }) => {
  const map = withParameters(parseRoleMap(models), param);
  const episodes = playsOf(0);
  const roles = [...new Set(episodes.flatMap(rolesOf))].sort().filter((role) =>
    wanted.length === 0 || wanted.some((key) => covers(key, role))
  );
  if (roles.length === 0) {
    throw new UsageError(
      `no role is called ${wanted.join(" or ")}; ./lab bench replies --asks 1 lists them all`,
    );
  }
  const study = {
    id: "replies",
    title: "Replies by role",
    models: map,
    chains: [{ id: "all", episodes }],
  };
  const path = to === undefined ? undefined : userPath(to).replace(/\.md$/, "");
  using store = openNamedStore(values.store, { name: "replies.sqlite" });
  checkModels(study, { store });
  using stop = stopSignal();
  const end = minutes === undefined ? Infinity : performance.now() + minutes * 60_000;
  const model = studyModels(study, { store }).models({ id: "replies", attempt: 1 });
  const onAsked = (all: readonly Asked[]): void => {
    tell(all, roles.length * asks);
    if (path === undefined) return;
    writeFileSync(`${path}.md`, tableMarkdown(repliesTable(all, backboneOf(map))));
    writeFileSync(`${path}.json`, JSON.stringify(all, null, 1));
  };
  const isOver = (): boolean => performance.now() > end;
  const all = await measureReplies(model, {
    roles,
    asks,
    signal: stop.signal,
    isOver,
    onAsked,
    onNotice: complain,
  });
  printResult(all, json, (rows) => tableMarkdown(repliesTable(rows, backboneOf(map))));
  return 0;
});

function covers(key: string, role: string): boolean {
  return key === role || (key.endsWith("/*") && role.startsWith(key.slice(0, -1)));
}

function tell(all: readonly Asked[], most: number): void {
  const { role, malformed, malformedAtFirst, cut, impossible, problem, seconds } = all.at(
    -1,
  ) as Asked;
  const how = malformed ? "malformed" : problem ??
    (malformedAtFirst ? "read after a re-ask" : impossible ? "an impossible action" : "read");
  process.stderr.write(
    `${all.length} of at most ${most}: ${role}, ${how}${cut ? ", cut" : ""}, ${
      seconds.toFixed(1)
    } s\n`,
  );
}
