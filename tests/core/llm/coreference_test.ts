import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCoreNlpResolver } from "../../../lib/core/llm/coreference.ts";

type Answer = { readonly status?: number; readonly body?: string; readonly after?: number };

/** A server that speaks CoreNLP's protocol; `answer` is told the text and the properties. */
async function serving(
  answer: (text: string, properties: Record<string, string>) => Answer,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const properties = JSON.parse(
        new URL(request.url ?? "", "http://localhost").searchParams.get("properties") ?? "{}",
      );
      const { status = 200, body = "", after = 0 } = answer(
        Buffer.concat(chunks).toString("utf8"),
        properties,
      );
      setTimeout(() => response.writeHead(status).end(body), after);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * What CoreNLP answers: tokens by white space and punctuation; chains of [sentence, first token,
 * last token, type], the first representative.
 */
function document(
  text: string,
  chains: readonly (readonly (readonly [number, number, number, string])[])[],
): string {
  const sentences: {
    tokens: { word: string; characterOffsetBegin: number; characterOffsetEnd: number }[];
  }[] = [{ tokens: [] }];
  for (const match of text.matchAll(/[\p{L}\p{N}]+|[.,]/gu)) {
    sentences.at(-1)?.tokens.push({
      word: match[0],
      characterOffsetBegin: match.index,
      characterOffsetEnd: match.index + match[0].length,
    });
    if (match[0] === ".") sentences.push({ tokens: [] });
  }
  const corefs = Object.fromEntries(chains.map((chain, id) => [
    id,
    chain.map(([sentNum, first, last, type], place) => ({
      text: sentences[sentNum - 1]?.tokens.slice(first - 1, last).map(({ word }) =>
        word
      ).join(" ") ?? "",
      type,
      sentNum,
      startIndex: first,
      endIndex: last + 1,
      isRepresentativeMention: place === 0,
    })),
  ]));
  return JSON.stringify({ sentences: sentences.filter(({ tokens }) => tokens.length > 0), corefs });
}

const HOT = "The métal pot stands on the stove. It is hot. Its lid rattles, and it glows.";
const CHAIN = [[1, 1, 3, "NOMINAL"], [2, 1, 1, "PRONOMINAL"], [3, 1, 1, "PRONOMINAL"], [
  3,
  6,
  6,
  "PRONOMINAL",
]] as const;

Deno.test("createCoreNlpResolver() replaces pronouns by names, possessive ones by the genitive", async () => {
  const asked: string[] = [];
  await serving((text, { annotators = "", outputFormat }) => {
    asked.push(text);
    assert.match(annotators, /\bcoref\b/);
    assert.equal(outputFormat, "json");
    return { body: document(text, [CHAIN]) };
  }, async (url) => {
    const resolve = createCoreNlpResolver(url);
    assert.equal(
      await resolve(HOT),
      "The métal pot stands on the stove. The métal pot is hot. The métal pot's lid rattles, and The métal pot glows.",
    );
    assert.equal(await resolve(" \n"), " \n"); // nothing to resolve, nothing asked
  });
  assert.deepEqual(asked, [HOT]);
});

Deno.test("createCoreNlpResolver() keeps nouns, chains without a name and mentions out of range", async () => {
  const chains = [[[2, 1, 1, "PRONOMINAL"], [3, 6, 6, "PRONOMINAL"]], [[1, 1, 3, "NOMINAL"], [
    9,
    1,
    1,
    "PRONOMINAL",
  ], [
    1,
    6,
    7,
    "NOMINAL",
  ]]] as const;
  await serving((text) => ({ body: document(text, chains) }), async (url) => {
    assert.equal(await createCoreNlpResolver(url)(HOT), HOT);
  });
});

Deno.test("createCoreNlpResolver() throws a typed error with a remedy for each failure of the server", async () => {
  const failures: readonly (readonly [string, Answer])[] = [
    ["server", { status: 500, body: "java.lang.OutOfMemoryError\n\tat coref" }],
    ["bad-request", { status: 404, body: "" }],
    ["protocol", { body: "<html>hello</html>" }],
    ["protocol", { body: '{"sentences": []}' }],
    ["timeout", { body: "{}", after: 1e9 }],
  ];
  for (const [kind, answer] of failures) {
    await serving(() => answer, async (url) => {
      await assert.rejects(
        createCoreNlpResolver(url, { timeoutMs: kind === "timeout" ? 100 : 60_000 })("It glows."),
        (error: Error) => {
          assert.deepEqual([error.name, (error as Error & { kind: string }).kind], [
            "ModelError",
            kind,
          ]);
          return error.message.includes(url) && !error.message.includes("\n");
        },
      );
    });
  }
});

Deno.test("createCoreNlpResolver() throws when no server answers, or the address is invalid", async () => {
  let gone = "";
  await serving(() => ({}), (url) => Promise.resolve(void (gone = url)));
  await assert.rejects(createCoreNlpResolver(gone)("It glows."), {
    kind: "no-endpoint",
    message: /does not answer: start it there/,
  });
  for (const url of ["corenlp", "ftp://localhost", ""]) {
    assert.throws(() => createCoreNlpResolver(url), { name: "UsageError" });
  }
});

Deno.test("createCoreNlpResolver() rejects with the signal's reason when it is aborted", async () => {
  const stop = new AbortController();
  await serving(() => ({ after: 5000 }), async (url) => {
    const waiting = createCoreNlpResolver(url)("It glows.", { signal: stop.signal });
    stop.abort(new Error("stopped by the user"));
    await assert.rejects(waiting, { message: "stopped by the user" });
  });
});
