/** How the answers of GraphMind's planner, verifier and actor are read (Shin et al. 2026, App. A.2). */

import { z } from "zod";
import { parseJson } from "../text/json.ts";
import { readCall } from "../text/read-calls.ts";
import { keepSound, nameIn, parseList, soundName, soundText } from "../text/read-lists.ts";
import { eitherOf, reader, refined, type ReplyParser } from "../text/reply-text.ts";

/**
 * Maximum of instructions in a plan (ours), and of primitive actions in a turn of the actor (App.
 * A.2: up to 10).
 */
export const LIMITS = { instructions: 100, primitives: 10 } as const;

/** A plan as it was read. */
export interface InstructionPlan {
  /** The entity that it is about; absent where none is named. */
  readonly target?: string;
  /** In order; at least one. */
  readonly instructions: readonly string[];
}

/**
 * Makes a reader of plans, which keeps sound instructions as `name(x, y)`, without the numbers of
 * look-alikes, and counts the others. A plan may also be a bare list, lines, or one call.
 * @param forms the world's instructions, `pass_door({x})`; a name alone takes any arguments, and
 * without forms every instruction is sound
 *
 * @example
 * ```ts
 * import { parseInstructions } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const parse = parseInstructions(["pass_door({x})", "find_door()"]);
 * const reply = '{"subplan_target_entity": "red door", "subplans": ["pass_door(red door)"]}';
 * const value = { target: "red door", instructions: ["pass_door(red door)"] };
 * assert.deepEqual(parse(reply), { kind: "ok", value });
 * ```
 */
export function parsePlan(forms: readonly string[]): ReplyParser<InstructionPlan> {
  const entry = forms.length === 0 ? soundText : instructionOf(forms);
  const list = keepSound(entry, LIMITS.instructions);
  const plan = parseJson(
    z.object({
      subplan_target_entity: soundName.transform(targetOf).optional().catch(undefined),
      subplans: z.preprocess(
        (given) =>
          typeof given === "string"
            ? given.split(/[\n;]/).filter((line) => line.trim() !== "").flatMap(separated)
            : Array.isArray(given)
            ? given.flatMap(separated)
            : given,
        list,
      ),
    }).transform(({ subplan_target_entity: target, subplans: instructions }) => ({
      ...(target === undefined ? {} : { target }),
      instructions,
    })),
  );
  const one = reader((text) => {
    const read = list.safeParse(text.split(/\n|(?<=\)),/).filter((line) => line.trim() !== ""));
    return read.success
      ? { kind: "ok", value: read.data }
      : { kind: "malformed", problem: "it is no instruction" };
  });
  const bare = eitherOf(parseList("subplans", entry, LIMITS.instructions), one);
  return refined(
    eitherOf(plan, refined(bare, (instructions) => ({ kind: "ok", value: { instructions } }))),
    (read) =>
      read.instructions.length > 0
        ? { kind: "ok", value: read }
        : { kind: "malformed", problem: "the plan has no instruction" },
  );
}

/**
 * The entity that a target names, also where it is written as an instruction: `pass_door(red door)`
 * → `red door`.
 */
function targetOf(text: string): string | undefined {
  const given = /^\w+\(/.test(text) ? Object.values(readCall(text)?.given ?? {}) : [text];
  return soundName.optional().catch(undefined).parse(given[0]);
}

function instructionOf(forms: readonly string[]): z.ZodType<string> {
  const known = new Map(
    forms.map((
      form,
    ) => [
      callOf(form),
      form.includes("(")
        ? [...form.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
        : undefined,
    ]),
  );
  const names = [...known.keys()].join(", ");
  return z.unknown().transform((written, { addIssue }) => {
    const call = readCall(written);
    const name = callOf(call?.name ?? "");
    const params = known.get(name);
    if (!call || !known.has(name)) {
      addIssue(`${JSON.stringify(written)?.slice(0, 60)} is no instruction; those are ${names}`);
      return z.NEVER;
    }
    const named = call.given as Readonly<Record<string, unknown>>;
    const values = params?.every((param) => Object.hasOwn(named, param))
      ? params.map((param) => named[param])
      : Object.values(named);
    const texts = values.slice(0, params?.length).map((value) =>
      soundName.catch("").parse(
        typeof value === "string" ? value.replace(/^\w+\s*[=:]\s*/, "") : value,
      ).replace(/ #?\d+$/, "")
    );
    if (texts.length < (params?.length ?? 0) || texts.includes("")) {
      addIssue(`${name} lacks an argument`);
    }
    return `${name}(${texts.join(", ")})`;
  });
}

function separated(entry: unknown): unknown[] {
  const several = /^\s*\w+(?:\([^()]*\))?(?:\s*(?:,|->|→)\s*\w+(?:\([^()]*\))?)+\s*$/;
  const isList = typeof entry === "string" && several.test(entry);
  return isList ? entry.split(/,(?![^(]*\))|->|→/) : [entry];
}

export function callOf(instruction: string): string {
  return instruction.replace(/\s*\(.*$/s, "").trim().toLowerCase().replaceAll(" ", "_");
}

const truth = z.union([z.boolean(), z.stringbool()]);

const verdictSchema = z.object({ is_complete: truth, need_to_adjust: truth.catch(false) })
  .transform(({ is_complete, need_to_adjust }) => ({
    complete: is_complete,
    adjust: !is_complete && need_to_adjust,
  }));

/** Whether an instruction is done, and whether its plan is to be given up. */
export interface Verdict {
  /** Whether the instruction is done. */
  readonly complete: boolean;
  /** Whether the plan is to be given up. */
  readonly adjust: boolean;
}

/** Reads a verdict. */
export const parseVerdict: ReplyParser<Verdict> = parseJson(verdictSchema);

export const parseExecute: ReplyParser<string[]> = refined(
  parseList(
    "actions",
    z.unknown().transform((written) =>
      separated(written).map((one) => nameIn(readCall(one)?.name ?? "")).filter((name) =>
        name !== ""
      )
    ).refine((names) => names.length > 0),
  ),
  (actions) =>
    actions.length > 0
      ? { kind: "ok", value: actions.flat().slice(0, LIMITS.primitives) }
      : { kind: "malformed", problem: "there is no action in it" },
);
