import assert from "node:assert/strict";
import { keyedRequest } from "../../../lib/lab/llm/cache.ts";
import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { canonicalJson, hashOf, sha256 } from "../../../lib/core/text/canonical.ts";
import { replyKey } from "../../../lib/lab/store/replies.ts";

Deno.test("canonicalJson() sorts keys at every depth and keeps arrays in order", () => {
  assert.equal(
    canonicalJson({ b: [3, { z: null, y: "é" }], a: undefined, A: true }),
    '{"A":true,"b":[3,{"y":"é","z":null}]}',
  );
  assert.equal(hashOf({ a: 1, b: 2 }), hashOf({ b: 2, a: 1 }));
  assert.equal(
    hashOf({ 9: 1, 10: { a: 1, b: 2 }, c: 3 }),
    hashOf({ c: 3, 10: { b: 2, a: 1 }, 9: 1 }),
  );
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-4, appendix B.1
});

Deno.test("canonicalJson() drops undefined members at every depth, so that hashes ignore them", () => {
  const absent = { a: { b: [{ c: 1 }] } };
  const present = { z: undefined, a: { b: [{ c: 1, d: undefined }], e: undefined } };
  assert.equal(canonicalJson(present), '{"a":{"b":[{"c":1}]}}');
  assert.equal(hashOf(present), hashOf(absent));
  assert.equal(
    canonicalJson([undefined, null]),
    "[null,null]",
    "in an array undefined counts as null",
  );
  assert.notEqual(hashOf({ a: null }), hashOf({}), "null is a value, undefined is none");
});

Deno.test("replyKey() is the same for an absent and an undefined part of a request", () => {
  const request: ChatRequest = {
    role: "a/b",
    messages: [{ role: "user", content: "Hi" }],
    sampling: { temperature: 0 },
    sample: { step: 1 },
  };
  const key = "2b0effe1010582d757821fc6f364e2a2279b4a938b1e5ec6efbdb0cc8de7faec";
  const loose: ChatRequest = {
    ...request,
    messages: [{ role: "user", content: "Hi", toolCalls: undefined, toolCallId: undefined }],
    tools: undefined,
    schema: undefined,
    sampling: { temperature: 0, topP: undefined },
    n: undefined,
    sample: { attempt: undefined, step: 1, vote: undefined },
  };
  assert.equal(replyKey(keyedRequest("m", request)), key);
  assert.equal(replyKey(keyedRequest("m", loose)), key);
});
