/**
 * Splits a prompt into facts, so that some of them can be left unread. It knows the forms of
 * prompts, and nothing of a world.
 *
 * - A fact is a triplet; a cell of a grid that shows a thing; an item of a note on a room; the text
 * of an action; or a sentence (a whole line if it has no closing mark).
 * - Marks are always read: step numbers, headings, paragraph titles, the `>` before an action, and
 * the agent's own thoughts and queries.
 */

/** Whether a fact is read; `topic` is the mark above it. */
export type IsRead = (fact: string, topic: string) => boolean;

export function withoutUnread(text: string, isRead: IsRead): string {
  const lines = text.split("\n");
  let topic = "";
  return lines.flatMap((line, index) => {
    if (isMark(line) || isTitle(line, lines[index - 1], lines[index + 1])) {
      if (!NUMBER_ALONE.test(line)) topic = line.trim();
      return [line];
    }
    const about = topic;
    if (/^>/.test(line)) topic = line.trim();
    const kept = readLine(
      line,
      (fact) => isRead(fact, GRID.test(line) ? `${about} ${index}` : about),
    );
    return kept === undefined ? [] : [kept];
  }).join("\n");
}

const NUMBER_ALONE = /^\s*(?:(?:game )?step:? #?\d+|observation \d+.*|statement \d+:)\s*$/i;
const MARKS: readonly RegExp[] = [
  NUMBER_ALONE,
  /^\s*$/,
  /^\s*-=.*=-\s*$/,
  /:\s*$/,
  /^>\s*(?:think:.*)?$/,
  /^Query: /,
];

function isMark(line: string): boolean {
  return MARKS.some((mark) => mark.test(line));
}

function isTitle(line: string, before = "", after = ""): boolean {
  return before.trim() === "" && !/[.!?:;,]\s*$/.test(line) && !isTriplets(line) &&
    !GRID.test(line) && !/^>/.test(line) &&
    /[.!?]\s*$/.test(after);
}

/** A row of a grid: cells of letters and underscores, separated by semicolons. */
const GRID = /^\s*\w+(?:; *\w+)+\s*$/;
const BARE_CELLS: ReadonlySet<string> = new Set(["unseen", "empty", "wall", "agent"]);
const BEFORE_TRIPLETS = /^\s*(?:Answer: )?(?:\[\d+\] )?/;
const ACTION = /^(> ?|Action \d+: )(.+)$/;
const NOTE =
  /^\s*(?:Room \d+(?: \([^)]*\))? contains |Passed doors: |Entities: |Distances: |Directions: )/;

function readLine(line: string, isRead: (fact: string) => boolean): string | undefined {
  const [, mark, action] = line.match(ACTION) ?? [];
  if (mark !== undefined && action !== undefined) return isRead(action) ? line : `${mark}…`;
  if (GRID.test(line)) {
    return line.split(";").map((cell, column) =>
      BARE_CELLS.has(cell.trim().toLowerCase()) || isRead(`${cell.trim()} ${column}`)
        ? cell
        : cell.replace(/\w+/, "Empty")
    ).join(";");
  }
  if (NOTE.test(line)) {
    return line.split(/(?<=\.) (?=[A-Z])/).map((part) => readNote(part, isRead)).join(" ");
  }
  if (isTriplets(line)) {
    const before = line.match(BEFORE_TRIPLETS)?.[0] ?? "";
    const read = line.slice(before.length).split(";").filter((triplet) => isRead(triplet.trim()));
    return read.length === 0 ? undefined : before + read.join(";").trimStart();
  }
  // a full stop inside brackets ends no sentence
  const sentences = line.split(/(?<=[.!?])\s+(?![^(]*\))/);
  const read = sentences.filter((sentence) => isRead(sentence.trim()));
  if (read.length === sentences.length) return line;
  if (read.length === 0) return undefined;
  return (line.match(/^\s*/)?.[0] ?? "") + read.join(" ").trimStart();
}

function readNote(part: string, isRead: (fact: string) => boolean): string {
  const head = part.match(NOTE)?.[0];
  if (head === undefined) return part;
  const items = part.slice(head.length).replace(/\.$/, "");
  const end = part.endsWith(".") ? "." : "";
  const joint = /^\s*(?:Distances|Directions)/.test(head) ? "; " : ", ";
  if (items.startsWith("none")) return part;
  const read = items.split(joint).filter((item) => isRead(`${head.trim()} ${item}`));
  return head + (read.join(joint) || "none") + end;
}

function isTriplets(line: string): boolean {
  return line.replace(BEFORE_TRIPLETS, "").split(";").every((triplet) => {
    const sides = triplet.split(",");
    return sides.length === 3 && sides.every((side) => side.trim() !== "") &&
      !/[.!?]\s*$/.test(triplet);
  });
}
