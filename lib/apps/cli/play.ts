/** `./lab play`: a person plays in the terminal, or with `--web` people play in their browsers. */

import process from "node:process";
import { createInterface } from "node:readline";
import {
  connectWorlds,
  type Environment,
  type MeasuredEnvironment,
  type Turn,
  type WorldEntry,
} from "../../core/env/mod.ts";
import { withoutTruth, withSafeText } from "../../core/env/session.ts";
import { formLine } from "../../core/agent/ground-action.ts";
import type { Recorder } from "../../core/agent/method.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { terminalText } from "../../core/foreign-text.ts";
import { beginHumanSession } from "../play/human.ts";
import { systemClock } from "../../core/platform.ts";
import { createPlayHandler } from "../play/server.ts";
import { bundlePage } from "../view/bundle.ts";
import { counted } from "../../core/text/amounts.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import { command } from "./command.ts";
import { complain } from "./options.ts";
import { createProgressView } from "./progress.ts";
import { openNamedStore, STORE_OPTION } from "./named-store.ts";
import { jsonOf } from "../../core/text/json.ts";
import { PAGE_OPTIONS, servePage } from "./serve-page.ts";

export const main = command({
  name: "play",
  words: {
    "[world]": { description: "world to play (with --web default: people choose)" },
    "[parameters...]": {
      description: "parameters as name=value; ./lab worlds lists them",
    },
  },
  options: {
    seed: { value: "N", description: "set the parameter seed=N" },
    web: { description: "serve a page to play in the browser" },
    ...PAGE_OPTIONS,
    ...STORE_OPTION,
  },
  notes: [
    "In the terminal a line is an action, ? or help shows the valid ones, and Ctrl-D ends the game.",
  ],
}, async ({ web, seed, store: file, ...page }, words) => {
  if (!web && (page.open || page.port !== 0 || page.host !== "127.0.0.1")) {
    throw new UsageError("--port, --host and --open are for --web: add it");
  }
  const [id, ...parameters] = seed === undefined ? words : [...words, `seed=${seed}`];
  if (id === undefined && !web) {
    throw new UsageError("./lab play needs a world, e.g. textworld/hunt; ./lab worlds lists them");
  }
  await using worlds = connectWorlds({ onDelay: createProgressView().delay });
  const catalogue = await worlds.list();
  const game = id === undefined
    ? undefined
    : { world: id, params: readParams(catalogue, id, parameters) };
  // On the page, too, what is wrong with a game is told to who names it.
  const env = game && await worlds.open(game.world, game.params).catch((error) => {
    throw error instanceof WorldError && error.kind === "bad-parameter"
      ? new UsageError(error.message)
      : error;
  });
  if (!web && env) return await playHere(env, game.params, file);
  await env?.close();
  using store = openNamedStore(file);
  const files = await bundlePage("play");
  const onError = ({ message }: Error): void => complain(message);
  const options = { store, worlds, now: systemClock.now, catalogue, game, page: files, onError };
  await servePage(page, "the page to play on", (token) => createPlayHandler({ ...options, token }));
  return 0;
});

async function playHere(
  world: MeasuredEnvironment,
  params: Readonly<Record<string, unknown>>,
  file?: string,
): Promise<number> {
  const heard: unknown[] = [];
  const env = withSafeText(world, heard);
  using store = openNamedStore(file);
  const session = beginHumanSession(store, {
    spec: env.spec,
    params,
    heard,
    now: systemClock.now(),
  });
  let steps = 0;
  const recorder: PlayOptions["recorder"] = {
    step: async (record) => {
      await session.recorder.step(record);
      steps = record.step;
    },
  };
  const turn = await play(withoutTruth(env), {
    input: process.stdin,
    output: process.stdout,
    recorder,
  });
  session.end(turn, { steps, now: systemClock.now() });
  process.stdout.write(
    turn.end
      ? `Recorded as ${session.id}: ./lab show ${session.id}\n`
      : `Recorded as ${session.id}, unfinished: it counts in no table\n`,
  );
  return 0;
}

/** Where a person reads and writes, and who keeps record. */
export interface PlayOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly recorder?: Pick<Recorder, "step">;
}

