/**
 * Our meter's arithmetic held against the logged sums of tokens and dollars.
 *
 * @module
 */

import { addUsage } from "../llm/asker.ts";
import { dollarsFor, priceOf } from "../llm/prices.ts";
import type { StepFindings } from "./report.ts";
import type { Step } from "./steps.ts";

/** Dollars by which a sum of exact costs may be off: they were added as floating-point numbers. */
const EXACT = 1e-9;
/** Dollars by which a sum of costs printed with two digits may be off. */
const ROUNDED = 0.0151;

/** The backbone of the published games (AriGraph §4). */
const PRICE = priceOf("gpt-4-0125-preview");

/**
 * Checks that the attempt's sums after a step are those before it and what the step used, and that plan and action, whose tokens are logged,
 * cost no more than the step, to which the memory's calls belong too. Where the log does not print a number, nothing is compared with it.
 */
export function holdMeter(step: Step, before: Step | undefined, findings: StepFindings): void {
  const { tokens, dollars } = step;
  if (tokens?.calls && (before?.tokens || step.number === 1)) {
    const sum = tokens.calls.reduce(addUsage, before?.tokens?.sum ?? { prompt: 0, completion: 0, cached: 0, reasoning: 0 });
    const itemised = dollarsFor(tokens.calls.reduce(addUsage), PRICE);
    if (dollars && itemised !== null) {
      findings.hold("meter", "no more than the step", itemised <= dollars.step ? "no more than the step" : `${itemised}$`);
    }
    findings.hold("meter", `${tokens.sum.prompt} + ${tokens.sum.completion}`, `${sum.prompt} + ${sum.completion}`);
  }
  if (dollars && (before?.dollars || step.number === 1)) {
    const sum = (before?.dollars?.attempt ?? 0) + dollars.step;
    const near = Math.abs(sum - dollars.attempt) <= (dollars.rounded ? ROUNDED : EXACT);
    findings.hold("meter", `${dollars.attempt}$`, near ? `${dollars.attempt}$` : `${sum}$`);
  }
}
