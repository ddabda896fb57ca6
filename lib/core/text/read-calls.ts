/** Calls that a model wrote as a text or as an object. */

import { isObject } from "./canonical.ts";
import { jsonOf } from "./json.ts";
import { mend } from "./reading-rules.ts";

export interface WrittenCall {
  readonly name: string;
  readonly given: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/**
 * Reads a call: `name(a, b)`, `name[a]`, a bare name, or an object (or its JSON) with fields such
 * as `name` and `arguments`, or the arguments beside the name. Text after the bracket is ignored.
 * @returns `undefined` if there is no name.
 */
export function readCall(written: unknown): WrittenCall | undefined {
  if (isObject(written)) return ofObject(written);
  if (typeof written !== "string") return undefined;
  const text = mend("entry", written).trim();
  const whole = jsonOf(mend("json", written.trim()));
  if (typeof whole === "object" && whole !== null) return readCall(whole);
  const [, name = "", round, square] =
    /^([\w -]*\w)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\])?/
      .exec(text) ?? [];
  if (name === "") return undefined;
  const inside = (round ?? square ?? "").trim().replace(/^\(([^()]*)\)$/, "$1");
  const object = inside.startsWith("{") ? jsonOf(mend("json", inside)) : undefined;
  if (isObject(object)) return ofObject({ name, arguments: object });
  return {
    name,
    given: inside === "" ? [] : round === undefined ? [inside] : inside.split(/\s*,\s*/),
  };
}

function ofObject({ function: of, ...call }: Record<string, unknown>): WrittenCall | undefined {
  if (isObject(of)) return ofObject(of);
  const { name = of ?? call["tool"] ?? call["action"] ?? call["skill"] } = call;
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const given = call["arguments"] ?? call["args"] ?? call["parameters"] ?? call["params"] ??
    call["input"] ?? call["action_input"];
  const read = typeof given === "string" && /^\s*[[{"]/.test(given) ? jsonOf(given, given) : given;
  const beside = Object.fromEntries(Object.entries(call).filter(([field]) => !FIELDS.test(field)));
  if (isObject(read)) return { name: name.trim(), given: { ...read, ...beside, ...read } };
  const isNone = read === undefined || read === null || read === "";
  return { name: name.trim(), given: isNone ? beside : [read].flat() };
}

const FIELDS =
  /^(?:name|tool|action|skill|arguments|args|param(?:eter)?s|(?:action_)?input|id|type|step|index|description|reason\w*|thoughts?)$/;
