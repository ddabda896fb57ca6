/**
 * What tokens cost.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { projectRoot } from "../platform.ts";
import type { Usage } from "./chat-model.ts";

/** What tokens cost, in US dollars per 1,000,000 of them; each ≥ 0. */
export interface Price {
  /** Prompt tokens that are not read from the endpoint's cache. */
  readonly prompt: number;
  /** Prompt tokens read from the endpoint's cache; where an endpoint gives no discount, the same as `prompt`. */
  readonly cached: number;
  /** Completion tokens; reasoning tokens count as such. */
  readonly completion: number;
}

/** A line of `data/prices.json`. */
export interface ListedPrice extends Price {
  /** Who says so, e.g. `OpenAI, API price list`. */
  readonly source: string;
  /** A month in which the source said so, `YYYY-MM`. */
  readonly date: string;
  /** The day on which its maker turns the model off, `YYYY-MM-DD`. */
  readonly retires?: string;
}

/** Model → price, as `data/prices.json` lists them. */
export const PRICES: Readonly<Record<string, ListedPrice>> =
  (JSON.parse(readFileSync(`${projectRoot}data/prices.json`, "utf8")) as { models: Record<string, ListedPrice> }).models;

/**
 * The price of a model, by its id or, for a dated snapshot (`gpt-4o-2024-08-06`), by the id without the date. Every offline model costs
 * nothing. `undefined` where the table has none.
 *
 * @example
 * ```ts
 * import { priceOf } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * assert.equal(priceOf("gpt-4o-2024-08-06"), priceOf("gpt-4o"));
 * assert.equal(priceOf("offline")?.completion, 0);
 * assert.equal(priceOf("a model of one's own"), undefined);
 * ```
 */
export function priceOf(model: string): ListedPrice | undefined {
  const undated = model.replace(/-\d{4}-\d{2}-\d{2}$/, "");
  const name = [isOffline(model) ? "offline" : model, undated].find((name) => Object.hasOwn(PRICES, name));
  return name === undefined ? undefined : PRICES[name];
}

/** Whether a model is the rule-based backbone, with whatever knobs. */
export function isOffline(model: string): boolean {
  return /^offline\b/.test(model);
}

/**
 * What a call costs in US dollars; `null` without a price.
 *
 * @example
 * ```ts
 * import { dollarsFor, priceOf } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const usage = { prompt: 1000, cached: 400, completion: 100, reasoning: 0 };
 * assert.equal(dollarsFor(usage, priceOf("gpt-4o")), (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6);
 * assert.equal(dollarsFor(usage, priceOf("a model of one's own")), null);
 * ```
 */
export function dollarsFor(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  return ((usage.prompt - usage.cached) * price.prompt + usage.cached * price.cached + usage.completion * price.completion) / 1e6;
}
