/**
 * Reads ScienceWorld: what lies where, commands as facts of events, and such facts as commands
 * again. It knows English patterns and verbs, but no room, substance or device of the world.
 */

import { type Fact, FactList, RELATION } from "./facts.ts";

export interface Room {
  readonly place?: string;
  readonly facts: readonly Fact[];
  readonly exits: readonly string[];
  readonly things: readonly string[];
}

export interface Command {
  readonly verb: string;
  readonly thing?: string;
  readonly preposition?: string;
  readonly other?: string;
}

/** Verb → participle; verbs of two words first. */
export const PARTICIPLES: Readonly<Record<string, string>> = Object.fromEntries(
  ("focus on:focused on, pick up:picked up, put down:put down, look at:looked at, look in:looked into, turn on:turned on, turn off:turned off, " +
    "move:moved, put:put, pour:poured, dunk:dunked, mix:mixed, use:used, connect:connected, disconnect:disconnected, activate:activated, " +
    "deactivate:deactivated, open:opened, close:closed, examine:examined, read:read, eat:eaten, flush:flushed, fill:filled, heat:heated, " +
    "cool:cooled, wait:waited").split(", ").map((pair) => pair.split(":") as [string, string]),
);

export const LEADS_TO = "leads to";
/** The relation between an event and its task, without its verb. */
export const FOR_TASK = "for the task";
const WORKED_IN = "was worked on in";

const INFINITIVES = new Map(
  Object.entries(PARTICIPLES).map(([verb, participle]) => [participle, verb]),
);
const ARTICLE = /^(?:an?|the|some|your)\s+/i;

export function plainName(text: string): string {
  const bare = text.trim().replace(ARTICLE, "").replace(/^substance called /i, "");
  return bare.replaceAll(/[,;]/g, " ").replaceAll(/\s+/g, " ").replace(/[.\s]+$/, "").toLowerCase();
}

