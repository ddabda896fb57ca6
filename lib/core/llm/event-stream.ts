/**
 * Reads answers that come as a stream of events, though none was asked for, or with another content
 * type than JSON.
 */

import { isObject } from "../text/canonical.ts";
import { jsonOf } from "../text/json.ts";

export function valuesIn(text: string): unknown[] {
  const whole = jsonOf(text);
  if (whole !== undefined) return [whole].flat();
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/).map((line) =>
      line.replace(/^(data: ?|(event|id|retry)?:.*)/, "")
    );
    const value = jsonOf(lines.join("\n"));
    return value === undefined ? lines.map((line) => jsonOf(line)) : [value].flat();
  }).filter((value) => value !== undefined);
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The answer of a text that is no JSON: its one event, or the completion of its chunks; `undefined`
 * if there is none, or its end is missing.
 */
export function answerIn(text: string): unknown {
  const events = valuesIn(text).filter(isObject);
  const { choices, ...rest } = events.reduce((sum, event) => added(sum, event) as Fields, {});
  if (!Array.isArray(choices)) {
    return events.length === 1 ? events[0] : events.find((event) => "error" in event);
  }
  const isEnded = "error" in rest || /^data: ?\[DONE\]/m.test(text) ||
    choices.some(({ finish_reason, message }) => finish_reason || message);
  if (!isEnded) return undefined;
  return {
    ...rest,
    choices: choices.map(({ delta, ...choice }) => delta ? { ...choice, message: delta } : choice),
  };
}

const PIECES = /^(content|text|refusal|reasoning(_content)?|thinking|arguments)$/;

/**
 * A value with that of the next chunk: pieces of text are joined, entries of lists go by their
 * index.
 */
function added(before: unknown, next: unknown, name = ""): unknown {
  if (next === null || next === undefined || next === "") return before ?? next;
  if (typeof before === "string" && typeof next === "string" && PIECES.test(name)) {
    return before + next;
  }
  if (Array.isArray(next)) {
    return next.reduce((list: readonly unknown[], entry: Fields) => {
      const index = entry?.["index"] ?? (name === "choices" ? 0 : list.length);
      const place = list.findIndex((old, at) => ((old as Fields)?.["index"] ?? at) === index);
      return place < 0 ? [...list, entry] : list.with(place, added(list[place], entry));
    }, Array.isArray(before) ? before : []);
  }
  if (!isObject(before) || !isObject(next)) return next;
  return {
    ...before,
    ...Object.fromEntries(
      Object.entries(next).map(([key, value]) => [key, added(before[key], value, key)]),
    ),
  };
}
