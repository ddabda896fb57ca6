/**
 * The source of user-defined code as a hash, so that an edit changes the identity of what it plays.
 *
 * Source is what the runtime gives back of a function: the code without its types. What it uses belongs to it, of its own module, of the functions
 * around it and of other cells of a notebook: functions, classes, objects of them, and data. What it imports does not,
 * nor do private fields and what `bind` fixed.
 */

import { Buffer } from "node:buffer";
import { hashOf } from "../store/canonical.ts";

/**
 * Hashes the source of functions, or of objects that hold some, together with the variables that it uses; 16 hex digits.
 *
 * @param options `closures`: whether variables of surrounding functions and of its own module count, and not those of cells alone
 */
export async function sourceHash(values: readonly unknown[], options: { readonly closures: boolean }): Promise<string> {
  const seen = new Map<unknown, number>();
  const described: unknown[] = [];
  for (const value of values) described.push(await describe(value, { seen, ...options }));
  return hashOf(described).slice(0, 16);
}

interface Walk {
  /** What was described before, by number, so that circles end. */
  readonly seen: Map<unknown, number>;
  readonly closures: boolean;
  /** The script of the function from which the walk began: what modules it imports are not looked into. */
  readonly script?: string;
}

/** A walk through more functions than these has left the user's own code. */
const MOST = 300;

/** Code and data as JSON. */
async function describe(value: unknown, walk: Walk): Promise<unknown> {
  const { seen } = walk;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return `${typeof value} ${String(value)}`;
  if (seen.has(value)) return `as ${seen.get(value)}`;
  seen.set(value, seen.size);
  if (typeof value === "function") return await describeFunction(value, walk);
  const data = dataOf(value) ?? (isPlain(value) ? Object.entries(value) : undefined);
  if (data) return await describeEach(data, walk);
  const { constructor } = value;
  if (typeof constructor !== "function" || isNative(constructor) || await isForeign(constructor, walk.script)) return tagOf(value);
  return [await describe(constructor, walk), await describeEach(Object.entries(value), walk)];
}

async function describeEach(members: Iterable<readonly unknown[]>, walk: Walk): Promise<unknown[]> {
  const described: unknown[] = [];
  for (const [name, member] of members) {
    described.push([typeof name === "string" ? name : await describe(name, walk), await describe(member, walk)]);
  }
  return described;
}

