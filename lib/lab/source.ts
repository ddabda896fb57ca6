/**
 * The source of user-defined code as a hash, so that an edit changes the identity of what it plays.
 * Source is the code without types and what it uses: of its module, of functions around it, of
 * other cells and of the user's other files; functions, classes, objects with private fields, what
 * `bind` fixed, and data. Of imports from this library and packages, only data in an object's
 * fields. What the debugger cannot read is new at each run.
 */

import { Buffer } from "node:buffer";
import { types } from "node:util";
import { METHODS } from "../core/agent/registry.ts";
import type { Entry } from "../core/memory/memory.ts";
import { MEMORIES } from "../core/memory/registry.ts";
import { hashOf } from "../core/text/canonical.ts";
import { NOTHING, surroundingsOf } from "./surroundings.ts";

/**
 * Hashes the source of functions, or of objects that hold some, with the variables that it uses; 16
 * hex digits.
 * @param options `closures`: whether variables of surrounding functions and of its own module
 * count, besides those of cells
 */
export async function sourceHash(
  values: readonly unknown[],
  options: { readonly closures: boolean },
): Promise<string> {
  const seen = new Map<unknown, number>();
  const described: unknown[] = [];
  for (const value of values) {
    described.push(await describe(value, { seen, functions: { count: 0 }, ...options }));
  }
  return hashOf(described).slice(0, 16);
}

interface Walk {
  /** What was described before, by number, so that circles end. */
  readonly seen: Map<unknown, number>;
  readonly functions: { count: number };
  readonly closures: boolean;
  /**
   * Whether it is within an object of code that is not the user's: of its fields, only data counts.
   */
  readonly isForeign?: true;
  readonly script?: string;
}

/** A walk through more functions than these has left the user's own code. */
const MOST = 300;

/**
 * What the library vouches for by a version; its schemas keep what they have computed, and would
 * never be described twice alike.
 */
const ENTRIES: readonly Entry[] = [...Object.values(MEMORIES), ...Object.values(METHODS)];

async function describe(value: unknown, walk: Walk): Promise<unknown> {
  const { seen } = walk;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return `${typeof value} ${String(value)}`;
  }
  if (seen.has(value)) return `as ${seen.get(value)}`;
  seen.set(value, seen.size);
  const { isForeign: isWithin } = walk;
  const entry = ENTRIES.find((one) => one === value);
  if (entry) return `${entry.id} ${entry.version}`;
  if (typeof value === "function") {
    return isWithin ? value.name : await describeFunction(value, walk);
  }
  if (types.isModuleNamespaceObject(value)) {
    return await isUsers(value) ? await describeEach(Object.entries(value), walk) : "module";
  }
  if (types.isProxy(value)) {
    return walk.closures ? await describeEach((await surroundingsOf(value)).hidden, walk) : "proxy";
  }
  if (isPlain(value)) return await describeEach(Object.entries(value), walk);
  const { constructor } = value;
  const isOwn = typeof constructor === "function" && !isNative(constructor) &&
    !await isForeign(constructor, walk.script);
  const { hidden } = walk.closures ? await surroundingsOf(value) : NOTHING;
  const members = [...dataOf(value) ?? [], ...Object.entries(value), ...hidden];
  const inner = isOwn || dataOf(value) ? walk : { ...walk, isForeign: true as const };
  return [
    isOwn && !isWithin ? await describe(constructor, walk) : tagOf(value),
    await describeEach(members, inner),
  ];
}

async function describeEach(members: Iterable<readonly unknown[]>, walk: Walk): Promise<unknown[]> {
  const described: unknown[] = [];
  for (const [name, member] of members) {
    described.push([
      typeof name === "string" ? name : await describe(name, walk),
      await describe(member, walk),
    ]);
  }
  return described;
}

