/**
 * Texts of ScienceWorld, ours beside recorded ones: whether they say the same, and what sets them apart.
 *
 * @module
 */

/** Why something is not as it was recorded. */
export type ScienceworldCause =
  /** The same things in another order, or the same choices under other numbers. */
  | "object-order"
  /** The simulated world has run otherwise: other numbers, states or stages of life, other things in a list, a goal met at another step. */
  | "physics"
  /** None of these: other wording, for one. */
  | "other";

/** Whether two texts are equal but for white space. */
export function sameText(logged: string, ours: string): boolean {
  return flat(logged) === flat(ours);
}

/** Whether two texts are equal but for white space and the order of their lines and of what these list. */
export function sameItems(logged: string, ours: string): boolean {
  return items(logged).join("\n") === items(ours).join("\n");
}

/** What sets two texts apart that are not the same. */
export function causeOfTexts(logged: string, ours: string): ScienceworldCause {
  if (sameItems(logged, ours)) return "object-order";
  if (sameItems(timeless(logged), timeless(ours))) return "physics";
  const [frame, ourFrame] = [frameOf(logged), frameOf(ours)];
  return frame !== undefined && frame === ourFrame ? "physics" : "other";
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Lines and what they list, sorted; the numbers of offered choices left out. */
function items(text: string): string[] {
  return text.split("\n").map((line) => flat(line.replace(/^\s*\d+:\s*/, "")).split(/, |(?<=[.:]) /).sort().join(", ")).filter((line) =>
    line !== ""
  ).sort();
}

/** Without what passes with time: numbers, states, stages of life. */
function timeless(text: string): string {
  return text
    .replaceAll(/-?\d+(\.\d+)?/g, "#")
    .replaceAll(/\b(is|are|which is|currently) (on|off|open|closed|activated|deactivated)\b/g, "$1 ~")
    .replaceAll(/\b(solid|liquid|gaseous|melted|frozen|boiling) /g, "")
    .replaceAll(/\b(baby|juvenile|adult|reproducing|seedling|seed|dead|flower|pollinated|unpollinated|egg|hatched)\b/g, "~")
    .replaceAll(/(~ )+/g, "~ ");
}

/** The first line of a list of things (a room, a container, hands), which says what is listed. */
function frameOf(text: string): string | undefined {
  const [first = "", ...rest] = text.trim().split("\n");
  const opening = first.match(/^(This (?:room|outside location) is called the [^.]+|In your inventory|Inside the [^:]+ is|On the [^:]+ is)/)
    ?.[1];
  return opening !== undefined && (rest.length === 0 || rest.some((line) => line.startsWith("\t") || line.startsWith("You also see")))
    ? opening
    : undefined;
}