/** What a built-in object holds; nothing for another one. */
function dataOf(value: object): Iterable<readonly unknown[]> | undefined {
  if (value instanceof Map) return value;
  if (value instanceof Set) return value.entries();
  if (value instanceof RegExp) return [[tagOf(value), String(value)]];
  if (value instanceof Date) return [[tagOf(value), value.getTime()]];
  if (ArrayBuffer.isView(value)) return [[tagOf(value), Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")]];
  return undefined;
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

async function describeFunction(value: { readonly name: string }, walk: Walk): Promise<unknown> {
  const text = String(value);
  if (isNative(value) || walk.seen.size > MOST) return value.name;
  const { script, scopes } = walk.closures ? await surroundingsOf(value) : { script: undefined, scopes: [] };
  const inner = { ...walk, script: walk.script ?? script };
  const used: unknown[] = [];
  for (const name of await freeNames(text)) {
    const scope = scopes.find(({ variables, isModule }) => name in variables && (!isModule || script === inner.script));
    const found = scope ? { value: scope.variables[name] } : variable(name);
    if (!found) continue;
    const isImported = scope?.isModule && typeof found.value === "function" && await isForeign(found.value, script);
    used.push([name, isImported ? "imported" : await describe(found.value, inner)]);
  }
  used.push(...await describeEach(Object.entries(value), inner)); // of a class, the static ones
  const base: unknown = Object.getPrototypeOf(value);
  if (typeof base === "function" && !isNative(base) && !await isForeign(base, inner.script)) {
    used.push(["extends", await describe(base, inner)]);
  }
  return [text, used];
}

/** Whether a function is of another module than the script. */
async function isForeign(value: unknown, of: string | undefined): Promise<boolean> {
  const { script, scopes } = await surroundingsOf(value);
  return script !== of && scopes.some(({ isModule }) => isModule);
}

/** A variable of the cells of a notebook, which every piece of code can read. The built-in ones and modules count as none. */
function variable(name: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = new Function(`return ${name};`)();
    const isOwn = typeof value === "function" ? !isNative(value) : tagOf(value) !== "[object Module]";
    return value !== undefined && isOwn && !BUILT_IN.has(name) ? { value } : undefined;
  } catch {
    return undefined; // no such variable, or no name
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

function isNative(value: unknown): boolean {
  return String(value).endsWith("{ [native code] }");
}

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  if (typeof value !== "object" || value === null || tagOf(value) === "[object Module]") return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** The script of a function, and the variables around it, the innermost first. */
interface Surroundings {
  readonly script?: string;
  readonly scopes: readonly { readonly isModule: boolean; readonly variables: Readonly<Record<string, unknown>> }[];
}

/** What the runtime's debugger tells of a function; nothing where there is none. One question at a time: they share a place to hand objects over. */
function surroundingsOf(value: unknown): Promise<Surroundings> {
  const asked = lastAsked.then(() => askDebugger(value)).catch((): Surroundings => ({ scopes: [] }));
  lastAsked = asked;
  return asked;
}

let lastAsked: Promise<unknown> = Promise.resolve();

const PLACE = "labyrinth source";

async function askDebugger(value: unknown): Promise<Surroundings> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  const place: { value: unknown; scope?: unknown } = { value };
  const held = globalThis as unknown as Record<symbol, typeof place | undefined>;
  held[Symbol.for(PLACE)] = place;
  session.connect();
  try {
    const post = async (method: string, params: object): Promise<DebuggerAnswer> =>
      await session.post(method, params) as unknown as DebuggerAnswer;
    const { result: found } = await post("Runtime.evaluate", { expression: `globalThis[Symbol.for("${PLACE}")].value` });
    const { internalProperties = [] } = await post("Runtime.getProperties", { objectId: found.objectId, ownProperties: true });
    const about = (name: string): DebuggerObject | undefined => internalProperties.find((one) => one.name === name)?.value;
    const { result: scopes } = await post("Runtime.getProperties", {
      objectId: about("[[Scopes]]")?.objectId,
      ownProperties: true,
    }) as unknown as {
      readonly result: readonly { readonly name: string; readonly value?: DebuggerObject }[];
    };
    const variables: Surroundings["scopes"][number][] = [];
    for (const { value: scope } of scopes) {
      if (!/^(?:Closure|Block|Module|Catch)\b/.test(scope?.description ?? "")) continue;
      const functionDeclaration = `function () { globalThis[Symbol.for("${PLACE}")].scope = this.object; }`;
      await post("Runtime.callFunctionOn", { objectId: scope?.objectId, functionDeclaration });
      variables.push({ isModule: scope?.description === "Module", variables: { ...place.scope as object } });
    }
    return { script: about("[[FunctionLocation]]")?.value?.scriptId, scopes: variables };
  } finally {
    delete held[Symbol.for(PLACE)];
    session.disconnect();
  }
}

interface DebuggerObject {
  readonly objectId?: string;
  readonly description?: string;
  readonly value?: { readonly scriptId?: string };
}

interface DebuggerAnswer {
  readonly result: DebuggerObject;
  readonly internalProperties?: readonly { readonly name: string; readonly value?: DebuggerObject }[];
}

/** The names that a piece of code uses and does not declare itself, sorted; all names in it where it cannot be parsed. */
export async function freeNames(code: string): Promise<string[]> {
  const [{ parse }, { analyze }] = await Promise.all([import("acorn"), import("eslint-scope")]);
  for (const whole of [`(${code})`, `({${code}})`]) { // a function or class, or else a method
    try {
      const tree = parse(whole, { ecmaVersion: "latest", sourceType: "module", ranges: true, checkPrivateFields: false });
      const { globalScope } = analyze(tree as unknown as Parameters<typeof analyze>[0], { ecmaVersion: 2022, sourceType: "module" });
      return [...new Set(globalScope?.through.map(({ identifier }) => identifier.name as string))].sort();
    } catch {
      continue; // in the other form, perhaps
    }
  }
  return [...new Set(code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))].sort();
}