/** What a built-in object holds; nothing for another one. */
function dataOf(value: object): Iterable<readonly unknown[]> | undefined {
  if (value instanceof Map) return value;
  if (value instanceof Set) return value.entries();
  if (value instanceof RegExp) return [[tagOf(value), String(value)]];
  if (value instanceof Date) return [[tagOf(value), value.getTime()]];
  if (value instanceof Error) {
    return Object.entries({ name: value.name, message: value.message, cause: value.cause });
  }
  if (value instanceof ArrayBuffer) return dataOf(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) {
    return [[
      tagOf(value),
      Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64"),
    ]];
  }
  return undefined;
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

async function describeFunction(value: { readonly name: string }, walk: Walk): Promise<unknown> {
  const text = String(value);
  if (walk.functions.count++ > MOST) return value.name;
  if (isNative(value)) {
    if (!value.name.startsWith("bound ") && !types.isProxy(value)) return value.name;
    const { hidden } = await surroundingsOf(value);
    if (walk.closures) return await describeEach(hidden, walk);
    const each = hidden.flatMap(([name, member]) =>
      Array.isArray(member) ? member.map((one) => [name, one]) : [[name, member]]
    );
    return await describeEach(each.filter(([, member]) => typeof member !== "object"), walk); // what it holds may be state
  }
  const { script, isOwn, scopes, hidden } = walk.closures ? await surroundingsOf(value) : NOTHING;
  const inner = { ...walk, script: walk.script ?? script };
  const used: unknown[] = await describeEach(hidden, inner);
  for (const name of await freeNames(text)) {
    const scope = scopes.find(({ variables, isModule }) =>
      name in variables && (!isModule || isOwn || script === inner.script)
    );
    const found = scope ? { value: scope.variables[name] } : await variable(name);
    if (!found) continue;
    const isImported = scope?.isModule && typeof found.value === "function" &&
      await isForeign(found.value, script);
    used.push([name, isImported ? "imported" : await describe(found.value, inner)]);
  }
  used.push(...await describeEach(Object.entries(value), inner)); // of a class, the static ones
  const base: unknown = Object.getPrototypeOf(value);
  if (typeof base === "function" && !isNative(base) && !await isForeign(base, inner.script)) {
    used.push(["extends", await describe(base, inner)]);
  }
  return [text, used];
}

async function isForeign(value: unknown, of: string | undefined): Promise<boolean> {
  const { script, isOwn, scopes } = await surroundingsOf(value);
  return script !== of && !isOwn && scopes.some(({ isModule }) => isModule);
}

async function isUsers(module: unknown): Promise<boolean> {
  for (const member of Object.values(module as object)) {
    if (typeof member === "function" && !(await surroundingsOf(member)).isOwn) return false;
  }
  return true;
}

/**
 * A variable of the cells of a notebook, which every piece of code can read. The built-in ones and
 * modules that are not the user's count as none.
 */
async function variable(name: string): Promise<{ readonly value: unknown } | undefined> {
  try {
    const value: unknown = new Function(`return ${name};`)();
    const isOwn = typeof value === "function"
      ? !isNative(value)
      : !types.isModuleNamespaceObject(value) || await isUsers(value);
    return value !== undefined && isOwn && !BUILT_IN.has(name) ? { value } : undefined;
  } catch {
    return undefined; // no such variable, or no name
  }
}

/** What is global and the runtime's own: what a script or cell declares cannot be configured. */
const OF_RUNTIME = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([, one]) =>
  one.configurable || !one.writable
);
const BUILT_IN: ReadonlySet<string> = new Set(OF_RUNTIME.map(([name]) => name));
/** Some are written in JavaScript, `URL` for one. */
const BUILT_IN_CLASSES: ReadonlySet<unknown> = new Set(
  OF_RUNTIME.map(([, { value }]) => value).filter((one) => typeof one === "function"),
);

function isNative(value: unknown): boolean {
  return String(value).endsWith("{ [native code] }") || BUILT_IN_CLASSES.has(value);
}

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/**
 * The names that a piece of code uses and does not declare itself, sorted; all names in it where it
 * cannot be parsed.
 */
async function freeNames(code: string): Promise<string[]> {
  const [{ parse }, { analyze }] = await Promise.all([import("acorn"), import("eslint-scope")]);
  for (const whole of [`(${code})`, `({${code}})`]) { // a function or class, or else a method
    try {
      const tree = parse(whole, {
        ecmaVersion: "latest",
        sourceType: "module",
        ranges: true,
        checkPrivateFields: false,
      });
      const { globalScope } = analyze(tree as unknown as Parameters<typeof analyze>[0], {
        ecmaVersion: 2022,
        sourceType: "module",
      });
      return [...new Set(globalScope?.through.map(({ identifier }) => identifier.name as string))]
        .sort();
    } catch {
      continue; // in the other form, perhaps
    }
  }
  return [...new Set(code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))].sort();
}
