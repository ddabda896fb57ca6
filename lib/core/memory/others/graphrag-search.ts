/**
 * GraphRAG's context of a question: local, around near entities, as the authors' release gathers
 * it; or global, the parts of the community reports (Edge et al. 2024, arXiv 2404.16130, "Answer
 * generation").
 */

import type { TokenCounter } from "../../text/tokens.ts";
import { createDraw } from "../../random.ts";
import { type Entity, type EntityGraph, nameOf, type Relation } from "./graphrag-graph.ts";
import type { Point, Report } from "./graphrag.prompts.ts";

export interface GraphRagIndex {
  readonly graph: EntityGraph;
  readonly describe: (element: Entity | Relation) => string;
  readonly communities: readonly {
    readonly members: ReadonlySet<string>;
    readonly report: Report;
  }[];
}

export interface ContextLimits {
  readonly window: number;
  readonly relations: number;
  readonly count: TokenCounter;
}

/** Parts of the window (release 0.4): reports, text units; the rest is for the graph. */
const PARTS = { reports: 0.1, units: 0.5 };

export interface LocalContext {
  readonly reports: readonly string[];
  readonly entities: readonly string[];
  readonly relations: readonly string[];
  readonly units: readonly string[];
}

export function localContext(
  index: GraphRagIndex,
  chosen: readonly Entity[],
  limits: ContextLimits,
): LocalContext {
  const { graph, describe, communities } = index;
  const { window, count } = limits;
  const names = new Set(chosen.map(({ name }) => name));
  const matches = ({ members }: GraphRagIndex["communities"][number]): number =>
    names.intersection(members).size;
  const reports = communities.filter((community) => matches(community) > 0)
    .toSorted((a, b) => matches(b) - matches(a) || b.report.rating - a.report.rating)
    .map(({ report }) => reportText(report));
  const units = chosen.flatMap((entity) => {
    const tellers = graph.relationsOf(entity).flatMap((relation) => relation.units);
    const told = (unit: number): number => tellers.filter((teller) => teller === unit).length;
    return entity.units.toSorted((a, b) => told(b) - told(a));
  });
  const room = window * (1 - PARTS.reports - PARTS.units);
  const entities = fitting(
    chosen.map((entity) => elementLine(entity, describe(entity))),
    room,
    count,
  );
  const left = room - entities.reduce((sum, line) => sum + count(line), 0);
  const relations = relationsNear(graph, chosen, limits.relations).map((relation) =>
    elementLine(relation, describe(relation))
  );
  return {
    reports: fitting(reports, window * PARTS.reports, count),
    entities,
    relations: fitting(relations, left, count),
    units: fitting(
      [...new Set(units)].map((unit) => graph.units[unit] ?? ""),
      window * PARTS.units,
      count,
    ),
  };
}

/**
 * Relations between chosen entities, by degree; then those that lead out, so many for each chosen
 * entity, first to entities related to most chosen ones.
 */
function relationsNear(graph: EntityGraph, chosen: readonly Entity[], each: number): Relation[] {
  const names = new Set(chosen.map(({ name }) => name));
  const near = new Set(chosen.flatMap((entity) => graph.relationsOf(entity)));
  const isWithin = ({ source, target }: Relation): boolean =>
    names.has(source) && names.has(target);
  const links = ({ source, target }: Relation): number => {
    const outer = graph.entity(names.has(source) ? target : source);
    return outer ? graph.relationsOf(outer).filter((relation) => near.has(relation)).length : 0;
  };
  const ranked = [...near].toSorted((a, b) => graph.degree(b) - graph.degree(a));
  const leading = ranked.filter((relation) => !isWithin(relation)).toSorted((a, b) =>
    links(b) - links(a)
  );
  return [...ranked.filter(isWithin), ...leading.slice(0, each * chosen.length)];
}

/**
 * Shuffles texts, always alike, and divides them into parts of at most so many tokens; a longer
 * text is a part of its own.
 */
export function shuffledParts(
  texts: readonly string[],
  window: number,
  count: TokenCounter,
): string[][] {
  const draw = createDraw("graphrag");
  const shuffled = texts.map((text) => ({ text, at: draw.next() })).toSorted((a, b) => a.at - b.at);
  const parts: string[][] = [];
  let room = 0;
  for (const { text } of shuffled) {
    const tokens = count(text);
    if (tokens > room) room = (parts.push([]), window);
    parts.at(-1)?.push(text);
    room -= tokens;
  }
  return parts;
}

export function pointLines(
  points: readonly Point[],
  window: number,
  count: TokenCounter,
): string[] {
  const helpful = points.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return fitting(
    helpful.map(({ description, score }) => `${description} (helpfulness ${score})`),
    window,
    count,
  );
}

/**
 * What the report of a community is written from: its relations of the highest degree, each after
 * its ends, as far as there is room.
 */
export function reportInput(
  { graph, describe, members }: Omit<GraphRagIndex, "communities"> & {
    readonly members: readonly string[];
  },
  tokens: number,
  count: TokenCounter,
): { readonly entities: string; readonly relations: string } {
  const among = new Set(members);
  const within = graph.relations.filter(({ source, target }) =>
    among.has(source) && among.has(target)
  );
  const lines = new Map<string, Entity | Relation>();
  for (const relation of within.toSorted((a, b) => graph.degree(b) - graph.degree(a))) {
    for (
      const element of [graph.entity(relation.source), graph.entity(relation.target), relation]
    ) {
      if (element) lines.set(elementLine(element, describe(element)), element);
    }
  }
  const shown = Map.groupBy(
    fitting([...lines.keys()], tokens, count),
    (line) => "name" in (lines.get(line) ?? {}),
  );
  return {
    entities: (shown.get(true) ?? []).join("\n"),
    relations: (shown.get(false) ?? []).join("\n"),
  };
}

export function fitting(texts: readonly string[], tokens: number, count: TokenCounter): string[] {
  let left = tokens;
  const end = texts.findIndex((text) => (left -= count(text)) < 0);
  return texts.slice(0, end < 0 ? undefined : end);
}

export function reportText({ title, summary, findings }: Report): string {
  return [
    title,
    summary,
    ...findings.map((finding) => `- ${finding.summary}: ${finding.explanation}`),
  ].join("\n");
}

/** `name (type): description`, of a relation `source – target: description`. */
export function elementLine(element: Entity | Relation, description: string): string {
  const type = "type" in element && element.type !== "" ? ` (${element.type})` : "";
  return `${nameOf(element)}${type}: ${description}`;
}
