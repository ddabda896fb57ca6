/** The names that AriGraph gives to games and methods, by the ids of the store. */

import names from "../../data/library/textworld-names.json" with { type: "json" };

/** World id or game file → the name in tables and figures, in the paper's order, with its column in `data/papers/arigraph_table4_textworld.csv`. */
export const TEXTWORLD_GAMES: readonly { readonly ids: readonly string[]; readonly name: string; readonly column: string }[] = names.games;

/** Condition → its name, in the order of rows: as in the paper's Table 4, and those that the paper does not have. */
const TABLE4_METHODS: Readonly<Record<string, string>> = names.methods;

/** The name of a game, or its id if the paper does not have it. Two published files of one game keep their file name beside it. */
export function gameName(id: string): string {
  const game = TEXTWORLD_GAMES.find(({ ids }) => ids.includes(id));
  if (!game) return id;
  return id.startsWith("textworld/") ? game.name : `${game.name} (${id})`;
}

/** Place of a game in the paper's order; unknown games come last. */
export function gameOrder(id: string): number {
  const place = TEXTWORLD_GAMES.findIndex(({ ids }) => ids.includes(id));
  return place < 0 ? TEXTWORLD_GAMES.length : place;
}

/** The name of a condition in tables and figures: that of the paper's Table 4, else its own label. */
export function conditionName(condition: string): string {
  const { name, trial } = parsedCondition(condition);
  return `${TABLE4_METHODS[name] ?? name}${trial === undefined ? "" : `, trial ${trial}`}`;
}

/** Place of a condition in the order of rows, trials one after another; unknown ones come last. */
export function conditionOrder(condition: string): number {
  const { name, trial = 0 } = parsedCondition(condition);
  const place = Object.keys(TABLE4_METHODS).indexOf(name);
  return (place < 0 ? Object.keys(TABLE4_METHODS).length : place) + trial / 100;
}

/**
 * The row of the paper's Table 4 that stands beside ours, `all` attempts or the best three; `undefined` where the paper has none. The paper does not
 * say which trial of Reflexion it shows; §5 calls it "2-shot", so it stands beside the second (D35).
 */
export function paperRow(condition: string, options: { readonly all?: boolean } = {}): string | undefined {
  const { name, trial } = parsedCondition(condition);
  if (name === "human") return options.all ? "Human All" : "Human Top-3";
  if (options.all || (trial !== undefined && trial !== REPORTED_TRIAL)) return undefined;
  return TABLE4_METHODS[name];
}

const REPORTED_TRIAL = 2;

function parsedCondition(condition: string): { readonly name: string; readonly trial?: number } {
  const [, name, trial] = condition.match(/^(.*), trial (\d+)$/s) ?? [];
  return name === undefined ? { name: condition } : { name, trial: Number(trial) };
}
