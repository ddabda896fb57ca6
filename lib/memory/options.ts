/**
 * Checking the options of a registered memory or method.
 *
 * @module
 */

import { UsageError } from "../errors.ts";

/** What a memory's or method's options may be. A zod schema is one. */
export interface OptionsSchema<T> {
  /** The options with defaults filled in; throws if one is unknown or out of range. */
  parse(options: unknown): T;
  /** The same as a value; an issue's path leads to the option. */
  safeParse(options: unknown): { readonly success: true; readonly data: T } | {
    readonly success: false;
    readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] };
  };
}

/**
 * The options as the schema reads them, defaults filled in.
 *
 * @param whose For the message, e.g. `the memory arigraph`.
 * @throws {UsageError} if one is unknown or out of range, naming all that are.
 */
export function checkOptions<T>(whose: string, schema: OptionsSchema<T>, options: unknown): T {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message);
  throw new UsageError(`${whose} cannot take these options: ${issues.join("; ")}`);
}
