/** What a notebook's output hands over to its page: scripts with one value each. */

/** The function that the scripts call with a name and deflated JSON in base64. */
export const HAND_OVER = "labyrinth";

/** The name of the `meta` element by which a page knows that an output holds it. */
export const EMBEDDED = "labyrinth-embedded";

/** Number of steps in one value. */
const CHUNK = 10;

/** The name under which an address is handed over; steps share one, whose value is by place. */
export function handedName(path: readonly string[]): string {
  const [kind, id, place] = path;
  if (place === undefined) return path.join("/");
  const [pass, step = 0] = place.split(".").map(Number);
  return `${kind}/${id}/${pass}.${step - step % CHUNK}`;
}
