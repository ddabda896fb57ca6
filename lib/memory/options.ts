/**
 * Checking the options of a registered memory or method.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { Schema } from "../text/json.ts";

/**
 * The options as the schema reads them, defaults filled in.
 *
 * @param whose For the message, e.g. `the memory arigraph`.
 * @throws {UsageError} if one is unknown or out of range, naming all that are.
 */
export function checkOptions<T>(whose: string, schema: Schema<T>, options: unknown): T {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message);
  throw new UsageError(`${whose} cannot take these options: ${issues.join("; ")}`);
}
