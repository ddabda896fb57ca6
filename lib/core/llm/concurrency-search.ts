export interface ConcurrencySearch {
  /**
   * Notes an answer and its time at the endpoint. `isFull`: further requests were waiting, so the
   * limit is in use.
   * @returns the limit from now on, with fractions
   */
  answered(limit: number, latencyMs: number, isFull: boolean): number;
  refused(): void;
}

/** Answers that are measured at least, and the share of them that must have left others waiting. */
const [LEAST, FULL] = [16, 3 / 4];
/**
 * Doubling pays while an answer takes at most so many times as long as before: then at least 1.2
 * times as many answers come in a second.
 */
const PAYS = 2 / 1.2;
/** Rounds after which an endpoint is tried again with more: others may have left it. */
const REST_ROUNDS = 20;

/**
 * Creates the search. A round is as many answers as are in flight. While it pays, the limit doubles
 * with each round; then it goes back to the last that paid.
 */
export function createConcurrencySearch(): ConcurrencySearch {
  let state: "doubling" | "resting" | "refused" = "doubling";
  let round = { skip: 0, count: 0, full: 0, latency: 0 };
  let paid: { readonly limit: number; readonly latency: number } | undefined;

  function begin(next: { readonly state: typeof state; readonly skip?: number }): void {
    state = next.state;
    round = { skip: next.skip ?? 0, count: 0, full: 0, latency: 0 };
  }

  function measured(limit: number): number {
    const latency = round.latency / round.count;
    if (round.full < FULL * round.count) {
      begin({ state: "doubling" });
      return limit;
    }
    if (paid && latency > PAYS * paid.latency) {
      begin({ state: "resting" });
      return paid.limit;
    }
    paid = { limit, latency };
    begin({ state: "doubling", skip: 2 * limit });
    return 2 * limit;
  }

  return {
    refused: () => begin({ state: "refused" }),
    answered: (limit, latencyMs, isFull) => {
      if (state === "refused") return limit + 1 / limit;
      if (round.skip > 0) {
        round.skip--;
        return limit;
      }
      round.count++;
      if (state === "resting") {
        if (round.count >= REST_ROUNDS * limit) {
          paid = undefined;
          begin({ state: "doubling" });
        }
        return limit;
      }
      round.latency += latencyMs;
      if (isFull) round.full++;
      return round.count < Math.max(LEAST, limit) ? limit : measured(limit);
    },
  };
}
