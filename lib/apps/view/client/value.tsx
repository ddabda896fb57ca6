/** Any JSON value, laid out: what methods report of a step has the form that each gives it. */

import type { JSX } from "preact";
import { Foreign, Named } from "./kit.tsx";

/** Shows a value; text that is itself JSON is shown as what it says. */
export function Value({ value }: { readonly value: unknown }): JSX.Element {
  const shown = typeof value === "string" ? parsed(value) : value;
  if (Array.isArray(shown)) {
    return (
      <ol class="value">
        {shown.map((item, at) => (
          <li key={at}>
            <Value value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof shown === "object" && shown !== null) {
    return (
      <dl class="value">
        {Object.entries(shown).map(([name, member]) => (
          <Named key={name} name={name}>
            <Value value={member} />
          </Named>
        ))}
      </dl>
    );
  }
  return typeof shown === "string" ? <Foreign text={shown} /> : <span>{String(shown)}</span>;
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
