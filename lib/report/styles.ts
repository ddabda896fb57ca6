/** How methods look: one colour, line style and shape each, the same in every figure, so that no figure is read by colour alone. */

import { category, type Channel } from "./marks.ts";

/**
 * Twelve colours (`#rrggbb`) that stay apart for readers with protanopia, deuteranopia or tritanopia, after the model of Machado, Oliveira and
 * Fernandes (2009): no two are closer than 15 by CIEDE2000 in any of them. The last one is that of chance.
 */
export const PALETTE: readonly string[] = [
  ...["#076893", "#cf58f0", "#76440a", "#3de110", "#349d8a", "#799129"],
  ...["#0004a4", "#1b3726", "#372a43", "#b5c4ef", "#c4c89e", "#63625b"],
];

/** Dashes of lines in points, drawn and left out in turn; the first is a whole line, for which some drawers know no other word. */
const DASHES: readonly (readonly number[])[] = [[4000, 1], [5, 2], [1.5, 1.5], [6, 2, 1.5, 2], [9, 3], [3, 1.5, 1, 1.5, 1, 1.5]];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/** Names of methods and ids of memories by their colour. A name with a comma is a form of the method before it. */
const METHODS: readonly (readonly string[])[] = [
  ["AriGraph", "KG", "WESE", "ReasonPlanner", "Ariadne [Room obs]", "room graph"],
  ["Full History", "SM", "SayCan", "NetPlay [Room obs]"],
  ["AriGraph w/o episodic", "KG, static", "SESE", "NetPlay [Level obs]"],
  ["Summary", "KG, LLM as actor", "ReAct"],
  ["RAG", "KG, text only", "alone", "passages"],
  ["Reflexion", "w/o Memory", "none"],
  ["AriGraph w/o exploration", "KG, global map (ours)"],
  ["Simulacra", "ReasonPlanner w/o WM"],
  ["Human", "Human Top-3", "Oracle", "Gold path"],
  ["Human All", "AriGraph, authors' code"],
  ["Simulacra, authors' code"],
  ["Random actions", "Random DSL", "Random skills", "random"],
];

/** Color, dash and shape of a method. */
export interface MethodStyle {
  readonly color: string;
  readonly dash: readonly number[];
  readonly shape: string;
}

/** A name as ids are written: `Full History` is `full-history`. */
function idOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

const PLACES: ReadonlyMap<string, number> = new Map(METHODS.flatMap((line, place) => line.map((name) => [idOf(name), place] as const)));

/** The method of which a name is a form, as an id: of `KG, static` itself, of `RAG, k 5` and `ariadne + rag` `rag`. */
function methodOf(name: string): string {
  const id = idOf(name);
  const base = idOf(name.split(", ", 1)[0] ?? name);
  return [id, base, base.replace(/^.*(\/|-\+-)/, "")].find((one) => PLACES.has(one)) ?? base;
}

/**
 * The styles of some methods, in their order. What is in no list, or shares its line with a method before it, takes the colours that are left; forms
 * of a method (`Reflexion, trial 2`) have lighter tints of its colour.
 */
export function stylesOf(names: readonly string[]): MethodStyle[] {
  const given = new Map<string, number>();
  for (const method of names.map(methodOf)) {
    const place = PLACES.get(method);
    if (place !== undefined && ![...given.values()].includes(place)) given.getOrInsert(method, place);
  }
  const free = PALETTE.map((_, place) => place).filter((place) => ![...given.values()].includes(place));
  const forms = new Map<number, number>();
  return names.map((name) => {
    const place = given.getOrInsertComputed(methodOf(name), () => free.shift() ?? given.size % PALETTE.length);
    const form = forms.get(place) ?? 0;
    forms.set(place, form + 1);
    const style = (place + form) % DASHES.length;
    return { color: tintOf(PALETTE[place] ?? "#000000", form), dash: DASHES[style] ?? [], shape: SHAPES[style] ?? "circle" };
  });
}

/** A colour (`#rrggbb`) with so many steps of white: each takes a third of what is left to white. */
function tintOf(color: string, steps: number): string {
  const channels = [1, 3, 5].map((at) => 255 - Math.round((255 - parseInt(color.slice(at, at + 2), 16)) * (2 / 3) ** steps));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** The channels of methods, with one legend of all that are used together. */
export function methodChannels(
  field: string,
  names: readonly string[],
  legend?: Channel,
): Record<"color" | "strokeDash" | "shape", Channel> {
  const styles = stylesOf(names);
  const channel = (range: readonly unknown[]): Channel => category(field, names, range, legend ? { legend } : {});
  return {
    color: channel(styles.map(({ color }) => color)),
    strokeDash: channel(styles.map(({ dash }) => dash)),
    shape: channel(styles.map(({ shape }) => shape)),
  };
}