/** Plays one episode, a line an action, and returns the last turn. */
export async function play(
  env: Environment,
  { input, output, recorder }: PlayOptions,
): Promise<Turn> {
  const lines = createInterface({
    input,
    output,
    prompt: "> ",
    terminal: "isTTY" in output && output.isTTY === true,
  });
  const say = (text: string): boolean => output.write(terminalText(text) + "\n");
  // Taken at once: lines that come before somebody waits for them would be lost.
  const actions = lines[Symbol.asyncIterator]();
  let ended = false;
  lines.once("close", () => ended = true);
  try {
    let turn = await env.reset();
    let step = 0;
    await recorder?.step({ pass: 0, step, turn });
    say(`${textOf(turn)}\n\n(? or help shows the valid actions, Ctrl-D ends the game)`);
    while (!turn.end) {
      if (!ended) lines.prompt();
      const line = await actions.next();
      if (line.done) break;
      const action = line.value.trim();
      if (action === "") continue;
      if (action === "?" || action === "help") {
        const valid = await env.validActions() ?? env.spec.actions.map(formLine);
        say(valid.join("\n"));
        continue;
      }
      const before = turn;
      try {
        turn = await env.step(action);
      } catch (error) {
        if (!(error instanceof WorldError && error.kind === "bad-action")) throw error;
        say(error.message);
        continue;
      }
      step += 1;
      await recorder?.step({ pass: 0, step, action, turn });
      say(`\n${textOf(turn, before)}`);
    }
    say(
      `\n${turn.end ? ENDS[turn.end] : "You left"} after ${
        counted(step, "step")
      }. Score: ${turn.score} of ${turn.maxScore}`,
    );
    return turn;
  } finally {
    lines.close();
  }
}

/**
 * What a person needs to see of a turn: goal and documents where new, the observation, and
 * sections and score that the observation does not show or that changed.
 */
function textOf(turn: Turn, before?: Turn): string {
  const { goal, documents = [], observation, score, maxScore } = turn;
  const sections = Object.entries(turn.sections)
    .filter(([name, text]) =>
      text !== "" && !holdsLines(observation, text) && !names(observation, name, text) &&
      !(text.includes("\n") && text === before?.sections[name])
    )
    .map(([name, text]) =>
      `${name.replaceAll("_", " ")}:${text.includes("\n") ? "\n" : " "}${text}`
    );
  return [
    ...(goal === before?.goal || holdsLines(observation, goal) ? [] : [`Goal: ${goal}`]),
    ...(before ? [] : documents.map(({ title, text }) => `${title}\n${text}`)),
    observation,
    [...sections, ...(score === (before?.score ?? 0) ? [] : [`score: ${score} of ${maxScore}`])]
      .join("\n"),
  ].filter((part) => part !== "").join("\n\n");
}

/** Whether a text is in another as lines of its own, without frames as in `-= Kitchen =-`. */
function holdsLines(whole: string, part: string): boolean {
  const [lines, wanted] = [whole, part].map((text) =>
    text.trim().split("\n").map((line) => line.replaceAll(/^[-=\s]+|[-=\s]+$/g, "")).join("\n")
  );
  return `\n${lines}\n`.includes(`\n${wanted}\n`);
}

/** Whether an observation says a section's text right after the section's name. */
function names(observation: string, name: string, text: string): boolean {
  return new RegExp(`\\b${RegExp.escape(name)}\\W+${RegExp.escape(text)}(?!\\w)`, "i").test(
    observation,
  );
}

const ENDS = { won: "You won", lost: "You lost", limit: "The step limit ended the game" } as const;

/**
 * `name=value` words as parameters: text stays text where the world wants text, all else is JSON.
 */
function readParams(
  catalogue: readonly WorldEntry[],
  id: string,
  words: readonly string[],
): Record<string, unknown> {
  const entry = catalogue.find((world) => world.id === id);
  checkName("world", id, catalogue.map((world) => world.id));
  const known = (entry?.parameters.properties ?? {}) as Record<string, { type?: string }>;
  return Object.fromEntries(words.map((word) => {
    const [, name = word, value] = word.match(/^([^=]*)=(.*)$/s) ?? [];
    if (value === undefined) {
      throw new UsageError(`"${word}" is not a parameter; write name=value`);
    }
    checkName(`parameter of ${id}`, name, Object.keys(known));
    return [name, known[name]?.type === "string" ? value : jsonOf(value, value)];
  }));
}
