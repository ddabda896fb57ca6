/**
 * `./lab bench prompts [--store <file>] [--study <id>] [--price <model>] [--json]`: what a server that caches prefixes can keep of the prompts that
 * a store has recorded.
 */

import { measurePrompts, type PromptCosts } from "../bench/prompts.ts";
import { UsageError } from "../../core/errors.ts";
import { listPrices, priceOf } from "../../core/llm/prices.ts";
import { conditionName } from "../../report/textworld-names.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { command } from "./command.ts";
import { inColumns, printResult } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

/** Prints a table for each study of the store, or one JSON array; status 1 if nothing is recorded there. */
export const benchPrompts = command({
  name: "bench prompts",
  says: "measure what a server that caches prefixes can keep of the prompts that a store has recorded",
  options: {
    study: { value: "id", says: "this study alone" },
    price: { value: "model", says: "the model to price by", default: "gpt-4o", read: readPriced },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, async ({ study, price, json, ...values }) => {
  using store = openNamedStore(values.store, { create: false });
  const costs = await measurePrompts(store, { study, price });
  if (costs.length === 0) {
    const which = study ? ` of the study ${study}${didYouMean(study, listStudies(store))}` : "";
    throw new UsageError(`the store holds no completed episode with prompts${which}`);
  }
  printResult(costs, json, (rows) => tablesOf(rows, price));
  return 0;
});

function readPriced(option: string, text: string): string {
  if (priceOf(text)) return text;
  const near = didYouMean(text, Object.keys(listPrices()));
  throw new UsageError(`${option} ${text} names a model without a price${near}; ./lab prices lists those that have one`);
}

function tablesOf(costs: readonly PromptCosts[], price: string): string {
  const head =
    "Per agent step: prompt tokens (o200k), the share that a cache of 16-token prefix blocks holds within an episode, the tokens that it " +
    `does not hold, and US dollars at the price of ${price}, replies included.\n`;
  const tables = Map.groupBy(costs, ({ study }) => study).entries().map(([study, rows]) =>
    `\n${study}\n${inColumns([["", "episodes", "calls", "prompt", "held", "uncached", "USD", "paper's prompt"], ...rows.map(lineOf)])}`
  );
  return head + [...tables].join("");
}

function lineOf({ condition, role, episodes, steps, calls, prompt, held, uncached, dollars, paper }: PromptCosts): string[] {
  return [
    role === undefined ? conditionName(condition) : `  ${role}`,
    role === undefined ? String(episodes) : "",
    (calls / steps).toFixed(2),
    prompt.toFixed(0),
    `${(100 * held).toFixed(1)} %`,
    uncached.toFixed(0),
    dollars?.toFixed(5) ?? "",
    paper ? `${paper.prompt}${paper.of === "step" ? "" : ` at ${paper.of}`}` : "",
  ];
}
