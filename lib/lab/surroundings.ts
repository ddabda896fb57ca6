/** What the runtime's debugger tells of a value: its script, the variables around it, hidden parts. */

import { randomUUID } from "node:crypto";

/** The script of a function and the variables around it; what only the debugger sees. */
export interface Surroundings {
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

export const NOTHING: Surroundings = { scopes: [], hidden: [] };

/** One question to the debugger at a time: they share a place to hand objects over. */
export function surroundingsOf(value: unknown): Promise<Surroundings> {
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
