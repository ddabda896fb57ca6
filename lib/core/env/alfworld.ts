/**
 * What studies and reports know of the world `alfworld` without starting it: its task types, and
 * the frozen households by number.
 */

/** A type of household task, by the names that evaluations use. */
export type AlfworldTask = "put" | "examine" | "clean" | "heat" | "cool" | "puttwo";

/** One type of task. */
export interface AlfworldTaskType {
  /** ALFWorld's own name, e.g. `pick_and_place_simple`. */
  readonly official: string;
  /** Games of this type among the 134 unseen official ones, and among the 134 frozen households. */
  readonly games: number;
}

/** The six types of task, in the order of ALFWorld's numbers for them. */
export const ALFWORLD_TASKS: Readonly<Record<AlfworldTask, AlfworldTaskType>> = {
  put: { official: "pick_and_place_simple", games: 24 },
  examine: { official: "look_at_obj_in_light", games: 18 },
  clean: { official: "pick_clean_then_place_in_recep", games: 31 },
  heat: { official: "pick_heat_then_place_in_recep", games: 23 },
  cool: { official: "pick_cool_then_place_in_recep", games: 21 },
  puttwo: { official: "pick_two_obj_and_place", games: 17 },
};

/** One frozen household: `{ set: "households", game: index }` opens it. */
export interface AlfworldHousehold {
  /** 0–133. */
  readonly index: number;
  /** Its type. */
  readonly task: AlfworldTask;
}

const FROZEN = `
  put examine cool clean cool cool examine cool put clean heat clean clean examine cool puttwo puttwo clean cool puttwo puttwo clean
  clean cool put heat put examine put clean heat clean puttwo clean clean heat cool heat put put cool heat put cool put cool clean cool
  clean put clean clean cool heat cool puttwo examine examine examine put heat put clean put put cool put clean puttwo clean clean clean
  puttwo put clean heat heat examine puttwo examine heat puttwo heat examine examine examine examine heat examine examine puttwo puttwo
  heat clean heat put put clean heat clean puttwo put clean heat examine cool cool clean cool heat heat put put cool heat put heat cool
  examine cool puttwo heat puttwo puttwo clean puttwo heat put clean clean examine clean put clean
`.trim().split(/\s+/) as AlfworldTask[];

/**
 * The frozen set, by index: 134 households in mixed order of types, so that any first n have
 * several.
 */
export const ALFWORLD_HOUSEHOLDS: readonly AlfworldHousehold[] = FROZEN.map((task, index) => ({
  index,
  task,
}));
