/**
 * Reads the dialogue of a text agent with a world: the opening, then lines `> action`, each followed by its result.
 *
 * @module
 */

/** An action and its result. */
export interface Step {
  readonly action: string;
  readonly result: string;
}

/** A dialogue, read. */
export interface Dialogue {
  readonly opening: string;
  /** Actions in order, without thoughts. */
  readonly steps: readonly Step[];
  /** Thoughts, oldest first. */
  readonly thoughts: readonly string[];
}

/** Reads the history in a text agent's prompt. */
export function readDialogue(text: string): Dialogue {
  const [opening = "", ...parts] = text.split(/^>/m);
  const all = parts.map((part): Step => {
    const [action = "", ...lines] = part.split("\n");
    return { action: action.trim(), result: lines.join("\n").trim() };
  }).filter(({ action }) => action !== "");
  const isThought = ({ action }: Step): boolean => action.startsWith("think:");
  return {
    opening: opening.trim(),
    steps: all.filter((step) => !isThought(step)),
    thoughts: all.filter(isThought).map(({ action }) => action.slice("think:".length).trim()),
  };
}
