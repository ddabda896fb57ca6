/** GraphRAG's graph: entities and relations with what each text unit says of them. */

import { z } from "zod";
import type { WeightedNeighbours } from "../../graph/label-propagation.ts";
import { normaliseEntity } from "../../graph/triplet.ts";
import type { Extracted } from "./graphrag.prompts.ts";

const element = {
  descriptions: z.array(z.string()),
  units: z.array(z.int().min(0)),
};

export const graphSchema = z.strictObject({
  units: z.array(z.string()),
  entities: z.array(z.strictObject({ name: z.string(), type: z.string(), ...element })),
  relations: z.array(z.strictObject({ source: z.string(), target: z.string(), ...element })),
});
export type GraphBody = z.output<typeof graphSchema>;
export type Entity = GraphBody["entities"][number];
export type Relation = GraphBody["relations"][number];

export class EntityGraph {
  readonly units: string[] = [];
  readonly #entities = new Map<string, Entity>();
  readonly #relations = new Map<string, Relation>();
  readonly #incident = new Map<Entity, Relation[]>();

  constructor(body?: GraphBody) {
    const { units, entities, relations } = structuredClone(body) ??
      { units: [], entities: [], relations: [] };
    this.units.push(...units);
    for (const entity of entities) this.#entities.set(keyOf(entity.name), entity);
    for (const relation of relations) this.#link(relation);
  }

  get body(): GraphBody {
    return { units: this.units, entities: this.entities, relations: this.relations };
  }

  get entities(): Entity[] {
    return [...this.#entities.values()];
  }

  get relations(): Relation[] {
    return [...this.#relations.values()];
  }

  entity(name: string): Entity | undefined {
    return this.#entities.get(keyOf(name));
  }

  relationsOf(entity: Entity): readonly Relation[] {
    return this.#incident.get(entity) ?? [];
  }

  degree(of: Entity | Relation): number {
    const ends = "name" in of ? [of] : [this.entity(of.source), this.entity(of.target)];
    return ends.reduce((sum, end) => sum + (end ? this.relationsOf(end).length : 0), 0);
  }

  add(unit: number, { entities, relations }: Extracted): number {
    const named = entities.map(({ name, type, description }) => {
      const entity = this.#mention(name);
      entity.type ||= type;
      return merge(entity, unit, description);
    });
    const told = relations.map(({ source, target, description }) => {
      const [from, to] = [this.#mention(source), this.#mention(target)];
      const fresh = [merge(from, unit), merge(to, unit)];
      if (from === to) return fresh.some(Boolean);
      const known = this.#relations.get(pairOf(from.name, to.name));
      const relation = known ?? { source: from.name, target: to.name, descriptions: [], units: [] };
      if (!known) this.#link(relation);
      return merge(relation, unit, description);
    });
    return [...named, ...told].filter(Boolean).length;
  }

  neighbours(): WeightedNeighbours {
    return new Map(this.entities.map((entity) => [
      entity.name,
      new Map(
        this.relationsOf(entity).map((
          { source, target, units },
        ) => [source === entity.name ? target : source, units.length]),
      ),
    ]));
  }

  #mention(name: string): Entity {
    return this.#entities.getOrInsertComputed(
      keyOf(name),
      () => ({ name, type: "", descriptions: [], units: [] }),
    );
  }

  #link(relation: Relation): void {
    this.#relations.set(pairOf(relation.source, relation.target), relation);
    for (const end of [this.entity(relation.source), this.entity(relation.target)]) {
      if (end) this.#incident.getOrInsertComputed(end, () => []).push(relation);
    }
  }
}

export function nameOf(of: Entity | Relation): string {
  return "name" in of ? of.name : `${of.source} – ${of.target}`;
}

function merge(
  { descriptions, units }: Entity | Relation,
  unit: number,
  description = "",
): boolean {
  if (description !== "" && !descriptions.includes(description)) descriptions.push(description);
  if (units.includes(unit)) return false;
  units.push(unit);
  return true;
}

const keyOf = normaliseEntity;

function pairOf(one: string, other: string): string {
  return JSON.stringify([keyOf(one), keyOf(other)].sort());
}
