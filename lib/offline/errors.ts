/**
 * The errors that the stand-in can be made to commit, one rate each, in [0, 1], 0 by default. Seed,
 * call and subject decide each draw, so a repeated run repeats it.
 */

import { UsageError } from "../core/errors.ts";
import type { Draw } from "../core/random.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";

/** The rates of errors, and what each does. */
export interface ErrorRates {
  /** A triplet is left out. */
  readonly missedTriplet: number;
  /** A triplet gets the object of another one. */
  readonly wrongTriplet: number;
  /** GraphMind's verifier overlooks a passage through a door. */
  readonly missedDoor: number;
  /** GraphMind's verifier takes any other move for a passage. */
  readonly rotationAsPassage: number;
}

/** The draws of an error where it happens to `what` in this call, else `undefined`. */
export type Errs = (error: keyof ErrorRates, what: string) => Draw | undefined;

/** The version of the rules for missed and wrong triplets; it is part of an episode's identity. */
export const EXTRACTION_ERROR_RULES = "2";

export const NO_ERRORS: ErrorRates = {
  missedTriplet: 0,
  wrongTriplet: 0,
  missedDoor: 0,
  rotationAsPassage: 0,
};

export function checkModelOptions(modelOptions: object): void {
  checkKeys("the stand-in", modelOptions, [
    "window",
    "recall",
    "precision",
    "seed",
    ...Object.keys(NO_ERRORS),
  ]);
}

const NAMES = new Map(
  Object.keys(NO_ERRORS).map((rate) => [rate.replaceAll(/[A-Z]/g, "-$&").toLowerCase(), rate]),
);

/**
 * Reads settings such as `missed-triplet=10`, in percent.
 * @throws {UsageError} for an unknown name,
 * a repeated one, or a number outside 0 … 100.
 */
export function parseErrorRates(settings: readonly string[]): Partial<ErrorRates> {
  return Object.fromEntries(settings.map((setting, i) => {
    const [, name = "", percent = "101"] = setting.match(/^([^=]*)=(\d{1,3}(?:\.\d+)?)$/) ?? [];
    const rate = NAMES.get(name);
    if (rate === undefined || Number(percent) > 100) {
      throw new UsageError(
        `there is no error "${setting}": write <name>=<percent from 0 to 100>; names are ${
          [...NAMES.keys()].join(", ")
        }`,
      );
    }
    if (settings.findIndex((other) => other.startsWith(`${name}=`)) < i) {
      throw new UsageError(`the error ${name} is given twice: give it one percentage`);
    }
    return [rate, Number(percent) / 100];
  }));
}
