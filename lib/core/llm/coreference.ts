/**
 * Coreference resolution by a Stanford CoreNLP server: pronouns are replaced by the entities they
 * refer to. The text is POSTed with `properties` (JSON) in the query; the answer has
 * `sentences[].tokens[]` (with character offsets) and `corefs`, chains of mentions by sentence and
 * token, from 1.
 */

import { z } from "zod";
import { jsonOf } from "../text/json.ts";
import { ModelError, UsageError } from "../errors.ts";

export type ResolveCoreference = (
  text: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<string>;

/**
 * Creates a resolver over a CoreNLP server. It replaces each pronoun by its chain's representative
 * mention, a possessive one by the genitive.
 * @param url the server's address, such as `http://localhost:9000`
 * @throws {UsageError} if the address is no http(s) URL. The resolver throws {@linkcode
 * ModelError}: `no-endpoint`, `timeout`, `server` or `bad-request` by the status, `protocol` if the
 * answer is not CoreNLP's.
 */
export function createCoreNlpResolver(
  url: string,
  { timeoutMs = 60_000 }: { readonly timeoutMs?: number } = {},
): ResolveCoreference {
  const address = addressOf(url);
  address.searchParams.set(
    "properties",
    JSON.stringify({
      annotators: "tokenize,ssplit,pos,lemma,ner,parse,coref",
      outputFormat: "json",
    }),
  );
  return async (text, { signal } = {}) => {
    if (text.trim() === "") return text;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let body: string;
    try {
      response = await fetch(address, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: text,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      body = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const [kind, why] = timeout.aborted
        ? ["timeout" as const, `gave no answer in ${timeoutMs} ms`]
        : ["no-endpoint" as const, "does not answer"];
      throw new ModelError(
        kind,
        `the CoreNLP server at ${url} ${why}: start it there, or choose coreference none or model`,
        {
          cause: error,
        },
      );
    }
    if (!response.ok) {
      const kind = response.status >= 500 ? "server" : "bad-request";
      throw new ModelError(
        kind,
        `the CoreNLP server at ${url} answered ${response.status}: ${
          oneLine(body) || "nothing"
        }; read its log`,
      );
    }
    return withoutPronouns(text, read(body, url));
  };
}

function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw new UsageError(
    `coreference wants none, model or the address of a CoreNLP server such as http://localhost:9000, not ${
      JSON.stringify(url)
    }`,
  );
}

const documentSchema = z.object({
  sentences: z.array(z.object({
    tokens: z.array(
      z.object({ characterOffsetBegin: z.int().min(0), characterOffsetEnd: z.int().min(0) }),
    ),
  })),
  corefs: z.record(
    z.string(),
    z.array(z.object({
      text: z.string(),
      type: z.string(),
      sentNum: z.int().min(1),
      startIndex: z.int().min(1),
      endIndex: z.int().min(1),
      isRepresentativeMention: z.boolean(),
    })),
  ),
});

function read(body: string, url: string): z.output<typeof documentSchema> {
  const value = jsonOf(body);
  const parsed = documentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const what = value === undefined
    ? "no JSON"
    : `${issue?.path.join(".") || "its top"}: ${issue?.message}`;
  throw new ModelError(
    "protocol",
    `the CoreNLP server at ${url} did not answer as CoreNLP does (${what}): check what is served there`,
  );
}

function withoutPronouns(
  text: string,
  { sentences, corefs }: z.output<typeof documentSchema>,
): string {
  const edits = Object.values(corefs).flatMap((chain) => {
    const name = chain.find(({ isRepresentativeMention, type }) =>
      isRepresentativeMention && type !== "PRONOMINAL"
    )?.text;
    if (name === undefined) return [];
    return chain.filter(({ type }) => type === "PRONOMINAL").flatMap(
      ({ sentNum, startIndex, endIndex }) => {
        const tokens = sentences[sentNum - 1]?.tokens ?? [];
        const [first, last] = [tokens[startIndex - 1], tokens[endIndex - 2]];
        return first && last
          ? [{ from: first.characterOffsetBegin, to: last.characterOffsetEnd, name }]
          : [];
      },
    );
  });
  // applied from the end of the text, so that the offsets before stay valid
  return edits.sort((a, b) => b.from - a.from).reduce((shown, { from, to, name }) => {
    const possessive = /^(?:its|his|her|their|my|your|our)$/i.test(shown.slice(from, to));
    return shown.slice(0, from) + name + (possessive ? "'s" : "") + shown.slice(to);
  }, text);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}
