/**
 * The wire protocol of the world server, version 1. A test compares it with the server's
 * `envs/schema.json`. Unknown fields are refused on both sides.
 */

import { z } from "zod";
import { WORLD_SERVER_ERRORS } from "../errors.ts";

export const PROTOCOL_VERSION = 1;

const json = z.record(z.string(), z.unknown());
const texts = z.record(z.string(), z.string());
const session = z.string().min(1).max(64);
const none = z.strictObject({});
/** Index of the binary frame that holds the PNG; 0 is the first after the JSON. */
const image = z.int().nullable();

const action = z.strictObject({
  name: z.string(),
  params: z.array(z.string()),
  description: z.string(),
  explores: z.boolean(),
});

const spec = z.strictObject({
  id: z.string(),
  version: z.string(),
  parameters: json,
  sections: z.array(z.string()),
  actions: z.array(action),
  fallback: z.string(),
  identity: z.string(),
});

const frame = z.strictObject({
  action: z.string(),
  observation: z.string(),
  sections: texts,
  image,
});

const turn = z.strictObject({
  goal: z.string(),
  observation: z.string(),
  sections: texts,
  frames: z.array(frame),
  score: z.number(),
  maxScore: z.number(),
  end: z.enum(["won", "lost", "limit"]).nullable(),
  image,
});

const errorBody = z.strictObject({ code: z.enum(WORLD_SERVER_ERRORS), message: z.string() });

/** Method → what its request's `params` and its reply's `ok` hold. */
export const METHODS = {
  hello: {
    params: none,
    ok: z.strictObject({
      protocol: z.int(),
      version: z.string(),
      worlds: z.array(z.string()),
      pid: z.int(),
      leaseSeconds: z.number(),
      maxSessions: z.int(),
    }),
  },
  list: {
    params: none,
    ok: z.strictObject({
      worlds: z.array(
        z.strictObject({
          id: z.string(),
          doc: z.string(),
          parameters: json,
          problem: z.string().nullable(),
        }),
      ),
    }),
  },
  open: {
    params: z.strictObject({ world: z.string(), params: json.optional() }),
    ok: z.strictObject({ session, spec }),
  },
  reset: { params: z.strictObject({ session }), ok: turn },
  step: { params: z.strictObject({ session, step: z.int().min(1), action: z.string() }), ok: turn },
  direct: { params: z.strictObject({ session }), ok: z.strictObject({ path: z.string() }) },
  validActions: {
    params: z.strictObject({ session }),
    ok: z.strictObject({ actions: z.array(z.string()).nullable() }),
  },
  truth: { params: z.strictObject({ session }), ok: z.strictObject({ truth: json }) },
  close: { params: z.strictObject({ session }), ok: none },
  ping: { params: none, ok: z.strictObject({ sessions: z.int() }) },
} as const;

export type Method = keyof typeof METHODS;
export type Params<M extends Method> = z.output<(typeof METHODS)[M]["params"]>;
export type Ok<M extends Method> = z.output<(typeof METHODS)[M]["ok"]>;

export const okMessage = z.strictObject({ v: z.int(), id: z.string(), ok: json });

export const errorMessage = z.strictObject({
  v: z.int(),
  id: z.string().nullable(),
  error: errorBody,
});

export const replyMessage = z.union([okMessage, errorMessage]);
