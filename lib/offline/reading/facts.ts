/**
 * Facts and the relations that the offline backbone writes and reads them in.
 *
 * @module
 */

/** One thing said: subject, relation, object in lower case. */
export interface Fact {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
}

/** The relations that reading gives. */
export const RELATION = {
  in: "is in",
  on: "is on",
  exit: "has exit",
  door: "has door",
  state: "is",
  unlocks: "unlocks",
  requires: "requires",
  treated: "to be",
  appliance: "used for",
  prepared: "is prepared in",
} as const;

/** Facts as they are said, each once. */
export class FactList {
  readonly #facts = new Map<string, Fact>();
  /** How often something was said, repetitions included. */
  said = 0;
  add(subject: string | undefined, relation: string, object: string | undefined): void {
    if (subject && object && subject !== object && !`${subject}${object}`.includes(",")) {
      this.#facts.set(`${subject},${relation},${object}`, { subject, relation, object });
      this.said++;
    }
  }
  get all(): Fact[] {
    return [...this.#facts.values()];
  }
}
