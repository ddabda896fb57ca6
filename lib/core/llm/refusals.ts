/** What endpoints refuse, and is left out of later requests to them. */

import type { ChatRequest } from "./chat-model.ts";

/**
 * What was refused, by model and address: parameters by OpenAI's names, `bounds` of a schema, a
 * `schema`, several `choices`. Models on one store share it (see `sharedOf`).
 */
export type Refusals = Map<string, Set<string>>;

export function refuse(refusals: Refusals, place: string, what: string): void {
  refusals.getOrInsertComputed(place, () => new Set()).add(what);
}

/**
 * Whether an endpoint of the model has refused `max_tokens`, as OpenAI's does for models that
 * reason.
 */
export function isKnownToReason(refusals: Refusals, model: string): boolean {
  return [...refusals].some(([place, names]) =>
    place.startsWith(`${model} at `) && names.has("max_tokens")
  );
}

type Schema = NonNullable<ChatRequest["schema"]>;

/**
 * Whether a JSON Schema limits lengths or values: some endpoints refuse such keywords, or cannot
 * compile them.
 */
export function hasBounds({ schema }: Schema): boolean {
  return JSON.stringify(unbounded(schema)) !== JSON.stringify(schema);
}

export function withoutBounds({ name, schema }: Schema): Schema {
  return { name, schema: unbounded(schema) as Schema["schema"] };
}

const BOUND =
  /^((min|max)(Length|Items|Properties)|(exclusive)?(minimum|maximum)|multipleOf|pattern|uniqueItems)$/i;

/** A schema without its bounds; under `properties` and the like, names are those of fields. */
function unbounded(value: unknown, holdsNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => unbounded(item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => holdsNames || !BOUND.test(name));
  return Object.fromEntries(kept.map(([name, part]) => [
    name,
    !holdsNames && /^(enum|const|default|examples)$/.test(name)
      ? part
      : unbounded(part, !holdsNames && /^(properties|\$?defs|definitions)$/.test(name)),
  ]));
}
