/**
 * Every function that a notebook can import shows how it is called, in an example that `./lab test
 * examples` runs.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { entryPoints } from "../lib/apps/cli/test.ts";
import { checkoutRoot } from "../lib/core/platform.ts";

/** Functions without an example, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  createTransformersEmbedder: "needs the folder of a sentence model",
  display: "needs a running notebook",
};

interface Declaration {
  readonly kind: string;
  readonly location: { readonly filename: string };
  readonly jsDoc?: { readonly tags?: readonly { readonly kind: string; readonly doc?: string }[] };
}

interface Documentation {
  readonly nodes: Readonly<
    Record<
      string,
      {
        readonly symbols: readonly {
          readonly name: string;
          readonly declarations: readonly Declaration[];
        }[];
      }
    >
  >;
}

const documentation = JSON.parse(
  execFileSync(process.execPath, ["doc", "--json", ...entryPoints()], {
    cwd: checkoutRoot(),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"], // it warns of types of packages that it cannot find
  }),
) as Documentation;

const functions = Object.values(documentation.nodes).flatMap(({ symbols }) => symbols)
  .flatMap(({ name, declarations }) =>
    declarations.filter(({ kind }) =>
      kind === "function" || (kind === "variable" && name.startsWith("create"))
    ) // what makes memories and methods
      .map((declaration) => ({ name, declaration }))
  );

/** Whether one of the examples is run and checks something. */
function showsItself({ jsDoc }: Declaration): boolean {
  return (jsDoc?.tags ?? []).some(({ kind, doc = "" }) =>
    kind === "example" &&
    [...doc.matchAll(/^```ts\n(.*?)^```/gms)].some(([, code = ""]) =>
      /\bassert(\.\w+)?\(/.test(code)
    )
  );
}

Deno.test("docs: every exported function has an example with an assertion", () => {
  assert.ok(functions.some(({ name }) => name === "createRag"), "what makes memories is found");
  assert.ok(
    functions.length > 50,
    `only ${functions.length} functions were found: the reader of the documentation is broken`,
  );
  const wanting = functions.filter(({ name, declaration }) =>
    !Object.hasOwn(EXCEPTIONS, name) && !showsItself(declaration)
  )
    .map(({ name, declaration }) =>
      `${name} in ${declaration.location.filename.split("/lib/").at(-1)}`
    );
  assert.deepEqual(
    wanting,
    [],
    "add an @example that asserts something, or an exception with its reason",
  );
});

Deno.test("docs: every exception is needed", () => {
  const needed = functions.filter(({ declaration }) => !showsItself(declaration)).map(({ name }) =>
    name
  );
  assert.deepEqual(Object.keys(EXCEPTIONS).filter((name) => !needed.includes(name)), []);
});
