/**
 * What a role map and `--param` are told of a wrong value: the field, what it takes and the nearest
 * name, in one line and before any call.
 */

import assert from "node:assert/strict";
import { parseRoleMap, withParameters } from "../../../lib/core/llm/role-map.ts";
import { checkModels } from "../../../lib/lab/models.ts";
import { openStore } from "../../../lib/lab/store/open.ts";

const EFFORTS = "one of none, minimal, low, medium, high, xhigh";
const WHOLE = "a whole number of tokens ≥ 1";
/** Field, wrong value, what a user is told. */
const WRONG: readonly (readonly [string, unknown, string])[] = [
  ["temperature", -1, "it must be a number ≥ 0, not -1"],
  ["temperature", "hot", 'it must be a number ≥ 0, not "hot"'],
  ["temperature", null, "it must be a number ≥ 0, not null"],
  ["topP", 0, "it must be a number > 0 and ≤ 1, not 0"],
  ["topP", 1.1, "it must be a number > 0 and ≤ 1, not 1.1"],
  ["maxTokens", 0, `it must be ${WHOLE}, not 0`],
  ["maxTokens", 1.5, `it must be ${WHOLE}, not 1.5`],
  ["maxTokens", "", `it must be ${WHOLE}, not ""`],
  ["maxTokens", [3], `it must be ${WHOLE}, not a list`],
  ["seed", 1.5, "it must be a whole number from -9007199254740991 to 9007199254740991, not 1.5"],
  ["effort", "hgih", `it must be ${EFFORTS}, not "hgih"; did you mean "high"?`],
  ["effort", 3, `it must be ${EFFORTS}, not 3`],
  ["extraBody", [], 'it must be a JSON object, such as {"top_k": 20}, not a list'],
  ["enforceForms", "yes", 'it must be true or false, not "yes"'],
  ["images", 0, "it must be true or false, not 0"],
  ["timeoutSeconds", 1e9, "it must be a number of seconds > 0 and ≤ 2147483, not 1000000000"],
  ["concurrency", 0.5, "it must be a whole number of requests ≥ 1, not 0.5"],
  ["headers", [], 'it must be a JSON object of name → text, such as {"x-team": "lab"}, not a list'],
];
const IN_MAPS: typeof WRONG = [
  [
    "provider",
    "opanai",
    'it must be one of anthropic, google, openai, not "opanai"; did you mean "openai"?',
  ],
  [
    "style",
    "chta",
    'it must be one of chat, completion, responses, not "chta"; did you mean "chat"?',
  ],
  ["idempotencyKey", "yes", 'it must be true or false, not "yes"'],
  [
    "baseUrl",
    "localhost:8000",
    "it must be an address like http://localhost:8000/v1, not what is there",
  ],
  [
    "keyEnv",
    3,
    "it must be the name of an environment variable, which holds the key, not what is there",
  ],
  [
    "price",
    3,
    'it must be dollars per million tokens, such as {"prompt": 1, "cached": 0.1, "completion": 4}, not 3',
  ],
  ["model", " ", 'it must be a model\'s id, not " "'],
  ["model", undefined, "it must be a model's id, not left out"],
];

const inMap = (field: string, value: unknown): object => ({
  "demo/ask": { model: "gpt-4o", [field]: value },
});

Deno.test("--param tells of each wrong value what its parameter takes, in one line", () => {
  for (const [field, value, told] of WRONG) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const shown = field === "headers" || field === "extraBody" ? "…" : text;
    for (const at of ["", "demo/*."]) {
      const message = `--param ${at}${field}=${shown} is wrong: ${told}`;
      assert.throws(() => withParameters({ "*": "gpt-4o" }, [`${at}${field}=${text}`]), {
        name: "UsageError",
        message,
      });
    }
  }
});

Deno.test("a role map tells of each wrong value what its field takes, in one line: in a file, on the command line and in a study", async () => {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  using store = openStore(":memory:");
  const chains = [{ id: "a", episodes: [{ world: "textworld/hunt", method: "random" }] }];
  for (const [field, value, told] of [...WRONG, ...IN_MAPS]) {
    const map = inMap(field, value);
    const text = JSON.stringify(map);
    await Deno.writeTextFile(file, text);
    const at = `is wrong at demo/ask.${field}: ${told}; a map looks like`;
    const says = (start: string) => (error: Error) => {
      assert.ok(
        error.name === "UsageError" && error.message.startsWith(`${start} ${at}`) &&
          !error.message.includes("\n"),
        error.message,
      );
      return true;
    };
    assert.throws(() => parseRoleMap(file), says(`the role map ${file}`));
    assert.throws(() => parseRoleMap(text), says("the role map in --models"));
    const study = { id: "s", title: "s", chains, models: map as Record<string, string> };
    assert.throws(
      () => checkModels(study as never, { store }),
      says("the role map of the study s"),
    );
  }
  await Deno.remove(file);
  for (const value of ["", " ", 3, null, []]) {
    assert.throws(() => parseRoleMap(JSON.stringify({ "*": value })), {
      message: /at \*: it must be a model's id or an object with a "model", not /,
    });
  }
  assert.deepEqual(parseRoleMap('{"*": {"model": "gpt-4o", "seed": 3}}'), {
    "*": { model: "gpt-4o", seed: 3 },
  });
});

Deno.test("a complaint repeats nothing that may hold a key", () => {
  const key = "c0ffee-0123456789-abcdefgh";
  for (
    const [field, value] of [
      ["headers", key],
      ["headers", { a: 5, b: key }],
      ["extraBody", key],
      ["keyEnv", key],
      ["baseUrl", key],
      [
        "price",
        {
          prompt: key,
        },
      ],
    ] as const
  ) {
    assert.throws(
      () => parseRoleMap(JSON.stringify(inMap(field, value))),
      (error: Error) => !error.message.includes(key),
    );
  }
  assert.throws(
    () => parseRoleMap(`{"*": {"model": "m", "headers": {"a": ${key}}}}`),
    (error: Error) => !error.message.includes("c0ffee"),
  );
});
