/** A figure is a value: a Vega-Lite specification over a frame, with its caption. Rendering needs no browser. */

import { safeText, safeValue } from "../core/foreign-text.ts";
import { drawSvg } from "../lab/draw.ts";
import { displaySymbol, type MimeBundle } from "../core/platform.ts";
import { checkName } from "../core/text/did-you-mean.ts";
import { type ColumnTypes, type DataFrame, frameOf, rowsOf } from "./frame.ts";
import { configOf, legendNames, type Preset, PRESETS, scaledSpec } from "./presets.ts";
export { svgToPdf, svgToPng } from "../lab/draw.ts";
export type { Preset } from "./presets.ts";

/** A figure. */
export interface Figure {
  /** File name without ending, e.g. `arigraph-fig5-offline`. */
  readonly id: string;
  /** Says n, seeds, interval and backbone. */
  readonly caption: string;
  /** Vega-Lite 6, without `$schema`, `data`, `datasets` and `config`: what it draws are the rows of `frame`. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The data that are drawn; exported beside the picture as CSV. */
  readonly frame: DataFrame;
  /** Whether no column is wide enough for it: there it is drawn as wide as the page; of a picture with a width of its own `fixed`. */
  readonly isWide?: true | "fixed";
}

/** The parts of a figure of rows; all further fields belong to its specification. */
interface FigureParts extends Pick<Figure, "id" | "caption" | "isWide"> {
  /** Above the picture. */
  readonly title: string;
  /** Below the title, in smaller letters. */
  readonly subtitle?: string;
  readonly rows: readonly object[];
  /** Types, each with the names of columns, in the order of the frame's columns. */
  readonly fields: readonly (readonly [keyof ColumnTypes, ...names: string[]])[];
  readonly [part: string]: unknown;
}

/** The picture of a figure without rows: Vega-Lite has no axes where there are no numbers. */
const NOTHING = {
  data: { values: [{}] },
  ...{ width: 320, height: 40, mark: { type: "text", fontSize: 11 }, encoding: { text: { value: "no data" } } },
};

/** Makes a figure of rows; one without rows says in its picture that there are no data. */
export function figureOf({ id, caption, isWide, title: text, subtitle, rows, fields, ...spec }: FigureParts): Figure {
  const schema = Object.fromEntries(fields.flatMap(([type, ...names]) => names.map((name) => [name, type] as const)));
  return { id, caption, isWide, frame: frameOf(rows, schema), spec: { title: { text, subtitle }, ...(rows.length > 0 ? spec : NOTHING) } };
}

/** How a figure is drawn. */
export interface DrawOptions {
  /** @default {"page"} */
  readonly preset?: Preset;
}

/** The complete Vega-Lite specification: data in it, the lab's looks, the caption as subtitle. `factor` is that of the panels' widths. */
export function toVegaLite(
  figure: Figure,
  { preset = "page", factor = 1 }: DrawOptions & { readonly factor?: number } = {},
): Record<string, unknown> {
  const spec = safeValue(figure.spec) as Figure["spec"];
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { name: "frame" },
    ...scaledSpec(spec, preset, factor),
    datasets: { frame: safeValue(rowsOf<Record<string, unknown>>(figure.frame)) },
    config: configOf(preset, legendNames(spec)),
  };
}

/** The figure as SVG text in the width of a preset, in px, with its fonts by name. @throws {TypeError} if the specification is wrong: a warning of Vega counts as wrong. */
export async function toSvg(figure: Figure, options: DrawOptions = {}): Promise<string> {
  if (options.preset !== undefined) checkName("preset", options.preset, Object.keys(PRESETS));
  const drawn = lastDrawn.then(() =>
    fittedSvg(figure, figure.isWide ? { ...options, preset: options.preset === "slide" ? "slide" : "page" } : options)
  );
  lastDrawn = drawn.catch(() => {});
  return await drawn;
}

/** Figures are drawn one after another: Vega counts the ids of clips in a variable of its own. */
let lastDrawn: Promise<unknown> = Promise.resolve();

/** Draws until the panels fill the width: that of a picture grows evenly with theirs. */
async function fittedSvg(figure: Figure, { preset = "page" }: DrawOptions): Promise<string> {
  const { width: wanted } = PRESETS[preset];
  const draw = async (factor: number): Promise<{ factor: number; svg: string; width: number }> => {
    const svg = await drawSvg(toVegaLite(figure, { preset, factor }));
    return { factor, svg, width: Number(svg.match(/viewBox="0 0 ([\d.]+)/)?.[1]) };
  };
  if (figure.isWide === "fixed") return (await draw(1)).svg;
  let [last, best] = [await draw(1), await draw(0.5)];
  for (let tries = 0; tries < 5 && (best.width > wanted || best.width < wanted - 4); tries++) {
    const slope = (last.width - best.width) / (last.factor - best.factor);
    // where a legend or a title is wider than the panels, their width does not tell
    const next = slope > 0 ? best.factor + (wanted - 1 - best.width) / slope : Math.max(last.factor, best.factor) * 2;
    if (!(slope > 0) && best.width > wanted) break;
    [last, best] = [best, await draw(Math.max(0.05, next))];
  }
  return best.svg;
}

/**
 * A figure that a notebook draws: interactive where Vega-Lite is known, else as SVG.
 *
 * @throws {TypeError} if the specification is wrong.
 *
 * @example
 * ```ts
 * import { displaySymbol, figureView, memoryGraphFigure } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], { id: "m", title: "Memory", backbone: "offline" });
 * assert.equal((await figureView(figure))[displaySymbol]()["text/plain"], `m: ${figure.caption}`);
 * ```
 */
export async function figureView(figure: Figure): Promise<Figure & { [displaySymbol]: () => MimeBundle }> {
  const svg = await toSvg(figure);
  return {
    ...figure,
    [displaySymbol]: () => ({
      // JupyterLab knows the version 5 of this type, which draws these specifications as well.
      "application/vnd.vegalite.v5+json": toVegaLite(figure),
      "image/svg+xml": svg,
      "text/plain": safeText(`${figure.id}: ${figure.caption}`),
    }),
  };
}
