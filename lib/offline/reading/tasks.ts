/**
 * Reads household and laboratory tasks (ALFWorld, ScienceWorld): what to find, treat, point out and
 * bring.
 */

import { APPLIANCES, LIVING_THINGS, TREATMENT_WORDS } from "./lexicon.ts";
import { headWord, named, type Pattern, readFirst, withoutNumber } from "./noun-phrases.ts";

export interface HouseholdTask {
  /** Singular: `mug`, `living thing`. */
  readonly kind: string;
  readonly count: number;
  /** `clean`, `heat` or `cool`. */
  readonly treatment?: string;
  readonly to?: string;
  readonly room?: string;
  readonly light?: string;
  readonly focus?: readonly string[];
  readonly rooms?: readonly string[];
}

const INTO = "(?:in\\/on|into|onto|inside|in|on|to)";
const BRING = "(?:move|put|place|bring|carry|take|deliver|transfer)";
const NOUN = "(?:the |an? |your |some )?([\\w'-]+(?: [\\w'-]+)*?)";
const END =
  "(?= ?[.,;:(]|$| (?:and|then|before|after|with|that|which|starting|you|first|from|using|by|is|are|at first|somewhere|around|inside|in|on|into|to)\\b)";

const FOCUS = new RegExp(
  `\\b(?:focus(?:ing)?|concentrate|fix your attention|point out)(?: (?:your|all) attention)?(?: (?:up)?on)? ${NOUN}${END}`,
  "g",
);
const SOUGHT = new RegExp(
  `\\b(?:find|locate|look for|search for|seek|get|fetch|discover) ${NOUN}${END}`,
);
const BROUGHT = new RegExp(
  `\\b${BRING} (?:it|them|this|that|(?:the|an?) [\\w' -]+?) ${INTO} (?:the |an? )?([\\w ]+?)` +
    `(?:,? (?:(?:that|which) (?:is|stands|lies) )?(?:in|inside|of|at) (?:the |an? )?([\\w ]+?))?(?=[.,;]|$| (?:and|then)\\b)`,
);
/** "Seeds can be found in the bathroom", "which is located around the kitchen". */
const LOCATED = new RegExp(
  "(?:\\b(?:is|are|be)|, which is|,)(?: (?:located|found|kept))?(?: somewhere)? (?:in|around|at|near|inside|(?=outside\\b))(?: the)? ?'?([a-z][a-z ]*?)'?" +
    "(?: location)?(?=[.,;]|$)",
  "g",
);
const PRONOUN = /^(?:it|them|this|that|one|thing|substance|object|item)$/;

/**
 * Reads a task such as "put a clean mug in shelf", "find two pens and put them in the drawer", or
 * "Your task is to find a(n) plant. First, focus on the thing. Then, …".
 */
export function readHouseholdTask(task: string): HouseholdTask | undefined {
  const text = task.toLowerCase().replaceAll("a(n)", "a").replace(/^your task is to:? /, "")
    .replaceAll(/\s+/g, " ").trim();
  return /\b(?:focus|concentrate|attention|point out)/.test(text)
    ? readLaboratoryTask(text)
    : readFirst(text, TASKS);
}

/** Reads a laboratory's task; conditions ("If it is …") are left out. */
function readLaboratoryTask(text: string): HouseholdTask {
  const told = text.split(/(?<=[.;])\s+/).filter((sentence) => !/^if\b/.test(sentence)).join(" ");
  const kind = told.match(SOUGHT)?.[1] ?? objectOf(told);
  const focus = [...told.matchAll(FOCUS)].map(([, thing = ""]) => withoutOf(thing)).map((thing) =>
    PRONOUN.test(thing) ? kind : thing
  );
  const [, to, room] = told.match(BROUGHT) ?? [];
  return {
    kind,
    count: 1,
    to,
    room,
    focus,
    rooms: [...new Set([...text.matchAll(LOCATED)].map(([, place = ""]) => place))],
  };
}

export function objectOf(task: string): string {
  const [, thing = ""] = task.match(
    new RegExp(
      `^\\w+(?: on)?(?: (?:if|whether))? ${NOUN}(?= ?[.,;:(]|$| (?:is|are|and|then|by|from|around|in)\\b)`,
    ),
  ) ?? [];
  return withoutOf(thing) || "thing";
}

/** "temperature of the ice" → ice. */
function withoutOf(phrase: string): string {
  return phrase.replace(/^.* of (?:the |an? )?/, "");
}

const TASKS: readonly Pattern<HouseholdTask>[] = [
  [
    /^(?:look at|examine|inspect) (.+?) (?:under|with|by|in) (?:the light of )?(?:the |an? )?(.+?)\.?$/,
    (thing, light) => ({ ...readThing(thing), light: named(light).name }),
  ],
  [
    new RegExp(
      `^(?:find|get|take|fetch|look for|bring) (.+?),? and (?:then )?${BRING} (?:it|them) ${INTO} (.+?)\\.?$`,
    ),
    (thing, to) => ({ ...readThing(thing), to: named(to).name }),
  ],
  [
    new RegExp(
      `^(${
        Object.keys(TREATMENT_WORDS).join("|")
      }) (.+?),? and (?:then )?${BRING} (?:it|them) ${INTO} (.+?)\\.?$`,
    ),
    (verb, thing, to) => ({
      ...readThing(thing),
      treatment: TREATMENT_WORDS[verb],
      to: named(to).name,
    }),
  ],
  [
    new RegExp(`^${BRING} (.+?) ${INTO} (.+?)\\.?$`),
    (thing, to) => ({ ...readThing(thing), to: named(to).name }),
  ],
];

/** "two clean mugs" → mug, 2, clean. */
function readThing(phrase: string): Pick<HouseholdTask, "kind" | "count" | "treatment"> {
  let words = phrase.trim().split(/\s+/);
  const count = words[0] === "two" ? 2 : words[0] === "three" ? 3 : 1;
  if (/^(?:an?|the|some|one|two|three)$/.test(words[0] ?? "")) words = words.slice(1);
  const treatment = words.length > 1 ? TREATMENT_WORDS[words[0] ?? ""] : undefined;
  if (treatment !== undefined) words = words.slice(1);
  const name = words.join(" ");
  return { kind: count > 1 ? name.replace(/s$/, "") : name, count, treatment };
}

/** By its name without number or letter (`plane 2`), its head word, or what it is. */
export function isOfKind(name: string, kind: string): boolean {
  const plain = withoutNumber(name);
  if (plain === "" || kind === "") return false;
  if (kind === "living thing") return isOfKind(name, "plant") || isOfKind(name, "animal");
  if (/^non-?living thing$/.test(kind)) {
    return !isOfKind(name, "living thing") && !/^(?:air|agent)$/.test(plain);
  }
  return plain === kind || headWord(plain) === kind || plain.replace(/ [a-z]$/, "") === kind ||
    (LIVING_THINGS[kind]?.includes(headWord(plain)) ?? false);
}

/** By its head word or the end of it (`sinkbasin` is a basin). */
export function isFor(name: string, treatment: string | undefined): boolean {
  return APPLIANCES[treatment ?? ""]?.some((word) => headWord(name).endsWith(word)) ?? false;
}
