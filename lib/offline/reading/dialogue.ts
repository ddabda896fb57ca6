/**
 * Reads a dialogue with a world: its first words, then `> action` and what came of it.
 *
 * @module
 */

/** One step of a dialogue. */
export interface Step {
  readonly action: string;
  readonly result: string;
}

/** A dialogue, read. */
export interface Dialogue {
  readonly opening: string;
  /** Without the thoughts. */
  readonly steps: readonly Step[];
  /** The thoughts, oldest first. */
  readonly thoughts: readonly string[];
}

/** Reads what a text agent's prompt shows of its history. */
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
