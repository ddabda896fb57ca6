export interface Fact {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
}

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

export class FactList {
  readonly #facts = new Map<string, Fact>();
  said = 0;

  /** Adds a fact, unless a side is missing or contains a comma, or both sides are equal. */
  add(subject: string | undefined, relation: string, object: string | undefined): void {
    if (subject && object && subject !== object && !`${subject}${object}`.includes(",")) {
      this.#facts.set(`${subject},${relation},${object}`, { subject, relation, object });
      this.said++;
    }
  }

  addAll(facts: readonly Fact[]): void {
    for (const { subject, relation, object } of facts) this.add(subject, relation, object);
  }

  get all(): Fact[] {
    return [...this.#facts.values()];
  }
}

export function formatFact({ subject, relation, object }: Fact): string {
  return `${subject}, ${relation}, ${object}`;
}

export function placeOf(
  thing: string,
  holders: ReadonlyMap<string, string>,
  isPlace: (name: string) => boolean,
): string | undefined {
  let place: string | undefined = thing;
  for (let depth = 0; depth < 5 && place !== undefined; depth++) {
    if (isPlace(place)) return place;
    place = holders.get(place);
  }
  return undefined;
}
