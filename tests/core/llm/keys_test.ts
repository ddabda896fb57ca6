/** Keys of several endpoints: whatever one of them repeats, none of them is written. */

import assert from "node:assert/strict";
import { bindingIdentity, recordedMap, type RoleMap } from "../../../lib/core/llm/roles.ts";
import { rememberKeys } from "../../../lib/core/llm/providers.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { askOnce } from "./asking.ts";
import { completion, failure, failureOf, startFakeEndpoint } from "./fake-endpoint.ts";
import { withVariables } from "../../environment.ts";

/** Keys of no well-known form. */
const [FIRST, SECOND, TEAM] = ["first7c1d9e0042", "first7c1d9e0042second", "team5550f2ab31"];

/** Everything that a store holds, as one text. */
function contentOf(store: Store): string {
  const tables = store.prepare("select name from sqlite_master where type = 'table'").all().map((
    { name },
  ) => String(name));
  return JSON.stringify(tables.map((table) => store.prepare(`select * from "${table}"`).all()));
}

Deno.test("a reply and an error of one endpoint hold no key of another one, which has not been called yet", async () => {
  using _keys = withVariables({ FIRST_GATE: FIRST, SECOND_GATE: SECOND });
  {
    await using first = startFakeEndpoint();
    await using second = startFakeEndpoint();
    const map: RoleMap = {
      "demo/a": {
        model: "a",
        baseUrl: first.baseUrl,
        keyEnv: "FIRST_GATE",
        extraBody: { customer: `user ${SECOND}` },
      },
      "demo/b": {
        model: "b",
        baseUrl: second.baseUrl,
        keyEnv: "SECOND_GATE",
        headers: { "x-team": TEAM },
      },
    };
    using store = openStore(":memory:");
    first.behave(
      () => completion(`it is ${SECOND}, ${TEAM}`),
      () => failure(400, `no ${SECOND} of ${TEAM}`),
    );
    const ask = (content: string): ReturnType<typeof askOnce> => askOnce(map, store, { content });
    assert.equal((await ask("Hi")).choices[0].text, "it is …, …");
    assert.match((await failureOf(ask("Ho"))).message, /answered 400 no … of …$/);
    assert.equal(first.asked[0]?.body["customer"], `user ${SECOND}`, "it is sent");
    for (const key of [FIRST, SECOND, TEAM, "second"]) {
      assert.ok(!contentOf(store).includes(key), key);
    }
    assert.ok(!JSON.stringify(recordedMap(map)).includes(SECOND));
  }
});

Deno.test("a key with quotation marks stands in no reply and no error that quotes it as JSON", async () => {
  const [key, team] = ['key"7c1d\\9e0042', 'team"5550\\f2ab31'];
  using _key = withVariables({ QUOTED_GATE: key });
  {
    await using endpoint = startFakeEndpoint();
    const map: RoleMap = {
      "*": {
        model: "a",
        baseUrl: endpoint.baseUrl,
        keyEnv: "QUOTED_GATE",
        headers: { "x-team": team },
      },
    };
    using store = openStore(":memory:");
    const quoted = JSON.stringify({ key, team });
    endpoint.behave(() => completion(quoted), () => failure(400, `no ${quoted}`));
    const ask = (content: string): ReturnType<typeof askOnce> => askOnce(map, store, { content });
    assert.equal((await ask("Hi")).choices[0].text, '{"key":"…","team":"…"}');
    assert.match((await failureOf(ask("Ho"))).message, /answered 400 no {"key":"…","team":"…"}$/);
  }
});

Deno.test("the date of an API's version, in a query or a header, and words of headers are no secrets", async () => {
  await using endpoint = startFakeEndpoint();
  const baseUrl = `${endpoint.baseUrl}?api-version=2031-10-21`;
  const map: RoleMap = {
    "*": {
      model: "m",
      baseUrl,
      headers: {
        "api-version": "2031-11-20",
        "x-title": "experiments",
        "x-team": "explorers of labyrinths",
      },
    },
  };
  rememberKeys(map);
  using store = openStore(":memory:");
  const said = "gpt-2031-10-21 and gpt-2031-11-20: experiments in labyrinths";
  endpoint.behave(() => completion(said));
  const { choices } = await askOnce(map, store);
  assert.equal(choices[0].text, said);
});

Deno.test("a key of no known form under a harmless name in extraBody stands in no record, and decides no answer", async () => {
  await using endpoint = startFakeEndpoint();
  for (const key of ["xq9e4e5f6a7b8c9d0e1f22", "0b8e7c1a-52d4-4f6e-9a3b-8c7d6e5f4a3b"]) {
    const extraBody = {
      customer: key,
      top_k: 3,
      note: "short1",
      template: "a b c d e f g h i j k l m 1",
    };
    const map: RoleMap = { "*": { model: "m", baseUrl: endpoint.baseUrl, extraBody } };
    using store = openStore(":memory:");
    endpoint.behave(() => completion(`it is ${key}`));
    const { choices } = await askOnce(map, store);
    assert.equal(choices[0].text, "it is …");
    assert.equal(endpoint.asked.at(-1)?.body["customer"], key, "it is sent");
    assert.ok(!contentOf(store).includes(key));
    const recorded = recordedMap(map)["*"] as { extraBody: object };
    assert.deepEqual(recorded.extraBody, { ...extraBody, customer: "(hidden)" });
    assert.equal(
      bindingIdentity(map["*"] ?? ""),
      bindingIdentity({ model: "m", extraBody: { ...extraBody, customer: "(hidden)" } }),
    );
  }
});

Deno.test("an address and a key are sent without the spaces around them", async () => {
  await using endpoint = startFakeEndpoint();
  const key = "spaced7c1d9e0042";
  using _ = withVariables({ OPENAI_BASE_URL: ` ${endpoint.baseUrl} `, OPENAI_API_KEY: `${key}\n` });
  using store = openStore(":memory:");
  endpoint.behave(() => failure(400, `no ${key}`));
  const { message } = await failureOf(askOnce({ "*": "m" }, store));
  assert.equal(endpoint.asked[0]?.authorization, `Bearer ${key}`);
  assert.match(message, /answered 400 no …$/);
});

Deno.test("a key of one letter, as servers without keys are given, stands in no message's way, and a short one in no word's", async () => {
  await using endpoint = startFakeEndpoint();
  for (
    const [key, said] of [["a", "answered 400 a bad parameter: ollama-7b"], [
      "ollama",
      "no ollama-7b of … is loaded",
    ]] as const
  ) {
    using _ = withVariables({ OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_API_KEY: key });
    using store = openStore(":memory:");
    endpoint.behave(() =>
      failure(400, key === "a" ? "a bad parameter: ollama-7b" : "no ollama-7b of ollama is loaded")
    );
    const { message } = await failureOf(askOnce({ "*": "m" }, store));
    assert.ok(message.includes(said), message);
  }
});
