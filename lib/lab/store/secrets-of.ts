/** Keys and names of folders, which must not be in a record that is passed on. */

import { homedir } from "node:os";
import process from "node:process";
import { checkoutRoot } from "../../core/platform.ts";
import { HIDDEN, secretTexts } from "../../core/text/secrets.ts";
import type { Store } from "./open.ts";
import { getStudy } from "./studies.ts";

export interface Secret {
  readonly text: string;
  readonly what: string;
}

interface Described {
  readonly models?: Readonly<Record<string, string | DescribedBinding>>;
}

interface DescribedBinding {
  readonly keyEnv?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** The keys of environment and role maps and this machine's folders, from 8 characters on. */
export function secretsOf(store: Store, studies: readonly string[]): Secret[] {
  const bindings = studies.flatMap((id) =>
    Object.values((getStudy(store, id) as Described).models ?? {})
  ).filter((one) => typeof one !== "string");
  const keyNames = new Set(bindings.map(({ keyEnv }) => keyEnv));
  const secrets = [
    ...Object.entries(process.env).filter(([name]) =>
      keyNames.has(name) || /KEY|TOKEN|SECRET|PASSWORD/i.test(name)
    )
      .map(([name, text = ""]) => ({ text, what: `the value of ${name}` })),
    // Of stores written before secrets were hidden in them.
    ...bindings.flatMap(({ headers = {} }) => Object.entries(headers)).map(([name, text]) => ({
      text,
      what: `the header ${name}`,
    })),
    ...bindings.flatMap(({ extraBody }) => secretTexts(extraBody)).map((text) => ({
      text,
      what: "a key in extraBody",
    })),
    { text: checkoutRoot().replace(/\/$/, ""), what: "the path of this checkout" },
    { text: homedir(), what: "the path of a home folder" },
  ];
  return secrets.filter(({ text }) => text.length >= 8 && text !== HIDDEN);
}
