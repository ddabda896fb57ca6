/** `./lab completion`: completes commands, options and fixed values in a shell. */

import { join } from "node:path";
import process from "node:process";
import { checkoutRoot, env } from "../platform.ts";
import { command, type CommandSpec, flagOf, type Main } from "./command.ts";
import { COMMANDS } from "./commands.ts";

const help = command({ name: "completion" }, () => {
  process.stdout.write(
    "put this line into ~/.bashrc (into ~/.zshrc after: autoload -U bashcompinit && bashcompinit):\n" +
      `complete -o default -C '${join(checkoutRoot(), "lab")} completion' lab ./lab\n`,
  );
  return 0;
});

/** Says how the shell is told; called by the shell, which gives its line as `COMP_LINE`, prints what its last word can become. */
export const main: Main = Object.assign(async (args: readonly string[]): Promise<number> => {
  const line = env("COMP_LINE");
  if (line === undefined) return await help(args);
  const [, ...words] = line.slice(0, Number(env("COMP_POINT") ?? line.length)).split(/\s+/);
  const current = words.pop() ?? "";
  const found = (await candidates(words, current)).filter((word) => word.startsWith(current));
  process.stdout.write(found.map((word) => `${word}\n`).join(""));
  return 0;
}, { spec: help.spec });

async function candidates([name, ...before]: readonly string[], current: string): Promise<readonly string[]> {
  if (name === undefined) return Object.keys(COMMANDS);
  if (!Object.hasOwn(COMMANDS, name)) return [];
  const { main } = await import(new URL(`${name}.ts`, import.meta.url).href) as { main: Main };
  const { options = {}, words = {}, commands = {} }: CommandSpec = (main.spec.commands?.[before[0] ?? ""] ?? main).spec;
  const flags = new Map(Object.entries(options).map(([key, spec]) => [flagOf(key, spec), spec]));
  const valued = flags.get(before.at(-1) ?? "");
  if (valued?.value) return valued.choices ?? [];
  return current.startsWith("-")
    ? [...flags.keys(), "--help"]
    : [...Object.keys(commands), ...Object.values(words).flatMap(({ choices = [] }) => choices)];
}
