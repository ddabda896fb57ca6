import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { METHODS } from "../../../lib/core/agent/registry.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { parseRoleMap, withParameters } from "../../../lib/core/llm/role-map.ts";
import {
  bindingIdentity,
  bindingOf,
  createRouter,
  ROLE_MAPS,
  type RoleMap,
} from "../../../lib/core/llm/roles.ts";
import { formSchema } from "../../../lib/core/llm/prompt.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { MEMORIES } from "../../../lib/core/memory/registry.ts";
import { ownFolder } from "../../folder.ts";

const prompts = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
  entry.prompts
);
const ask = (role: string) => ({ role, messages: [{ role: "user" as const, content: "?" }] });

/** Asks a router whose models answer with their own id. */
function routed(map: RoleMap): (role: string) => Promise<string> {
  const router = createRouter(map, (model) => scripted({ "*": () => model }));
  return async (role) => (await router.chat(ask(role))).choices[0].text;
}

Deno.test("createRouter() prefers the role to its family, and the family to *", async () => {
  const answers = routed({ "*": "any", "wese/*": "family", "wese/explore": "exact" });
  assert.equal(await answers("wese/explore"), "exact");
  assert.equal(await answers("wese/extract"), "family");
  assert.equal(await answers("weser/explore"), "any");
  assert.equal(await answers("wese"), "family");
});

Deno.test("createRouter() rejects a role that the map does not bind, and names its keys", async () => {
  const answers = routed({ "a/*": "m", "b/x": "m" });
  await assert.rejects(answers("b/y"), { kind: "unknown-role", message: /b\/y.*a\/\*, b\/x/ });
  await assert.rejects(answers("toString"), { kind: "unknown-role" });
});

Deno.test("every ready map binds every role of every method and memory", () => {
  for (const map of Object.values(ROLE_MAPS)) {
    for (const { role } of prompts) assert.ok(bindingOf(map, role), role);
  }
});

Deno.test("every prompt limits its answer, and asks in words for the fields of its form", () => {
  const fieldsOf = (schema: unknown): string[] =>
    typeof schema !== "object" || schema === null ? [] : Object.entries(schema).flatMap((
      [key, value],
    ) => [...(key === "properties" ? Object.keys(value) : []), ...fieldsOf(value)]);
  for (const { role, instructions, texts, sampling, form } of prompts) {
    assert.ok(sampling?.maxTokens, role);
    const words = [instructions, ...Object.values(texts ?? {})].join("\n");
    const fields = fieldsOf(form && formSchema(form));
    assert.deepEqual(
      fields.filter((field) => !words.includes(`"${field}"`) && !words.includes(`"${field}_1"`)),
      [],
      role,
    );
  }
  assert.ok(prompts.filter(({ form }) => form).length >= 8);
});

