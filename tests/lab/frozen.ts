/** A class of another module than the test's, with a private field. */
export class Frozen {
  readonly #k: number;

  /** Keeps a number. */
  constructor(k: number) {
    this.#k = k;
  }

  /** The number. */
  get k(): number {
    return this.#k;
  }
}
