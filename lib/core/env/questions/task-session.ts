/**
 * The session of a question or claim in this process: the order of calls that every world keeps to.
 */

import { WorldError } from "../../errors.ts";
import type { Document, EnvSpec, MeasuredEnvironment, Turn } from "../environment.ts";
import type { Question } from "./question.ts";

export interface TaskSession {
  readonly spec: EnvSpec;
  readonly name: string;
  readonly asked: Turn;
  readonly begin?: () => void;
  /** The turn that follows an action. @throws {WorldError} `bad-action` */
  readonly answer: (action: string) => Turn;
  readonly truth: Readonly<Record<string, unknown>>;
}

export function truthOf(
  { id, answer, aliases, supporting }: Pick<Question, "id" | "answer" | "aliases"> & {
    readonly supporting: readonly Document[];
  },
): Readonly<Record<string, unknown>> {
  return { id, answer, aliases, supporting: supporting.map(({ title }) => title) };
}

/**
 * The task as an environment: a reset comes first, nothing follows the end, and nothing follows
 * `close`.
 */
export function createTaskSession(
  { spec, name, asked, begin, answer, truth }: TaskSession,
): MeasuredEnvironment {
  let last: Turn | undefined;
  let closed = false;

  function whileOpen<T>(call: () => T): Promise<T> {
    return Promise.try(() => {
      if (closed) throw new WorldError("unknown-session", `${name} has been closed; open it again`);
      return call();
    });
  }

  return {
    spec,
    reset: () =>
      whileOpen(() => {
        begin?.();
        last = asked;
        return asked;
      }),
    step: (action) =>
      whileOpen(() => {
        if (!last) {
          throw new WorldError("out-of-order", `${name} has not been reset; call reset first`);
        }
        if (last.end) {
          throw new WorldError("ended", `${name} has been answered; reset it to answer again`);
        }
        last = answer(action);
        return last;
      }),
    validActions: () => whileOpen(() => undefined),
    truth: () => whileOpen(() => truth),
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}
