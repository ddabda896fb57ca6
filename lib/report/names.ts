/**
 * What the papers call the things that the store knows by id.
 *
 * @module
 */

/** World id or game file → the name in tables and figures, in the paper's order, with its column in `data/papers/arigraph_table4_textworld.csv`. */
export const TEXTWORLD_GAMES: readonly { readonly ids: readonly string[]; readonly name: string; readonly column: string }[] = [
  { ids: ["textworld/hunt", "hunt"], name: "Treasure Hunt", column: "treasure_hunt" },
  { ids: ["textworld/hunt-hard", "hunt_hard"], name: "Treasure Hunt Hard", column: "treasure_hunt_hard" },
  { ids: ["textworld/hunt-hardest", "hunt_hardest"], name: "Treasure Hunt Hardest", column: "treasure_hunt_hardest" },
  { ids: ["textworld/cooking", "cook"], name: "Cooking", column: "cooking" },
  { ids: ["textworld/cooking-hard", "cook_hard"], name: "Cooking Hard", column: "cooking_hard" },
  { ids: ["textworld/cooking-hardest", "cook_hardest_7"], name: "Cooking Hardest", column: "cooking_hardest" },
  { ids: ["textworld/cleaning", "clean_3x3_mess_1", "clean_3x3_mess_2"], name: "Cleaning", column: "cleaning" },
];

/** Condition → the row in the paper's Table 4. */
export const TABLE4_METHODS: Readonly<Record<string, string>> = {
  arigraph: "AriGraph",
  "full-history": "Full History",
};

/**
 * The name of a game; of a game that the paper does not have: its id. Two published files of one game keep their file name beside it.
 *
 * @example
 * ```ts
 * import { gameName } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(gameName("textworld/hunt-hard"), "Treasure Hunt Hard");
 * assert.equal(gameName("clean_3x3_mess_2"), "Cleaning (clean_3x3_mess_2)");
 * assert.equal(gameName("a game of one's own"), "a game of one's own");
 * ```
 */
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

/**
 * The name of a condition in tables and figures: that of the paper's Table 4, else its own label.
 *
 * @example
 * ```ts
 * import { conditionName } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(conditionName("full-history"), "Full History");
 * assert.equal(conditionName("by-word"), "by-word");
 * ```
 */
export function conditionName(condition: string): string {
  return TABLE4_METHODS[condition] ?? condition;
}
