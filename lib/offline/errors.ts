/**
 * The errors that the offline backbone can be made to commit: one rate each, in [0, 1], all 0 by
 * default. An error is drawn by the seed, the call and what it concerns, so that a repeated run
 * repeats it and a re-ask may do without it.
 */

import { UsageError } from "../core/errors.ts";
import type { Draw } from "../core/random.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";

/** The rates of errors, and what each does. */
export interface ErrorRates {
  /** Extraction leaves a triplet out. */
  readonly missedTriplet: number;
  /** Extraction gives a triplet the object of another one. */
  readonly wrongTriplet: number;
  /** Extraction gives a thing another name. */
  readonly otherName: number;
  /**
   * AriGraph's verdict on an old triplet is inverted: what is stale stays, or what holds is
   * replaced.
   */
  readonly wrongStale: number;
  /** GraphMind's verifier takes a passage through a door for none. */
  readonly missedDoor: number;
  /** GraphMind's verifier takes a turn, or any other move without a passage, for a passage. */
  readonly rotationAsPassage: number;
  /** GraphMind takes a room that it knows for a new one. */
  readonly duplicateRoom: number;
  /** A step of a plan names another thing. */
  readonly wrongPlanStep: number;
  /** Another of the actions that can be taken is taken. */
  readonly slippedAction: number;
}

/** The draws of an error where it happens to `what` in this call, else `undefined`. */
export type Errs = (error: keyof ErrorRates, what: string) => Draw | undefined;

/**
 * The version of the rules by which triplets are missed and garbled. It is raised when they change,
 * and is part of the identity of the episodes whose model does either.
 */
export const EXTRACTION_ERROR_RULES = "2";

export function orAnother(
  errs: Errs,
  error: keyof ErrorRates,
  chosen: string,
  all: readonly string[],
): string {
  const others = all.filter((other) => other !== chosen);
  return others.length > 0 ? errs(error, chosen)?.pick(others) ?? chosen : chosen;
}

export const NO_ERRORS: ErrorRates = {
  missedTriplet: 0,
  wrongTriplet: 0,
  otherName: 0,
  wrongStale: 0,
  missedDoor: 0,
  rotationAsPassage: 0,
  duplicateRoom: 0,
  wrongPlanStep: 0,
  slippedAction: 0,
};

export function checkModelOptions(modelOptions: object): void {
  checkKeys("the offline backbone", modelOptions, [
    "window",
    "recall",
    "precision",
    "seed",
    ...Object.keys(NO_ERRORS),
  ]);
}

/** Rate → its name in a model's name, e.g. `missed-triplet`. */
const NAMES = new Map(
  Object.keys(NO_ERRORS).map((rate) => [rate.replaceAll(/[A-Z]/g, "-$&").toLowerCase(), rate]),
);

/**
 * Reads settings such as `missed-triplet=10`, in percent.
 * @throws {UsageError} for an unknown name, one that is given twice, or a number outside of 0 to
 *   100.
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
