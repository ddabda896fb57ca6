import assert from "node:assert/strict";
import {
  hideInAddress,
  hideSecrets,
  looksSecret,
  secretTexts,
} from "../../../lib/core/text/secrets.ts";

const S = "a-private-value";

Deno.test("hideSecrets() hides what a name calls a secret, at any depth", () => {
  for (
    const name of [
      ..."api_key apiKey x-api-key Authorization access_token authToken client_secret secretName password Cookie token key credentials cache_salt"
        .split(" "),
    ]
  ) {
    assert.deepEqual(hideSecrets({ tools: [{ [name]: S, type: "mcp" }] }), {
      tools: [{ [name]: "(hidden)", type: "mcp" }],
    }, name);
  }
  assert.deepEqual(
    hideSecrets({ headers: { "x-team": S }, auth: { user: S, deep: [{ a: S, n: 1 }] } }),
    {
      headers: { "x-team": "(hidden)" },
      auth: { user: "(hidden)", deep: [{ a: "(hidden)", n: 1 }] },
    },
  );
});

Deno.test("hideSecrets() hides what looks like a key under any name", () => {
  for (
    const text of [
      "sk-proj-0123456789abcdef",
      "Bearer abcdefgh12",
      "ghp_0123456789abcdefghij",
      "hf_abcdefghijklmnopqrst",
    ]
  ) {
    assert.deepEqual(hideSecrets({ user: text }), { user: "(hidden)" }, text);
    assert.ok(looksSecret(text));
  }
});

Deno.test("hideSecrets() keeps what decides answers", () => {
  const kept = {
    top_k: 20,
    max_tokens: 80,
    eos_token: "</s>",
    stopToken: "<end>",
    stop_token_ids: [1, 2],
    tokenizer: "llama",
    guided_regex: "a|b",
    kv_cache_dtype: "fp8",
    keyword: "x",
    chat_template_kwargs: { enable_thinking: false },
    token: 7,
    nothing: null,
  };
  assert.deepEqual(hideSecrets(kept), kept);
  assert.deepEqual(secretTexts(kept), []);
  assert.deepEqual(secretTexts({ data_sources: [{ authentication: { type: S, key: "b" } }] }), [
    S,
    "b",
  ]);
});

Deno.test("hideInAddress() hides user, password and query, and nothing else", () => {
  assert.equal(hideInAddress("http://localhost:8000/v1"), "http://localhost:8000/v1");
  assert.equal(
    hideInAddress("https://me:pw@host/v1?code=abc&x=1"),
    "https://hidden:hidden@host/v1?code=hidden&x=hidden",
  );
  assert.equal(hideInAddress("nonsense"), "nonsense");
});