Deno.test("parseRoleMap() takes a ready map, a model or a file", () => {
  using own = ownFolder();
  const folder = own.path;
  const file = join(folder, "map.json");
  const map = {
    "*": "gpt-4o",
    "wese/explore": { model: "llama", baseUrl: "http://localhost:8000/v1", style: "completion" },
  };
  writeFileSync(file, JSON.stringify(map));
  assert.equal(parseRoleMap("offline"), ROLE_MAPS.offline);
  assert.deepEqual(parseRoleMap("gpt-4o"), { "*": "gpt-4o" });
  assert.deepEqual(parseRoleMap("meta-llama/Llama-3-70b"), { "*": "meta-llama/Llama-3-70b" });
  assert.deepEqual(parseRoleMap(file), map);

  const wrong: [string, RegExp][] = [
    ["{", /cannot read the role map/],
    ["{}", /binds no role/],
    ['{"*": 3}', /wrong at \*/],
    ['{"a/b/c/*": "m"}', /a key is/],
    [
      '{"*": {"model": "m", "price": {"prompt": 1, "cached": 1, "completion": 1, "image": 2}}}',
      /no field "image"; the fields are prompt, cached, written, completion, picture;/,
    ],
    [
      '{"*": {"model": "m", "baseURL": "http://x/v1"}}',
      /wrong at \*: there is no field "baseURL"; did you mean "baseUrl"\?; the fields are model, baseUrl/,
    ],
  ];
  for (const [text, message] of wrong) {
    writeFileSync(file, text);
    assert.throws(() => parseRoleMap(file), (error: UsageError) => {
      assert(error instanceof UsageError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
  assert.throws(() => parseRoleMap(join(folder, "absent.json")), UsageError);
  assert.throws(() => parseRoleMap(" "), UsageError);
});

Deno.test("withParameters() sets a parameter of every role, a family or one role", () => {
  const map = { "*": "m", "wese/*": { model: "w", temperature: 1 } };
  assert.deepEqual(
    withParameters(map, ["temperature=0", "wese/explore.maxTokens=300", 'extraBody={"top_k": 20}']),
    {
      "*": { model: "m", temperature: 0, extraBody: { top_k: 20 } },
      "wese/*": { model: "w", temperature: 0, extraBody: { top_k: 20 } },
      "wese/explore": { model: "w", temperature: 0, maxTokens: 300, extraBody: { top_k: 20 } },
    },
  );
  assert.equal(withParameters(map, []), map);
  assert.throws(() => withParameters({ "wese/act": "w" }, ["react/*.seed=1"]), {
    kind: "unknown-role",
  });
  for (
    const [setting, message] of [
      [
        "temprature=0",
        /no parameter "temprature".*temperature, topP, maxTokens, thinkingTokens, seed, effort, extraBody, enforceForms, images, timeoutSeconds, concurrency/,
      ],
      ["temperature", /is written temperature=0/],
      ["a b.temperature=0", /is written temperature=0/],
      ["toString=1", /no parameter "toString"/],
      ['headers={"a b": "c"}', /none that HTTP can send/],
      ['headers={"a": "b\\u0001c"}', /none that HTTP can send/],
    ] as const
  ) assert.throws(() => withParameters(map, [setting]), { name: "UsageError", message });
});

Deno.test("withParameters() replaces what a map says of single roles, and the more specific setting wins", () => {
  const map = {
    "*": "m",
    "a/*": { model: "f", seed: 1 },
    "a/x": { model: "x", temperature: 1 },
    "b/y": "y",
  };
  const family = withParameters(map, ["a/*.temperature=0.5"]);
  assert.deepEqual(family, {
    ...map,
    "a/*": { model: "f", seed: 1, temperature: 0.5 },
    "a/x": { model: "x", temperature: 0.5 },
  });
  const [first, second] = [["a/x.temperature=0.1", "temperature=0.9", "a/*.temperature=0.5"], [
    "seed=1",
    "*.seed=2",
  ]];
  for (const settings of [first, first.toReversed()]) {
    const { "*": any, "a/*": ofA, "a/x": x, "b/y": y } = withParameters(map, settings) as Record<
      string,
      { temperature: number }
    >;
    assert.deepEqual([any, ofA, x, y].map((one) => one?.temperature), [0.9, 0.5, 0.1, 0.9]);
  }
  assert.deepEqual(withParameters({ "b/y": "y" }, second), { "b/y": { model: "y", seed: 2 } });
  const paper = withParameters(ROLE_MAPS.paper, ["reasonplanner/*.temperature=0.3"]);
  assert.deepEqual(bindingOf(paper, "reasonplanner/extract"), {
    model: "llama-3-70b-instruct",
    temperature: 0.3,
  });
  assert.deepEqual(withParameters({ "*": "m", "b/y": "y" }, ["b/*.seed=3"]), {
    "*": "m",
    "b/y": { model: "y", seed: 3 },
    "b/*": { model: "m", seed: 3 },
  });
});

Deno.test("withParameters() repeats no header and no extra body, which may hold a key, in its complaint", () => {
  const headers = [
    "headers=Bearer sk-secret-0123",
    'headers={"x-key": "sk-secret-0123", "x-n": 5}',
    "a b.headers=sk-secret-0123",
  ];
  for (const setting of [...headers, 'extraBody={"api_key": "sk-secret-0123"']) {
    const isSafe = ({ message }: Error): boolean =>
      /(headers|extraBody)=…/.test(message) && !message.includes("sk-secret");
    assert.throws(() => withParameters({ "*": "m" }, [setting]), isSafe);
  }
  const key = "sk-secret-0123456789abc";
  const mistaken = [
    `headers:{"a":"${key}"}`,
    `headers {"a":"Basic ${key}=="}`,
    key,
    `temperature=${key}`,
    `headers: ${key}`,
  ];
  for (const setting of mistaken) {
    assert.throws(
      () => withParameters({ "*": "m" }, [setting]),
      (error: Error) => /--param/.test(error.message) && !/secret/.test(error.message),
    );
  }
});

Deno.test("withParameters() refuses what a request sets itself in an extra body, which price and budget go by", () => {
  for (
    const [field, remedy] of [["model", "each request sets it"], ["n", "each request sets it"], [
      "max_tokens",
      "set maxTokens",
    ]]
  ) {
    const message = `--param extraBody=… is wrong: its field "${field}" is not free: ${remedy}`;
    assert.throws(() => withParameters({ "*": "m" }, [`extraBody={"top_k": 2, "${field}": 9}`]), {
      name: "UsageError",
      message,
    });
  }
});

Deno.test("withParameters() refuses a ceiling or a number of choices in an extra body under each API's name of it, at any depth", () => {
  const takes = (extraBody: object): RoleMap =>
    withParameters({ "*": "m" }, [`extraBody=${JSON.stringify(extraBody)}`]);
  const ceilings = [
    "maxOutputTokens",
    "max_output_tokens",
    "max_new_tokens",
    "maxTokens",
    "n_predict",
  ].map((name) => ({ [name]: 9 }));
  const deep = [{ generationConfig: { maxOutputTokens: 9 } }, { options: { num_predict: 9 } }, {
    a: [{ b: { max_completion_tokens: 9 } }],
  }];
  for (const body of [...ceilings, ...deep]) {
    assert.throws(() => takes(body), /is not free: set maxTokens$/, JSON.stringify(body));
  }
  for (const body of [{ generationConfig: { candidateCount: 4 } }, { best_of: 4 }]) {
    assert.throws(() => takes(body), /is not free: each request sets it$/);
  }
  const free = {
    generationConfig: { topK: 40, thinkingConfig: { thinkingBudget: 0 } },
    reasoning: { max_tokens: 2000 }, // OpenRouter's, of the reasoning alone
    provider: { model: "x", input: "y" },
    json_schema: { properties: { max_tokens: {} } },
    min_tokens: 1,
  };
  assert.deepEqual(takes(free), { "*": { model: "m", extraBody: free } });
});

Deno.test("parseRoleMap() repeats no key of a file that is no JSON, and takes none for a model", () => {
  const file = Deno.makeTempFileSync({ suffix: ".json" });
  const key = "sk-secret-0123456789abc";
  for (
    const [text, message] of [
      [
        `{"*": {"model": "m", "headers": {"authorization": ${key}}}}`,
        /cannot read the role map .*: Unexpected token 's'; it must be/,
      ],
      [`{"*": "${key}"}`, /at \*: this is no model's id but looks like a key/],
      [`{"*": {"model": "${key}"}}`, /at \*\.model: this is no model's id but looks like a key/],
    ] as const
  ) {
    Deno.writeTextFileSync(file, text);
    assert.throws(
      () => parseRoleMap(file),
      (error: Error) => message.test(error.message) && !inspect(error).includes("secret"),
      text,
    );
  }
  assert.throws(() => parseRoleMap(key), /looks like a key/);
  Deno.removeSync(file);
});

Deno.test("parseRoleMap() refuses a key in place of the name of its variable, and does not repeat it", () => {
  const file = Deno.makeTempFileSync({ suffix: ".json" });
  for (const key of ["sk-secret-0123", "hf_secretsecretsecret0123", "f00dsecret0123456789abcdef"]) {
    Deno.writeTextFileSync(file, JSON.stringify({ "*": { model: "m", keyEnv: key } }));
    const isSafe = ({ message }: Error): boolean =>
      /at \*\.keyEnv: .*name of an environment variable/.test(message) &&
      !message.includes("secret0123");
    assert.throws(() => parseRoleMap(file), isSafe);
  }
  Deno.removeSync(file);
});

Deno.test("bindingIdentity() holds what decides replies and nothing else", () => {
  assert.equal(bindingIdentity("m"), "m");
  assert.equal(
    bindingIdentity({
      model: "m",
      baseUrl: "http://x/v1",
      timeoutSeconds: 9,
      concurrency: 2,
      headers: { a: "b" },
    }),
    "m",
  );
  assert.equal(
    bindingIdentity({ model: "m", style: "completion", temperature: 0 }),
    'm (completion) {"temperature":0}',
  );
  assert.equal(bindingIdentity({ model: "m", enforceForms: true, provider: "anthropic" }), "m");
  assert.equal(bindingIdentity({ model: "m", enforceForms: false }), 'm {"enforceForms":false}');
  assert.equal(bindingIdentity({ model: "m", thinkingTokens: 500 }), 'm {"thinkingTokens":500}');
});
