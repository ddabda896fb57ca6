/** Figures at their final size: widths in points (1 px of a picture is 1 pt), letters of 7 to 9 pt, panels that fill what is left. */

import { brokenText, FONT, textWidth } from "../lab/draw.ts";
import { PALETTE } from "./styles.ts";
export { brokenText, textWidth } from "../lab/draw.ts";

/** The size of a figure: a column of a two-column page (240 pt), the whole page (500 pt), or a slide (800 pt, large letters). */
export type Preset = "column" | "page" | "slide";

/** Width in points, and sizes of letters: of labels, of titles of axes and legends, and of the figure's title. */
interface Sizes {
  readonly width: number;
  readonly label: number;
  readonly axis: number;
  readonly title: number;
}

/** The sizes of each preset. */
export const PRESETS: Readonly<Record<Preset, Sizes>> = {
  column: { width: 240, label: 7, axis: 7.5, title: 8.5 },
  page: { width: 500, label: 7.5, axis: 8, title: 9 },
  slide: { width: 800, label: 13, axis: 14, title: 18 },
};

/** A part of a Vega-Lite specification. */
type Part = Readonly<Record<string, unknown>>;

/** The looks of figures in a preset. `names` are those of what its legends hold, so that they stand in as many columns as fit. */
export function configOf(preset: Preset, names: readonly string[]): object {
  const { width, label, axis, title } = PRESETS[preset];
  const entry = Math.max(20, ...names.map((name) => textWidth(name, label))) + 34;
  return {
    font: FONT,
    background: "white",
    title: { anchor: "start", fontSize: title, subtitleColor: "#555", subtitleFontSize: label, offset: 6 },
    axis: {
      labelFontSize: label,
      titleFontSize: axis,
      titleFontWeight: "normal",
      gridColor: "#e6e6e6",
      domainColor: "#888",
      tickColor: "#888",
      labelLimit: 0,
    },
    axisQuantitative: { labelOverlap: "greedy", labelSeparation: 4, labelFlush: false },
    header: { labelFontSize: axis, labelFontWeight: "bold", titleFontSize: axis, labelLimit: 0 },
    legend: {
      labelFontSize: label,
      titleFontSize: axis,
      labelLimit: 0,
      orient: "bottom",
      columns: Math.max(1, Math.floor(width / entry)),
      symbolSize: 50,
      columnPadding: 8,
      rowPadding: 2,
    },
    range: { category: PALETTE },
    view: { stroke: null },
  };
}

/** A specification for a preset, its panels `factor` times as wide as they are stated; letters are within the preset's sizes. */
export function scaledSpec(spec: Part, preset: Preset, factor: number): Record<string, unknown> {
  const { width, label, title } = PRESETS[preset];
  const narrow = preset === "column";
  const number = (value: unknown, least: number, by: number): unknown => {
    if (typeof value === "number") return Math.max(least, value * by);
    return isPart(value) && typeof value["step"] === "number" ? { ...value, step: Math.max(least / 8, value["step"] * by) } : value;
  };
  const view = (part: Part): Record<string, unknown> => {
    const { hconcat, columns, ...rest } = part;
    const high = Math.min(1.4, Math.max(0.6, factor));
    const panels = (key: string): Part => Array.isArray(rest[key]) ? { [key]: rest[key].map((one) => view(one as Part)) } : {};
    return {
      ...rest,
      ...panels("vconcat"),
      ...hconcat === undefined ? {} : { [narrow ? "vconcat" : "hconcat"]: (hconcat as Part[]).map(view) },
      ...columns === undefined ? {} : { columns: narrow ? Math.min(2, Number(columns)) : columns },
      ...isPart(rest["spec"]) ? { spec: view(rest["spec"]) } : {},
      ...rest["width"] === undefined ? {} : { width: number(rest["width"], 10, factor) },
      // maps keep their shape
      ...typeof rest["height"] === "number"
        ? { height: part["width"] === rest["height"] ? Math.max(40, rest["height"] * factor) : Math.max(50, rest["height"] * high) }
        : {},
    };
  };
  const lettered = (value: unknown, key = ""): unknown => {
    if (typeof value === "number" && /fontSize$/i.test(key)) {
      return preset === "slide" ? value * 1.6 : Math.min(9, Math.max(label, value));
    }
    if (Array.isArray(value)) return value.map((one) => lettered(one));
    return isPart(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === "values" ? one : lettered(one, name)]))
      : value;
  };
  const scaled = lettered(view(spec)) as Record<string, unknown>;
  const { text, subtitle, ...rest } = (scaled["title"] ?? {}) as Readonly<Record<string, unknown>>;
  const broken = (value: unknown, size: number): unknown => typeof value === "string" ? brokenText(value, width - 10, size) : value;
  return text === undefined
    ? scaled
    : { ...scaled, title: { ...rest, text: broken(text, title * 1.1), subtitle: broken(subtitle, label) } };
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries of a specification's legends: the values of its colours and shapes. */
export function legendNames(spec: unknown): string[] {
  if (Array.isArray(spec)) return spec.flatMap(legendNames);
  if (!isPart(spec)) return [];
  return Object.entries(spec).flatMap(([name, part]) => {
    if (name === "values" || name === "datasets") return [];
    if (!["color", "shape", "strokeDash"].includes(name) || !isPart(part) || !("field" in part)) return legendNames(part);
    const domain = (part["scale"] as Part | undefined)?.["domain"] ?? part["sort"];
    return Array.isArray(domain) ? domain.map(String) : [];
  });
}
