/**
 * AriGraph's Figure 13: a game of NetHack as a strip of screens, drawn from the recorded truth.
 *
 * @module
 */

import { type Figure, figureOf } from "../../../report/figure.ts";
import { category, nominal } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import type { Store } from "../../../store/open.ts";
import { listTruths } from "../../../store/turns.ts";
import { agentName, nethackTrials } from "../nethack.ts";
import { type NetHackStep, nethackSteps } from "./nethack.ts";

/** A screen: a title that is unique in its strip, and the game's map, 21 lines of 79 characters. */
export interface DungeonScreen {
  readonly title: string;
  readonly map: readonly string[];
}

/** Kind of sign, its colour and its signs; the last kind holds all others. */
const KINDS: readonly (readonly [string, string, RegExp])[] = [
  ["hero", "#d55e00", /@/],
  ["wall", "#777777", /[-|]/],
  ["ground", "#bbbbbb", /[.#]/],
  ["stairs", "#0072b2", /[<>]/],
  ["door", "#8a5a00", /\+/],
  ["creature", "#cc0044", /[A-Za-z&;:~']/],
  ["thing", "#009e73", /./],
];
/** Size of a cell of the map in px. */
const CELL = { width: 5.4, height: 9.5 };

/** Draws the game that got deepest (of equal ones the one with the higher score), of Ariadne where it played; signs have the colour of their kind. */
export function dungeonStripFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const done = reader.read({ trials: nethackTrials }, study).trials.filter(({ status }) => status === "completed");
  const ours = done.filter(({ condition }) => condition === "ariadne-room");
  const [best] = (ours.length > 0 ? ours : done).toSorted((a, b) => (b.levels ?? 0) - (a.levels ?? 0) || (b.score ?? 0) - (a.score ?? 0));
  const screens = best ? nethackScreens(store, best.episode, nethackSteps(store, study)) : [];
  if (!best || screens.length === 0) return undefined;
  const agent = agentName(best.condition);
  return stripFigure(screens, {
    id: `arigraph-fig13-${backbone}`,
    title: "A run through NetHack",
    subtitle: `${agent}, seed ${best.seed}, backbone: ${backbone}`,
    caption:
      `${agent} in NetHack, seed ${best.seed} (n = 1), backbone ${backbone} (after Figure 13): the game's map before each call that reached a new level, ` +
      `and at the end: ${screens.length} screens, levels completed: ${best.levels}, score ${best.score}. Drawn from the game's own map.`,
  });
}

/** Screens of a strip. */
const SCREENS = 6;

/** Returns the screens of a game before each new level and at its end; of more than six the first and the last five. */
export function nethackScreens(store: Store, episode: string, steps: readonly NetHackStep[]): DungeonScreen[] {
  const run = steps.filter((step) => step.episode === episode);
  const chosen = run.filter((step, index) => index === run.length - 1 || (run[index + 1]?.deepest ?? 0) > step.deepest);
  const shown = chosen.length > SCREENS ? [...chosen.slice(0, 1), ...chosen.slice(1 - SCREENS)] : chosen;
  const maps = new Map(listTruths(store, episode).map(({ step, truth }) => [step, truth["map"]]));
  return shown.flatMap(({ step, depth, score }) => {
    const map = maps.get(step);
    return Array.isArray(map) ? [{ title: `call ${step}, dungeon level ${depth}, score ${score}`, map: map.map(String) }] : [];
  });
}

/** Draws screens in two columns. */
export function stripFigure(
  screens: readonly DungeonScreen[],
  options: { readonly id: string; readonly title: string; readonly subtitle: string; readonly caption: string },
): Figure {
  const rows = screens.flatMap((screen, place) =>
    screen.map.flatMap((line, y) =>
      [...line].flatMap((sign, x) => sign === " " ? [] : [{ screen: screen.title, place, x, y, sign, kind: kindOf(sign) }])
    )
  );
  const [wide, high] = [
    Math.max(...screens.flatMap(({ map }) => map.map((line) => line.length)), 1),
    Math.max(...screens.map(({ map }) => map.length), 1),
  ];
  const axis = (field: string, end: number, reverse?: true): Record<string, unknown> => (
    { field, type: "quantitative", axis: null, scale: { domain: [-0.5, end - 0.5], nice: false, zero: false, reverse } }
  );
  const legend = { orient: "bottom", symbolType: "circle" };
  return figureOf({
    ...options,
    rows,
    fields: [["text", "screen"], ["integer", "place", "x", "y"], ["text", "sign", "kind"]],
    facet: nominal("screen", screens.map(({ title }) => title), {
      header: { labelFontSize: 9.5, labelAnchor: "start", labelLimit: wide * CELL.width },
    }),
    columns: 2,
    spacing: 14,
    spec: {
      width: wide * CELL.width,
      height: high * CELL.height,
      view: { fill: "#fbfbfb", stroke: "#dddddd" },
      mark: { type: "text", fontSize: 8.5, fontWeight: "bold", baseline: "middle" },
      encoding: {
        x: axis("x", wide),
        y: axis("y", high, true),
        text: { field: "sign", type: "nominal" },
        color: { ...category("kind", KINDS.map(([kind]) => kind), KINDS.map(([, colour]) => colour), { legend }), sort: undefined },
      },
    },
  });
}

function kindOf(sign: string): string {
  return KINDS.find(([, , signs]) => signs.test(sign))?.[0] ?? "thing";
}
