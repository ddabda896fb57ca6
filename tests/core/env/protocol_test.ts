import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { encodeRequest } from "../../../lib/core/env/messages.ts";
import {
  errorMessage,
  METHODS,
  okMessage,
  PROTOCOL_VERSION,
} from "../../../lib/core/env/protocol.ts";
import { WORLD_SERVER_ERRORS, type WorldErrorKind } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";

type Node = Readonly<Record<string, unknown>>;
const schema = JSON.parse(readFileSync(join(checkoutRoot(), "envs", "schema.json"), "utf8")) as
  & Node
  & {
    methods: Record<string, Record<"params" | "ok", { $ref: string }>>;
    $defs: Record<string, Node>;
  };

Deno.test("the client speaks the server's version, methods and error codes", () => {
  assert.equal(schema.version, PROTOCOL_VERSION);
  assert.deepEqual(Object.keys(METHODS).sort(), Object.keys(schema.methods).sort());
  const codes: readonly WorldErrorKind[] = WORLD_SERVER_ERRORS;
  assert.deepEqual(
    [...codes],
    (plain(schema.$defs.ErrorBody) as { properties: { code: { enum: unknown } } }).properties.code
      .enum,
  );
});

for (const [method, { params, ok }] of Object.entries(METHODS)) {
  Deno.test(`${method}: client and server agree on every field, its type and whether it is required`, () => {
    assert.deepEqual(plain(z.toJSONSchema(params)), plain(schema.methods[method]?.params));
    assert.deepEqual(plain(z.toJSONSchema(ok)), plain(schema.methods[method]?.ok));
  });
}

Deno.test("envelopes: client and server agree", () => {
  const request = JSON.parse(encodeRequest("12345678", "ping", {}).toString()) as object;
  const { properties = {} } = schema.$defs.RequestMessage as { readonly properties?: object };
  assert.deepEqual(Object.keys(request).sort(), Object.keys(properties).sort());
  assert.deepEqual(plain(z.toJSONSchema(okMessage)), plain(schema.$defs.OkMessage));
  assert.deepEqual(plain(z.toJSONSchema(errorMessage)), plain(schema.$defs.ErrorMessage));
});

Deno.test("replies with an unknown field are refused", () => {
  assert.equal(METHODS.ping.ok.safeParse({ sessions: 1 }).success, true);
  assert.equal(METHODS.ping.ok.safeParse({ sessions: 1, more: 2 }).success, false);
});

/**
 * The same schema without words, defaults and the two generators' ways of saying the same thing.
 */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (typeof node !== "object" || node === null) return node;
  const { $ref, $schema: _, title: _title, description: _description, default: _default, ...rest } =
    node as Record<string, unknown>;
  if (typeof $ref === "string") return plain(schema.$defs[$ref.replace("#/$defs/", "")]);
  if (Array.isArray(rest.type)) return { anyOf: rest.type.map((type) => ({ type })) };
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum; // zod bounds every integer
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (JSON.stringify(rest.propertyNames) === '{"type":"string"}') delete rest.propertyNames;
  if (JSON.stringify(rest.additionalProperties) === "{}") rest.additionalProperties = true;
  if (Array.isArray(rest.required)) {
    rest.required = rest.required.toSorted();
    if ((rest.required as unknown[]).length === 0) delete rest.required;
  }
  const names = rest.properties as Record<string, unknown> | undefined;
  const kept = Object.entries(rest).map((
    [key, value],
  ) => [key, key === "properties" ? undefined : plain(value)]);
  return {
    ...Object.fromEntries(kept),
    ...(names
      ? { properties: Object.fromEntries(Object.entries(names).map(([k, v]) => [k, plain(v)])) }
      : {}),
  };
}
