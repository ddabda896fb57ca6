/** A command as data, from which parser, `--help` and checks are made. */

import process from "node:process";
import { Argument, Command, CommanderError, Option } from "commander";
import { UsageError } from "../../core/errors.ts";
import { checkName, didYouMean } from "../../core/text/did-you-mean.ts";
import { COMMANDS, HelpAsked } from "./commands.ts";

export interface WordSpec {
  readonly description: string;
  /** What it can be, where that is a fixed list. */
  readonly choices?: readonly string[];
}

/** An option: one without a value is a flag, written `--no-name` where its default is `true`. */
export interface OptionSpec extends WordSpec {
  readonly value?: string;
  readonly short?: string;
  readonly default?: unknown;
  /** The default in words, where that differs from machine to machine. */
  readonly defaultDescription?: string;
  readonly multiple?: boolean;
  /** The option without which it means nothing. */
  readonly needs?: string;
  readonly excludes?: readonly string[];
  /** Reads the text of a value. @throws {UsageError} for one that the option cannot take. */
  readonly read?: (option: string, text: string) => unknown;
}

/** Options by name, in camel case: `inFlight` is written `--in-flight`. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

export interface CommandSpec<T extends OptionTable = OptionTable> {
  readonly name: string;
  /** What it does, where the list of commands does not tell. */
  readonly description?: string;
  /** Its words: `<must>`, `[may]` or `[many...]` → what it is. */
  readonly words?: Readonly<Record<string, WordSpec>>;
  readonly options?: T;
  /** Commands below this one, by the word that names them. */
  readonly commands?: Readonly<Record<string, Main>>;
  /** Lines below the help: forms of the command, examples. */
  readonly notes?: readonly string[];
}

type One<S extends OptionSpec> = S extends { read: (...given: never[]) => infer Value } ? Value
  : S extends { choices: readonly (infer Choice)[] } ? Choice
  : S extends { value: string } ? string
  : boolean;

type ValueOf<S extends OptionSpec> = S extends { multiple: true } ? One<S>[] : One<S>;

type Optional<T extends OptionTable> = {
  [Name in keyof T]: T[Name] extends { value: string }
    ? T[Name] extends { default: unknown } ? never : Name
    : never;
}[keyof T];

export type Values<T extends OptionTable> =
  & { readonly [Name in Exclude<keyof T, Optional<T>>]: ValueOf<T[Name]> }
  & { readonly [Name in Optional<T>]?: ValueOf<T[Name]> };

export interface Main {
  (args: readonly string[]): Promise<number>;
  readonly spec: CommandSpec;
}

/** Makes a command of what it is called with and what it does. */
export function command<const T extends OptionTable = Record<never, OptionSpec>>(
  spec: CommandSpec<T>,
  run: (values: Values<T>, words: readonly string[]) => Promise<number> | number,
): Main {
  return Object.assign(async (args: readonly string[]): Promise<number> => {
    const below = spec.commands?.[args[0] ?? ""];
    if (below) return await below(args.slice(1));
    const { values, words } = readWords(spec, args);
    return await run(values, words);
  }, { spec });
}

/**
 * Reads the words after a command's name.
 *
 * @throws {UsageError} for an option or a value that the command does not take, with the nearest
 *   one.
 * @throws {HelpAsked} if `--help` is among them.
 */
export function readWords<T extends OptionTable>(
  spec: CommandSpec<T>,
  args: readonly string[],
): { values: Values<T>; words: string[] } {
  const { name, words = {}, options = {} } = spec;
  const commands = Object.keys(spec.commands ?? {});
  let help = "";
  const parser = new Command(`./lab ${name}`).description(spec.description ?? COMMANDS[name] ?? "")
    .helpOption("-h, --help", "show this help")
    .exitOverride().configureOutput({
      writeOut: (text) => help += text,
      writeErr: () => {},
      getOutHelpWidth: () => process.stdout.columns ?? 100,
    });
  for (const [syntax, { description, choices }] of Object.entries(words)) {
    const word = new Argument(syntax, description);
    if (choices) {
      word.choices(choices).argParser((text, before: string[] | undefined) => {
        checkName(word.name().replace(/s$/, ""), text, [...choices, ...commands]);
        return [...before ?? [], text];
      });
    }
    parser.addArgument(word);
  }
  for (const [key, option] of Object.entries<OptionSpec>(options)) addOption(parser, key, option);
  const below = commands.map((word) => `See also ./lab ${name} ${word} --help`);
  parser.addHelpText("after", ["", ...spec.notes ?? [], ...below].join("\n"));
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  try {
    parser.parse(own.some((word) => word === "--help" || word === "-h") ? ["--help"] : args, {
      from: "user",
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpAsked(help);
    const excess = parser.args[parser.registeredArguments.length];
    const problem = error.code === "commander.excessArguments"
      ? `unexpected "${excess}"${didYouMean(excess ?? "", commands)}`
      : error.message.replace(/^error: /, "").replace(/\n\(Did (.*)\)$/, "; did $1");
    throw new UsageError(`${problem}; see ./lab ${name} --help`);
  }
  for (const [key, { needs }] of Object.entries<OptionSpec>(options)) {
    if (
      needs === undefined || parser.getOptionValueSource(key) !== "cli" ||
      parser.getOptionValue(needs)
    ) continue;
    throw new UsageError(`${flagOf(key)} goes with ${flagOf(needs)}: add it`);
  }
  return { values: parser.opts(), words: parser.args };
}

/**
 * How an option is written: `inFlight` as `--in-flight`, `browser` with default `true` as
 * `--no-browser`.
 */
export function flagOf(key: string, spec: Pick<OptionSpec, "default"> = {}): string {
  return `--${spec.default === true ? "no-" : ""}${
    key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  }`;
}

function addOption(parser: Command, key: string, spec: OptionSpec): void {
  const { description, value, short, choices, read = (_: string, text: string) => text } = spec;
  const name = flagOf(key, spec);
  const only = spec.needs ? `with ${flagOf(spec.needs)}: ` : "";
  const unless = spec.defaultDescription && spec.default === undefined
    ? ` (default: ${spec.defaultDescription})`
    : "";
  const option = new Option(
    `${short ? `-${short}, ` : ""}${name}${value ? ` <${value}>` : ""}`,
    only + description + unless,
  ).conflicts([
    ...spec.excludes ?? [],
  ]);
  if (choices) option.choices(choices);
  if (value) {
    option.default(spec.default, spec.defaultDescription).argParser(
      (text: string, before: unknown) => {
        if (text === "" || text.startsWith("--")) {
          throw new UsageError(`${name} needs a value, <${value}>${text && `, before ${text}`}`);
        }
        if (choices) checkName(value, text, choices);
        const one = read(name, text);
        return spec.multiple ? [...before === spec.default ? [] : before as unknown[], one] : one;
      },
    );
  } else if (spec.default !== true) parser.setOptionValueWithSource(key, false, "default"); // not told in the help
  let given = 0;
  parser.addOption(option).on(`option:${option.name()}`, () => {
    if (++given > 1 && !spec.multiple) {
      throw new UsageError(`${name} is given twice; see ${parser.name()} --help`);
    }
  });
}
