/** `./lab prices [--json]`: the price of every model that the lab knows, with date and source. */

import { type ListedPrice, listPrices } from "../../core/llm/prices.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { inColumns, printResult } from "./options.ts";

const COLUMNS = [
  "model",
  "prompt",
  "cached",
  "written",
  "completion",
  "picture",
  "date",
  "retires",
  "source",
] as const;

export const main = command({ name: "prices", options: JSON_OPTION }, ({ json }) => {
  printResult(listPrices(), json, tableOf);
  return 0;
});

function tableOf(prices: Readonly<Record<string, ListedPrice>>): string {
  const rows = Object.entries(prices).map(([model, price]) => {
    const cells: Readonly<Record<string, unknown>> = { model, written: price.prompt, ...price };
    return COLUMNS.map((name) =>
      String(cells[name] ?? "").padStart(typeof cells[name] === "number" ? name.length : 0)
    );
  });
  const head =
    `US dollars per 1,000,000 tokens; "cached" ones are read from the endpoint's cache, "written" ones are written to it.\n` +
    `picture: tokens of one of 224 × 224 pixels, as GraphMind's world gives.`;
  return `${head}\n\n${inColumns([COLUMNS, ...rows])}`;
}
