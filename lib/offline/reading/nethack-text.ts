/**
 * Reads NetHack as its skills describe it: titled blocks of things, exits and creatures with
 * coordinates and distances, and the outcomes of skill calls.
 */

import { type Fact, FactList } from "./facts.ts";

export interface Sight {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Moves to it; undefined if out of reach. */
  readonly steps?: number;
}

export interface Exit extends Sight {
  readonly passed?: boolean;
}

export interface DungeonView {
  readonly place?: string;
  readonly here: readonly Sight[];
  readonly elsewhere: ReadonlyMap<string, readonly Sight[]>;
  readonly exits: readonly Exit[];
  readonly creatures: readonly Sight[];
  readonly exploration: string;
  readonly carried: readonly { readonly letter: string; readonly name: string }[];
  readonly health?: { readonly now: number; readonly most: number };
  readonly state: string;
  readonly turn: number;
  readonly depth?: number;
  readonly prayed: number;
  readonly question: string;
  readonly harmed: boolean;
  readonly news: readonly Sight[];
}

export interface CallMade {
  readonly call: string;
  readonly outcome: "done" | "failed" | "interrupted";
  readonly result: string;
}

const BLOCK = /^(?!\w+ monsters:)[A-Z][a-z]+(?: [a-z]+){0,3}:$/;
const SIGHT = /^- (.+?) at \((\d+), (\d+)\)(?:, (.*))?$/;

export function readDungeon(text: string): DungeonView | undefined {
  const blocks = blocksOf(text);
  const surroundings = blocks.get("surroundings");
  if (surroundings === undefined) return undefined;
  let place: string | undefined;
  let holder: string | undefined;
  const here: Sight[] = [];
  const elsewhere = new Map<string, Sight[]>();
  for (const line of surroundings) {
    const present = line.match(/^You are in (.+?), which contains:$/)?.[1];
    const other = line.match(/^(.+?), (?:\d+ steps? away|out of reach now), contains:$/)?.[1];
    if (present !== undefined) place = holder = present.toLowerCase();
    else if (other !== undefined) holder = other.toLowerCase();
    else if (holder !== undefined) {
      const sight = sightOf(line);
      if (!sight) continue;
      if (holder === place) here.push(sight);
      else elsewhere.getOrInsertComputed(holder, () => []).push(sight);
    }
  }
  const stats = (blocks.get("stats") ?? []).join("\n");
  const number = (pattern: RegExp): number | undefined => {
    const found = stats.match(pattern)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [now, most] = [number(/hit points (\d+) of/i), number(/hit points \d+ of (\d+)/i)];
  const turn = number(/turn (\d+)/i) ?? 0;
  return {
    place,
    here,
    elsewhere,
    exits: (blocks.get("exits of this place") ?? []).flatMap((line) => {
      const sight = sightOf(line);
      return sight
        ? [{ ...sight, passed: /passed/.test(line) ? !/not passed/.test(line) : undefined }]
        : [];
    }),
    creatures: (blocks.get("monsters") ?? []).flatMap((line) => sightOf(line) ?? []),
    exploration: (blocks.get("exploration") ?? []).join("\n").toLowerCase(),
    carried: (blocks.get("inventory") ?? []).flatMap((line) => {
      const [, letter, name] = line.match(/^(\S): (.+)$/) ?? [];
      return letter && name ? [{ letter, name: name.toLowerCase() }] : [];
    }),
    health: now === undefined || most === undefined ? undefined : { now, most },
    state: stats.match(/^state: (.+)$/im)?.[1]?.toLowerCase() ?? "",
    turn,
    depth: number(/depth (\d+)/i),
    prayed: prayedAgo(stats, turn),
    question: (blocks.get("the game asks") ?? []).join("\n"),
    harmed: /\b(?:hits|bites|stings|kicks|butts|claws|burns|stabs|shot)\b[^.]*!/.test(
      (blocks.get("game messages") ?? []).join("\n"),
    ),
    news: readNews(text),
  };
}

export function readCalls(text: string): CallMade[] {
  return [...text.matchAll(/^([a-z_]+\(.*?\))( failed| was interrupted)?: (.*)$/gm)].map((
    [, call = "", how, result = ""],
  ): CallMade => ({
    call,
    outcome: how === " failed" ? "failed" : how === undefined ? "done" : "interrupted",
    result,
  }));
}

/** What came into view since the level changed: `Stairs down came into view at (60, 15).` */
export function readNews(text: string): Sight[] {
  const [, since = text] = text.match(/^.*on another level now(.*)$/s) ?? [];
  const seen = [...since.matchAll(/([A-Z][\w' -]*?) came into view at \((\d+), (\d+)\)/g)].map((
    [, name = "", x, y],
  ) => ({
    name,
    x: Number(x),
    y: Number(y),
  }));
  return [...new Map(seen.map((sight) => [`${sight.name} ${sight.x} ${sight.y}`, sight])).values()];
}

export function dungeonFacts({ place, here, elsewhere, exits, depth, news }: DungeonView): Fact[] {
  const facts = new FactList();
  if (place === undefined) return [];
  if (depth !== undefined) facts.add(place, "is at", `depth ${depth}`);
  for (const [room, things] of [[place, here] as const, ...elsewhere]) {
    for (const { name, x, y } of things) {
      facts.add(room, "contains", `${plainSight(name)} ${x} ${y}`);
    }
  }
  const told = new Set([...here, ...[...elsewhere.values()].flat()].map(({ x, y }) => `${x} ${y}`));
  for (const { name, x, y } of news) {
    if (!told.has(`${x} ${y}`)) {
      facts.add(`${plainSight(name)} ${x} ${y}`, "was seen from", place);
    }
  }
  for (const { name, x, y, passed } of exits) {
    facts.add(
      place,
      passed ? "has passage" : "has exit",
      `${plainSight(name).replace(/^(?:(?:open|closed|locked) )+/, "")} ${x} ${y}`,
    );
  }
  return facts.all;
}

export function plainSight(name: string): string {
  return name.toLowerCase().replaceAll(/[,;]/g, " ").replace(/^(?:an?|the|some|\d+) /, "")
    .replaceAll(/\s+/g, " ").trim();
}

function blocksOf(text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (BLOCK.test(line)) {
      lines = [];
      blocks.set(line.slice(0, -1).toLowerCase(), lines);
    } else if (line !== "") lines?.push(line);
  }
  return blocks;
}

function sightOf(line: string): Sight | undefined {
  const [, name, x, y, rest = ""] = line.match(SIGHT) ?? [];
  if (name === undefined) return undefined;
  const steps = rest.match(/(\d+) steps? away/)?.[1] ??
    (/where you stand/.test(rest) ? "0" : undefined);
  return {
    name,
    x: Number(x),
    y: Number(y),
    steps: steps === undefined ? undefined : Number(steps),
  };
}

function prayedAgo(stats: string, turn: number): number {
  const last = stats.match(/^last prayer: (.+)$/im)?.[1] ?? "";
  const at = last.match(/turn (\d+)/i)?.[1];
  const ago = last.match(/(\d+) turns? ago/i)?.[1];
  if (ago !== undefined) return Number(ago);
  return at === undefined ? /\d/.test(last) ? 0 : Infinity : turn - Number(at);
}
