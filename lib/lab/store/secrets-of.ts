/** Keys and names of folders, which must not be in a record that is passed on. */

import { homedir } from "node:os";
import process from "node:process";
import type { RoleMap } from "../../core/llm/roles.ts";
import { checkoutRoot } from "../../core/platform.ts";
import type { Store } from "./open.ts";
import { getStudy } from "./studies.ts";

export interface Secret {
  readonly text: string;
  readonly what: string;
}

/** The keys of environment and role maps and this machine's folders, from 8 characters on. */
export function secretsOf(store: Store, studies: readonly string[]): Secret[] {
  const keyNames = new Set(
    studies.flatMap((id) => {
      const { models = {} } = getStudy(store, id) as { readonly models?: RoleMap };
      return Object.values(models).map((one) => typeof one === "string" ? undefined : one.keyEnv);
    }),
  );
  const secrets = [
    ...Object.entries(process.env).filter(([name]) =>
      keyNames.has(name) || /KEY|TOKEN|SECRET|PASSWORD/i.test(name)
    )
      .map(([name, text = ""]) => ({ text, what: `the value of ${name}` })),
    { text: checkoutRoot().replace(/\/$/, ""), what: "the path of this checkout" },
    { text: homedir(), what: "the path of a home folder" },
  ];
  return secrets.filter(({ text }) => text.length >= 8);
}
