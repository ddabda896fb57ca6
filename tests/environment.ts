/**
 * Environment variables for the length of a test: files of tests run in one process, where what one
 * leaves set another one finds.
 */

import process from "node:process";

/**
 * Sets variables, or takes away those that are `undefined`; disposing of the result puts all back
 * as they were.
 */
export function withVariables(values: Readonly<Record<string, string | undefined>>): Disposable {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  const set = (entries: Iterable<readonly [string, string | undefined]>): void => {
    for (const [name, value] of entries) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(Object.entries(values));
  return { [Symbol.dispose]: () => set(before) };
}
