/**
 * The forms of action of a world: how prompts show them, and how a call is made from a name and values.
 *
 * @module
 */

import type { ActionSpec } from "../env/environment.ts";

/** A form and its description: `go {direction}: walk to the next room`. */
export function formLine({ name, description }: ActionSpec): string {
  return `${name}: ${description}`;
}

/** The name of a form without its parameters: `move_to(x={x}, y={y})` → `move_to`, `take {object} from {place}` → `take`. */
export function headOf({ name }: ActionSpec): string {
  return name.split(/[({]/)[0]?.trim() ?? "";
}

/** A call, or in one line what is wrong with the name or a value. */
export type FilledForm = { readonly kind: "ok"; readonly call: string } | { readonly kind: "malformed"; readonly problem: string };

/**
 * Fills the form that has this name with values for its parameters. Of several forms of one name the one whose parameters are given is filled. A
 * form in parentheses may lack a parameter, any other form may not; the values themselves are checked by the world.
 *
 * @param given values by parameter; null counts as absent
 */
export function fillForm(forms: readonly ActionSpec[], name: string, given: Readonly<Record<string, unknown>>): FilledForm {
  const named = forms.filter((form) => headOf(form) === name.trim());
  if (named.length === 0) {
    return { kind: "malformed", problem: `there is no skill ${quoted(name)}; there are ${forms.map(headOf).join(", ")}` };
  }
  const values = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  const form = named.find(({ params }) => params.length === values.length && values.every(([key]) => params.includes(key))) ??
    named.find(({ params }) => values.every(([key]) => params.includes(key)));
  if (!form) {
    const unknown = values.find(([key]) => !named.some(({ params }) => params.includes(key)))?.[0] ?? values[0]?.[0] ?? "";
    const known = [...new Set(named.flatMap(({ params }) => params))].join(", ") || "none";
    return { kind: "malformed", problem: `${name} has no parameter ${quoted(unknown)}; its parameters are ${known}` };
  }
  const odd = values.find(([, value]) => typeof value === "object");
  if (odd) return { kind: "malformed", problem: `${name}: ${odd[0]} must be a number, a text, true or false` };
  return form.name.includes("(") ? { kind: "ok", call: callOf(name.trim(), values) } : filled(form, new Map(values));
}

function callOf(name: string, values: readonly (readonly [string, unknown])[]): string {
  return `${name}(${values.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")})`;
}

function filled(form: ActionSpec, values: ReadonlyMap<string, unknown>): FilledForm {
  const missing = form.params.find((param) => !values.has(param));
  if (missing !== undefined) return { kind: "malformed", problem: `${headOf(form)} needs ${quoted(missing)}` };
  return { kind: "ok", call: form.name.replaceAll(/\{(\w+)\}/g, (slot, param: string) => String(values.get(param) ?? slot)) };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
