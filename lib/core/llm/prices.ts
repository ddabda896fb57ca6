/** Prices of models, and the cost of a call. */

import { readFileSync } from "node:fs";
import { checkoutRoot } from "../platform.ts";
import type { Usage } from "./chat-model.ts";

/** The price of a model in US dollars per 1,000,000 tokens; each field is ≥ 0. */
export interface Price {
  /** Price of prompt tokens that the endpoint does not read from its cache. */
  readonly prompt: number;
  /**
   * Price of prompt tokens read from the endpoint's cache; equal to `prompt` where the endpoint
   * gives no discount.
   */
  readonly cached: number;
  /** Price of prompt tokens that the endpoint writes to its cache. @default that of `prompt` */
  readonly written?: number;
  /** Price of completion tokens, reasoning included. */
  readonly completion: number;
  /** Prompt tokens, not dollars, of one picture of 224 × 224 pixels, as GraphMind's world gives. */
  readonly picture?: number;
}

/** The price of a model as `data/prices.json` lists it. */
export interface ListedPrice extends Price {
  /** Publisher of the price, e.g. `OpenAI, API price list`. */
  readonly source: string;
  /** A month in which the source listed it, `YYYY-MM`. */
  readonly date: string;
  /** The day on which its maker retires the model, `YYYY-MM-DD`. */
  readonly retires?: string;
}

let prices: Readonly<Record<string, ListedPrice>> | undefined;

/**
 * Reads the price of every model that `data/prices.json` lists, by the model's id. The file is read
 * at the first call.
 *
 * @example
 * ```ts
 * import { listPrices } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * assert.ok("gpt-4o" in listPrices());
 * ```
 */
export function listPrices(): Readonly<Record<string, ListedPrice>> {
  return prices ??= JSON.parse(readFileSync(`${checkoutRoot()}data/prices.json`, "utf8"))
    .models as Record<string, ListedPrice>;
}

/**
 * Finds the price of a model by its id, or that of a dated snapshot (`gpt-4o-2024-08-06`) without
 * the date; `undefined` if it is not listed. The stand-in and models on this machine cost nothing.
 */
export function priceOf(model: string): ListedPrice | undefined {
  const undated = model.replace(/-\d{4}-?\d{2}-?\d{2}$/, "");
  const listed = listPrices();
  const name = [isOffline(model) || isLocal(model) ? "offline" : model, undated].find((name) =>
    Object.hasOwn(listed, name)
  );
  return name === undefined ? undefined : listed[name];
}

export function isOffline(model: string): boolean {
  return /^offline\b/.test(model) || isSimulated(model);
}

export function isSimulated(model: string): boolean {
  return model.startsWith("sim:");
}

/**
 * Whether a model id names a language model that runs on this machine, as `./lab model` installs
 * them: `smollm2`, `qwen`, `gguf:<name>`.
 */
export function isLocal(model: string): boolean {
  return /^(smollm2|qwen|gguf:[\w.-]+)$/.test(model);
}

/**
 * Computes the cost of a call in US dollars; `null` without a price.
 */
export function dollarsFor(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  const { prompt, cached, written = 0, completion } = usage;
  const promptDollars = (prompt - cached - written) * price.prompt + cached * price.cached +
    written * (price.written ?? price.prompt);
  return (promptDollars + completion * price.completion) / 1e6;
}