/** A task in a few words: the clause after "your task is to". */
export function taskOf(goal: string): string {
  const task = goal.match(/\btask is to ([^.\n]*)/i)?.[1] ?? goal.split(/[.\n]/)[0] ?? "";
  return plainName(task.replaceAll(/\(n\)/g, "").replace(/,.*$/, "").replaceAll(/["']/g, ""));
}

/** "This room is called the round vault.", but not "You are in the middle of a room." */
const PLACE =
  /\b(?:(?:room|location|place) is called|you (?:are|stand) in) (?:the )?((?:(?! of )[\w ])+?)\.(?:\s|$)/i;

export function readRoom(text: string): Room {
  const facts = new FactList();
  const exits: string[] = [];
  const things: string[] = [];
  const place = text.match(PLACE)?.[1]?.toLowerCase();

  function item(phrase: string, relation: string, holder: string | undefined): string {
    const inside = phrase.match(/^(.*?)\s*\(((?:containing|holding)?\s*.*)\)\s*$/s);
    const [bare = phrase, state] = (inside?.[1] ?? phrase).split(ADDITION);
    const name = plainName(bare.replace(/ in the [\w ]+ stage$/, ""));
    if (name === "" || /^(?:nothing|agent|you|empty)$/.test(name)) return "";
    things.push(name);
    facts.add(name, relation, holder);
    if (state) facts.add(name, RELATION.state, plainName(state));
    const content = inside?.[2]?.match(/^(?:containing|holding)\s+(.*)$/s)?.[1];
    for (const one of parts(content ?? "")) { // "a tree in the adult stage. On the tree you see: a flower."
      const [first = "", ...more] = one.split(/\.\s+/);
      const kept = item(first, RELATION.in, name);
      for (const sentence of more) {
        item(sentence.match(/^on .+?: (.+)$/i)?.[1] ?? "", RELATION.on, kept);
      }
    }
    return name;
  }

  for (const line of text.replace(/^.*?(?:you see|there is):\s*$/im, "").split("\n")) {
    const door = line.match(/\bdoor to (?:the )?([^(,.]+?)\s*(?:\(that is (\w+)\)|[,.]|$)/i);
    if (door?.[1]) {
      const way = door[1].trim().toLowerCase();
      exits.push(way);
      facts.add(place, LEADS_TO, way);
      if (door[2]) facts.add(`door to ${way}`, RELATION.state, door[2]);
      continue;
    }
    let last = "";
    for (const sentence of sentencesOf(line)) {
      const held = sentence.match(
        /^(on|in|inside) (?:the )?(.+?)(?: (?:is|are|you see))?:\s*(.*)$/is,
      );
      const closed = sentence.match(
        /^the (.+?)(?: door)? is (open|closed|turned on|turned off|broken)$/i,
      );
      if (held) {
        const relation = held[1]?.toLowerCase() === "on" ? RELATION.on : RELATION.in;
        const holder = last !== "" && held[2]?.toLowerCase().includes(last)
          ? last
          : plainName(held[2] ?? "");
        for (const one of parts(held[3] ?? "")) {
          item(
            one,
            relation,
            holder === "it" || /inventory/.test(holder) ? last || "inventory" : holder,
          );
        }
      } else if (closed) {
        facts.add(plainName(closed[1] ?? ""), RELATION.state, closed[2]?.toLowerCase());
      } else if (
        (/^(?:an?|the|some) /i.test(sentence) || (last === "" && /^\t/.test(line))) &&
        !/:/.test(sentence.replace(/\(.*\)/, ""))
      ) {
        last = item(sentence, RELATION.in, place); // a line of a listing names a thing also where it has no article
      }
    }
  }
  return { place, facts: facts.all, exits, things: [...new Set(things)] };
}

/** Where an addition to a name begins: "a lamp, which is on". */
const ADDITION = /,? (?:which|that) (?:is|are) |, (?:currently|now) /;

function sentencesOf(line: string): string[] {
  const contents = line.trim().replace(PLACE, "").replace(
    /^(?:this outside|this)?\s*(?:in it|here),? (?:you see|there (?:is|are)):\s*/i,
    "",
  );
  return contents.split(/\.\s+(?![^(]*\))|\.$/).map((sentence) => sentence.trim()).filter((
    sentence,
  ) => sentence !== "");
}

function parts(list: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    const sign = list[at];
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (
      sign === undefined ||
      (sign === "," && depth <= 0 && !/^,\s*(?:which|that|currently|now)\b/.test(list.slice(at)))
    ) {
      found.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  return found.filter((part) => part !== "");
}

export function readCommand(action: string): Command | undefined {
  const bare = action.trim().toLowerCase().replace(/[.!]$/, "").replace(/^wait\d*.*$/, "wait");
  const verb = Object.keys(PARTICIPLES).find((one) => bare === one || bare.startsWith(`${one} `));
  if (verb === undefined) return undefined;
  const rest = bare.slice(verb.length).replaceAll(/ in (?:the )?inventory\b/g, "").trim();
  if (rest === "") return { verb };
  const joined = (JOINING[verb] ?? []).find((one) => rest.includes(` ${one} `));
  const [, thing = rest, preposition, other] =
    (joined && rest.match(new RegExp(`^(.+?) (${joined}) (.+)$`))) || [];
  const bareOf = (name: string): string =>
    plainName(verb === "use" ? name.replace(/ in (?:the )?\w+$/, "") : name);
  return preposition && other
    ? { verb, thing: bareOf(thing), preposition, other: bareOf(other) }
    : { verb, thing: bareOf(thing) };
}

/** Verb → prepositions that join two things after it, by precedence. */
const JOINING: Readonly<Record<string, readonly string[]>> = {
  ...{
    move: ["to", "into", "onto", "in", "on"],
    put: ["into", "onto", "in", "on", "to"],
    pour: ["into", "in", "to"],
    dunk: ["into", "in"],
  },
  ...{ use: ["on", "with"], connect: ["to", "with"], mix: ["with"], fill: ["with"] },
};

export function eventFacts(
  command: Command,
  { task, place }: { readonly task?: string; readonly place?: string },
): Fact[] {
  const facts = new FactList();
  const { verb, thing = "time", preposition, other } = command;
  const done = `was ${PARTICIPLES[verb] ?? verb}`;
  if (preposition && other) facts.add(thing, `${done} ${preposition}`, other);
  facts.add(thing, `${done} ${FOR_TASK}`, task);
  if (other) facts.add(other, `served ${FOR_TASK}`, task);
  facts.add(task, WORKED_IN, place);
  return facts.all;
}

/** The command that `eventFacts` wrote as facts, with its task and, if known, its place. */
export function eventOf(
  facts: readonly Fact[],
): { readonly action: string; readonly task: string; readonly place?: string } | undefined {
  const tied = facts.find(({ relation }) =>
    relation.startsWith("was ") && relation.endsWith(` ${FOR_TASK}`)
  );
  if (!tied) return undefined;
  const verb = INFINITIVES.get(tied.relation.slice("was ".length, -FOR_TASK.length - 1));
  if (verb === undefined) return undefined;
  const done = `was ${PARTICIPLES[verb]} `;
  const joined = facts.find(({ subject, relation }) =>
    subject === tied.subject && relation.startsWith(done) && !relation.endsWith(FOR_TASK)
  );
  const thing = tied.subject === "time" ? "" : ` ${tied.subject}`;
  const action = `${verb}${thing}${
    thing && joined ? ` ${joined.relation.slice(done.length)} ${joined.object}` : ""
  }`;
  const place = facts.find(({ subject, relation }) =>
    subject === tied.object && relation === WORKED_IN
  )?.object;
  return { action, task: tied.object, place };
}

export function isRefusal(response: string): boolean {
  return REFUSAL.test(response);
}

const REFUSAL =
  /no known action|unknown action|not sure|ambiguous|can(?:'|no)t|could not|unable|not possible|is not |isn't|does ?n[o']t|no effect|appears broken|not a valid|already /i;

export function contentWords(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !EMPTY_WORDS.has(word)),
  );
}

const EMPTY_WORDS = new Set(
  ("a an the of to in on at for and or with by from is are was were be been it its this that which who what how where when do does did done " +
    "i you your my me we he she they them task way find found done used served worked first then will would should can could if as not no any")
    .split(" "),
);

/** The number of the choice in a list `0: …` that shares most words with what was meant. */
export function choiceOf(question: string, meant: string): string | undefined {
  const wanted = contentWords(meant);
  const choices = [...question.matchAll(/^\s*(\d+)\s*[:.)]\s*(.*)$/gm)].map((
    [, number = "0", text = ""],
  ) => ({
    number,
    shared: [...contentWords(text)].filter((word) => wanted.has(word)).length,
  }));
  return choices.sort((a, b) => b.shared - a.shared || Number(a.number) - Number(b.number))[0]
    ?.number;
}
