/** Calls that a model wrote as a text or as an object. */

import { jsonOf } from "./json.ts";
import { mend } from "./reading-rules.ts";

export interface WrittenCall {
  readonly name: string;
  readonly given: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/**
 * Reads a call: `name(a, b)`, `name[a]`, a bare name, or an object (or its JSON) with fields such
 * as `name` and `arguments`. Text after the closing bracket is ignored.
 * @returns `undefined` if there is no name.
 */
export function readCall(written: unknown): WrittenCall | undefined {
  if (typeof written === "object" && written !== null && !Array.isArray(written)) {
    return ofObject(written as Record<string, unknown>);
  }
  if (typeof written !== "string") return undefined;
  const text = mend("entry", written).trim();
  const object = jsonOf(mend("json", written.trim()));
  if (typeof object === "object" && object !== null) return readCall(object);
  const [, name = "", round, square] =
    /^([\w -]*\w)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\])?/
      .exec(text) ?? [];
  if (name === "") return undefined;
  const inside = (round ?? square ?? "").trim();
  return {
    name,
    given: inside === "" ? [] : round === undefined ? [inside] : inside.split(/\s*,\s*/),
  };
}

function ofObject({ function: of, ...call }: Record<string, unknown>): WrittenCall | undefined {
  if (typeof of === "object" && of !== null) return ofObject(of as Record<string, unknown>);
  const { name = of ?? call["tool"] ?? call["action"] ?? call["skill"] } = call;
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const given = call["arguments"] ?? call["args"] ?? call["parameters"] ?? call["params"] ??
    call["input"];
  const read = typeof given === "string" && /^\s*[[{"]/.test(given) ? jsonOf(given, given) : given;
  if (read === undefined || read === null || read === "") return { name: name.trim(), given: [] };
  return {
    name: name.trim(),
    given: typeof read === "object" ? read as WrittenCall["given"] : [read],
  };
}
