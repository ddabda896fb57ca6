/**
 * Registries: what a study and the command line can name, by id. An entry describes itself in its
 * own file, and one line of a list names it.
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import { issuesOf, type Schema } from "./json.ts";

/** Entries by id. */
export type Registry<Entry> = Readonly<Record<string, Entry>>;

/**
 * The registry of entries: an array, or a module that exports nothing else (`import * as list`),
 * whose order is that of their names.
 */
export function registryOf<Entry extends { readonly id: string }>(
  entries: readonly Entry[] | Readonly<Record<string, Entry>>,
): Registry<Entry> {
  return Object.fromEntries(Object.values(entries).map((entry) => [entry.id, entry]));
}

/**
 * The entry of an id.
 *
 * @param kind What the registry holds, for the message: `memory`, `method`.
 * @throws {UsageError} if the registry has no such id; the message lists those that it has.
 */
export function entryOf<Entry>(kind: string, registry: Registry<Entry>, id: string): Entry {
  const entry = Object.hasOwn(registry, id) ? registry[id] : undefined;
  const known = Object.keys(registry);
  if (!entry) {
    throw new UsageError(
      `there is no ${kind} ${JSON.stringify(id)}${didYouMean(id, known)}; choose ${
        known.join(" or ")
      }`,
    );
  }
  return entry;
}

/**
 * A schema whose option `variant` sets other options, given here by its value. Options next to it
 * override these.
 */
export function withVariant<T extends z.ZodType>(
  schema: T,
  variants: Readonly<Record<string, object>>,
): z.ZodType<z.output<T>> {
  return z.preprocess((raw) => {
    const { variant } = (raw ?? {}) as { readonly variant?: unknown };
    return typeof variant === "string" && Object.hasOwn(variants, variant)
      ? { ...variants[variant], ...raw as object }
      : raw;
  }, schema);
}

export interface OptionsOf<Options> {
  readonly shape: { readonly [Name in keyof Options]-?: z.ZodType<unknown, Options[Name]> };
}

/**
 * Options as the schema of an entry reads them, with its defaults filled in.
 *
 * @param owner Whose options they are, for the message: `the memory arigraph`.
 * @throws {UsageError} if an option is unknown or out of range; the message names every such
 *   option.
 */
export function checkOptions<T>(owner: string, schema: Schema<T>, options: unknown): T {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const names = optionNames(schema);
  const meant = typeof options === "object" && options !== null
    ? Object.keys(options).filter((name) => !names.includes(name)).map((name) =>
      didYouMean(name, names)
    ).join("")
    : "";
  const values = parsed.error.issues.map(({ path, values = [] }) => {
    const given = path.reduce<unknown>(
      (within, key) => (within as Readonly<Record<PropertyKey, unknown>>)[key],
      options,
    );
    return typeof given === "string" ? didYouMean(given, values.map(String)) : "";
  });
  throw new UsageError(
    `${owner} cannot take these options: ${issuesOf(parsed.error).join("; ")}${meant}${
      values.join("")
    }`,
  );
}

/**
 * The names of the options that a schema of an object takes; none if the schema does not list them.
 */
export function optionNames(schema: object): string[] {
  const { shape, out } = schema as { readonly shape?: object; readonly out?: object };
  return shape ? Object.keys(shape) : out ? optionNames(out) : [];
}
