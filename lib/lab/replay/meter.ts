/**
 * Our meter's arithmetic held against the logged sums of tokens and dollars.
 *
 * @module
 */

import { addUsage } from "../../llm/asker.ts";
import type { StepFindings } from "./report.ts";
import type { Step } from "./steps.ts";

/** Dollars by which a sum of exact costs may be off: they were added as floating-point numbers. */
const EXACT = 1e-9;
/** Dollars by which a sum of costs printed with two digits may be off. */
const ROUNDED = 0.0151;

/** The attempt's sums after a step are those before it and what the step used; the calls that are itemised cost no more than the step. */
export function holdMeter(step: Step, before: Step | undefined, findings: StepFindings): void {
  const { tokens, dollars } = step;
  if (tokens) {
    const sum = tokens.calls.reduce(addUsage, before?.tokens?.sum ?? { prompt: 0, completion: 0, cached: 0, reasoning: 0 });
    findings.hold("meter", `${tokens.sum.prompt} + ${tokens.sum.completion}`, `${sum.prompt} + ${sum.completion}`);
  }
  if (dollars && (before?.dollars || step.number === 1)) {
    const sum = (before?.dollars?.attempt ?? 0) + dollars.step;
    const near = Math.abs(sum - dollars.attempt) <= (dollars.rounded ? ROUNDED : EXACT);
    findings.hold("meter", `${dollars.attempt}$`, near ? `${dollars.attempt}$` : `${sum}$`);
  }
}
