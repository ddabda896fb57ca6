/**
 * What models at all endpoints have in common: key and address, the fallback where a JSON Schema is
 * refused, and the errors of a call.
 */

import { ModelError } from "../errors.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import { isMissedForm, withoutSecrets } from "./endpoint-errors.ts";
import { REFUSED_FORM } from "./endpoint-verdicts.ts";
import { readReply } from "./openai-reply.ts";
import { hasBounds, refuse, withoutBounds } from "./refusals.ts";
import { knownSecrets, SHORTEST_SECRET } from "../text/secrets.ts";
import {
  type Api,
  type Client,
  type Connection,
  connectionOf,
  type EndpointOptions,
} from "./endpoint-connection.ts";

/**
 * Creates a model at an endpoint. Each call is one attempt. Key and address are read at the first
 * call. A parameter, schema bounds or schema that the endpoint refuses is left out from then on; no
 * schema is sent with tools, nor after two answers that missed it. If it gives fewer choices than
 * requested, the error is that of a refusal, and `createModels` asks for each.
 */
export function createEndpointModel(
  model: string,
  api: Api,
  client: Client,
  options: EndpointOptions,
): ChatModel {
  const { refusals = new Map() } = options;
  return {
    id: model,
    chat: async (asked) => {
      const { ticket = {} } = asked;
      ticket.isSent = false;
      const connection = connectionOf(model, api, options);
      const place = `${model} at ${connection.baseUrl}`;
      const refused = [...refusals.get(place) ?? []];
      const request = permitted(asked, refused);
      request.signal?.throwIfAborted();
      let sent: Awaited<ReturnType<Client["send"]>>;
      try {
        sent = await client.send(request, { ...connection, refused });
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof ModelError) throw error;
        const failure = await client.explain(error, connection);
        const { kind, message, cause, usage } = failure;
        if (isMissedForm(failure)) ticket.missedForms = (ticket.missedForms ?? 0) + 1;
        const what = kind === "bad-request"
          ? refusedIn(message, request, refused, options)
          : undefined;
        if (what === undefined) throw failure;
        refuse(refusals, place, what);
        throw new ModelError(kind, message, { cause, usage, retryAfterMs: 0 }); // without it may pass
      }
      const reply = await readReply(
        withoutEchoes(sent.completion, connection),
        sent.counted,
        connection,
      );
      if (reply.choices.length >= (request.n ?? 1)) return reply;
      const { usage, choices } = reply;
      const what =
        `${model} at ${connection.host}: gave ${choices.length} choices of the ${request.n} asked for`;
      throw new ModelError("bad-request", what, { usage });
    },
  };
}

/** Answers of one call that may miss the enforced form; then it is asked for in words alone. */
const MISSED_FORMS = 2;

function permitted(asked: ChatRequest, refused: readonly string[]): ChatRequest {
  const { tools, schema, ticket = {} } = asked;
  const isFree = tools?.length || refused.includes("schema") ||
    (ticket.missedForms ?? 0) >= MISSED_FORMS;
  const isSampled = !SAMPLED.some(([name]) => refused.includes(name));
  return {
    ...asked,
    schema: isFree || !schema
      ? undefined
      : refused.includes("bounds")
      ? withoutBounds(schema)
      : schema,
    sampling: isSampled
      ? asked.sampling
      : { ...asked.sampling, temperature: undefined, topP: undefined },
  };
}

function withoutEchoes(completion: unknown, { secrets }: Connection): unknown {
  const text = JSON.stringify(completion) ?? "";
  const all = [...secrets.filter((secret) => secret.length >= SHORTEST_SECRET), ...knownSecrets];
  const escaped = all.map((secret) => JSON.stringify(secret).slice(1, -1));
  return escaped.some((secret) => text.includes(secret))
    ? JSON.parse(withoutSecrets(text, { secrets: escaped }))
    : completion;
}

/**
 * What is left out where an endpoint refuses either, by the endpoint's name and ours; of the two
 * limits of an answer the other one is sent.
 */
const SAMPLED = [["temperature", "temperature"], ["top_p", "topP"]] as const;
const isLimit = (parameter: string): boolean => parameter.startsWith("max_");
const REFUSAL =
  /unsupported|not support|only the default|deprecated|not (permitted|allowed)|unrecognized|unknown (param|field|arg)/i;

/**
 * What an error refuses, unless it had been left out (`known`), or the user set it: then the error
 * is the answer.
 */
function refusedIn(
  message: string,
  { schema, sampling = {} }: ChatRequest,
  known: readonly string[],
  own: EndpointOptions,
): string | undefined {
  if (schema && (REFUSED_FORM.test(message) || /schema/i.test(message))) {
    return hasBounds(schema) ? "bounds" : "schema";
  }
  const [name = ""] = /max_(completion_)?tokens|temperature|top_p/.exec(message) ?? []; // before the one to take instead
  const isOurs = isLimit(name)
    ? sampling.maxTokens !== undefined && !known.some(isLimit)
    : SAMPLED.some(([, field]) => sampling[field] !== undefined) &&
      !SAMPLED.some(([, field]) => Object.hasOwn(own, field));
  return name && isOurs && REFUSAL.test(message) ? name : undefined;
}
