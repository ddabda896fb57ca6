/**
 * The source of user-defined code as a hash, so that an edit changes the identity of what it plays.
 *
 * Source is what the runtime gives back of a function: the code without its types. What it uses
 * belongs to it, of its own module, of the functions around it, of other cells of a notebook and of
 * the user's other files: functions, classes, objects of them with their private fields, what
 * `bind` fixed, and data. Of what it imports from this library and from packages, only the data in
 * an object's fields does. What the debugger does not tell is new at each run.
 */

import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { types } from "node:util";
import { METHODS } from "../core/agent/registry.ts";
import type { Entry } from "../core/memory/memory.ts";
import { MEMORIES } from "../core/memory/registry.ts";
import { hashOf } from "../core/text/canonical.ts";

/**
 * Hashes the source of functions, or of objects that hold some, together with the variables that it
 * uses; 16 hex digits.
 *
 * @param options `closures`: whether variables of surrounding functions and of its own module
 *   count, and not those of cells alone
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
 * The script of a function, and the variables around it, the innermost first; of any value, what
 * only the debugger sees in it.
 */
interface Surroundings {
  readonly script?: string;
  /**
   * Whether the script is a file of the user's: none of this library, of a package or of the
   * runtime.
   */
  readonly isOwn?: boolean;
  readonly scopes: readonly {
    readonly isModule: boolean;
    readonly variables: Readonly<Record<string, unknown>>;
  }[];
  readonly hidden: readonly (readonly [name: string, value: unknown])[];
}

const NOTHING: Surroundings = { scopes: [], hidden: [] };

/** One question to the debugger at a time: they share a place to hand objects over. */
function surroundingsOf(value: unknown): Promise<Surroundings> {
  const asked = lastAsked.then(() => askDebugger(value)).catch((): Surroundings => ({
    ...NOTHING,
    hidden: [["unread", randomUUID()]],
  }));
  lastAsked = asked;
  return asked;
}

let lastAsked: Promise<unknown> = Promise.resolve();

const PLACE = "labyrinth source";

/** What `bind`, a proxy, a wrapper and a settled promise hold. */
const HELD =
  /^\[\[(?:TargetFunction|BoundThis|BoundArgs|Target|Handler|PrimitiveValue|PromiseResult)\]\]$/;

async function askDebugger(value: unknown): Promise<Surroundings> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  const place: { value: unknown; found?: unknown } = { value };
  const held = globalThis as unknown as Record<symbol, typeof place | undefined>;
  held[Symbol.for(PLACE)] = place;
  session.connect();
  try {
    const post = async (method: string, params: object): Promise<DebuggerAnswer> =>
      await session.post(method, params) as unknown as DebuggerAnswer;
    /** The object itself, or for that of a scope its variables. */
    const fetched = async (
      what: "this" | "this.object",
      { objectId, value, unserializableValue }: DebuggerObject,
    ): Promise<unknown> => {
      if (objectId === undefined) return value ?? unserializableValue;
      const functionDeclaration =
        `function () { globalThis[Symbol.for("${PLACE}")].found = ${what}; }`;
      await post("Runtime.callFunctionOn", { objectId, functionDeclaration });
      return place.found;
    };
    const { result: { objectId } } = await post("Runtime.evaluate", {
      expression: `globalThis[Symbol.for("${PLACE}")].value`,
    });
    const { internalProperties = [], privateProperties = [] } = await post(
      "Runtime.getProperties",
      { objectId, ownProperties: true },
    );
    const hidden: [string, unknown][] = [];
    for (
      const { name, value } of [
        ...privateProperties,
        ...internalProperties.filter(({ name }) => HELD.test(name)),
      ]
    ) {
      if (value) hidden.push([name, await fetched("this", value)]);
    }
    const about = (name: string): DebuggerObject | undefined =>
      internalProperties.find((one) => one.name === name)?.value;
    const list = about("[[Scopes]]");
    const { result: scopes } = list
      ? await post("Runtime.getProperties", {
        objectId: list.objectId,
        ownProperties: true,
      }) as unknown as {
        readonly result: DebuggerProperty[];
      }
      : { result: [] };
    const variables: Surroundings["scopes"][number][] = [];
    for (const { value: scope } of scopes) {
      if (!scope || !/^(?:Closure|Block|Module|Catch)\b/.test(scope.description ?? "")) continue;
      variables.push({
        isModule: scope.description === "Module",
        variables: { ...await fetched("this.object", scope) as object },
      });
    }
    const location = about("[[FunctionLocation]]")?.value as
      | { readonly scriptId?: string }
      | undefined;
    const script = location?.scriptId;
    if (script !== undefined && !addresses.has(script)) {
      session.on(
        "Debugger.scriptParsed",
        ({ params: { scriptId, url } }) => addresses.set(scriptId, url),
      );
      await post("Debugger.enable", {}); // tells of all scripts that there are
      await post("Debugger.disable", {});
    }
    return {
      script,
      isOwn: isOwnFile(addresses.get(script ?? "") ?? ""),
      scopes: variables,
      hidden,
    };
  } finally {
    delete held[Symbol.for(PLACE)];
    session.disconnect();
  }
}

/** The addresses of scripts by id. */
const addresses = new Map<string, string>();

function isOwnFile(address: string): boolean {
  return address.startsWith("file:") && !address.startsWith(new URL("..", import.meta.url).href) &&
    !address.includes("/node_modules/");
}

interface DebuggerObject {
  readonly objectId?: string;
  readonly description?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
}

interface DebuggerProperty {
  readonly name: string;
  readonly value?: DebuggerObject;
}

interface DebuggerAnswer {
  readonly result: DebuggerObject;
  readonly internalProperties?: readonly DebuggerProperty[];
  readonly privateProperties?: readonly DebuggerProperty[];
}

/**
 * The names that a piece of code uses and does not declare itself, sorted; all names in it where it
 * cannot be parsed.
 */
export async function freeNames(code: string): Promise<string[]> {
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
