/** A Vega-Lite specification as a figure: drawn as it is written, at its own size. */

import { Buffer } from "node:buffer";
import { markupText, safeText, safeValue } from "../core/foreign-text.ts";
import { displaySymbol, type MimeBundle } from "../core/platform.ts";
import { isObject } from "../core/text/canonical.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import { brokenText, drawSvg, FONT, svgToPdf, svgToPng } from "./draw.ts";
import { type DataFrame, frameCsv, rowsOf } from "./frame-of.ts";
import { writeExhibit } from "./write-files.ts";

/** How a figure is shown and written. */
export interface FigureOptions {
  /** What is shown, on what, n, and what bars or bands are: at most about 40 words. */
  readonly caption: string;
  /** Path of its files without ending, e.g. `figures/fig3`. @default none is written */
  readonly file?: string;
}

/** A figure that a cell shows as a picture above its caption. */
export interface ShownFigure {
  /** The picture, without the caption. */
  readonly svg: string;
  /** The paths that were written: SVG, PDF, PNG, and CSV of a frame. */
  readonly files: readonly string[];
  /** What a cell shows. */
  [displaySymbol](): MimeBundle;
}

/**
 * Nine muted colours that readers with a colour vision deficiency can distinguish, in the order of
 * use: Paul Tol's scheme "muted" (SRON technical note EPS/TN/09-002, 2021), its darkest first.
 */
export const COLORS: readonly string[] =
  "#332288 #cc6677 #117733 #ddcc77 #88ccee #882255 #44aa99 #999933 #aa4499".split(" ");

/** What holds where a specification does not say otherwise: letters and lines for print. */
const CONFIG = {
  font: FONT,
  background: "white",
  title: { anchor: "start", fontSize: 9, offset: 6 },
  axis: {
    ...{ labelFontSize: 7.5, titleFontSize: 8, titleFontWeight: "normal", labelLimit: 0 },
    ...{ gridColor: "#e6e6e6", domainColor: "#888", tickColor: "#888" },
  },
  header: { labelFontSize: 8, titleFontSize: 8, labelLimit: 0 },
  legend: { labelFontSize: 7.5, titleFontSize: 8, titleFontWeight: "normal", labelLimit: 0 },
  mark: { color: COLORS[0] },
  text: { fontSize: 7.5, color: "#111" },
  range: { category: COLORS },
  view: { stroke: null },
};

/**
 * Draws a Vega-Lite 6 specification literally. `data` may be a frame, at the top and in any layer
 * or panel; one px of the specification is one pt on paper. `config` overrides the default look.
 * With `file` it is written as SVG, PDF (font embedded) and PNG (twice the size), with the frame of
 * `data` as CSV, and noted in `manifest.json`.
 *
 * @throws {TypeError} if the specification is wrong: a warning of Vega counts as wrong.
 *
 * @example
 * ```ts
 * import { figure } from "labyrinth/lab";
 * import { frameOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const rows = [{ step: 1, score: 0.5 }, { step: 2, score: 1 }];
 * const { svg } = await figure({
 *   data: frameOf(rows, { step: "integer", score: "number" }),
 *   width: 200,
 *   height: 100,
 *   mark: "line",
 *   encoding: {
 *     x: { field: "step", type: "quantitative" },
 *     y: { field: "score", type: "quantitative" },
 *   },
 * }, { caption: "One game." });
 * assert.match(svg, /^<svg/);
 * ```
 */
export async function figure(
  spec: Readonly<Record<string, unknown>>,
  options: FigureOptions,
): Promise<ShownFigure> {
  checkKeys("figure()", options, ["caption", "file"]);
  const { caption, file } = options;
  const svg = await drawn({
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...safeValue(withRows(spec) as Readonly<Record<string, unknown>>),
    config: merged(CONFIG, spec["config"] ?? {}),
  });
  const shown = captioned(svg, caption);
  const files = file === undefined ? [] : await writeExhibit(file, caption, {
    ...{ svg, pdf: await svgToPdf(svg), png: svgToPng(svg) },
    ...isFrame(spec["data"]) ? { csv: frameCsv(spec["data"]) } : {},
  });
  return {
    svg,
    files,
    [displaySymbol]: () => ({
      // JupyterLab draws no SVG of a notebook that it does not trust, and GitHub not always
      "image/png": Buffer.from(svgToPng(shown)).toString("base64"),
      "text/plain": safeText(caption),
    }),
  };
}

/** Figures are drawn one after another: Vega counts the ids of clips in a variable of its own. */
let last: Promise<unknown> = Promise.resolve();

async function drawn(spec: Record<string, unknown>): Promise<string> {
  const svg = last.then(() => drawSvg(spec)).catch((error) => {
    const problem = error instanceof Error ? error.message : String(error);
    const known = "the figure's specification is wrong: ";
    throw new TypeError(problem.startsWith(known) ? problem : known + problem, { cause: error });
  });
  last = svg.catch(() => {});
  return await svg;
}

function isFrame(value: unknown): value is DataFrame {
  return typeof (value as Partial<DataFrame> | undefined)?.toRecords === "function";
}

/** A specification with the rows of its frames in their place. */
function withRows(part: unknown): unknown {
  if (isFrame(part)) return { values: rowsOf(part) };
  if (Array.isArray(part)) return part.map(withRows);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withRows(value)]));
}

/** Defaults with what a user states in their place, field by field. */
function merged(defaults: object, stated: object): object {
  return Object.entries(stated).reduce<Record<string, unknown>>((all, [name, value]) => ({
    ...all,
    [name]: isObject(value) && isObject(all[name]) ? merged(all[name], value) : value,
  }), { ...defaults });
}

/** An SVG with a caption under it, in lines that are as wide as the picture. */
function captioned(svg: string, caption: string): string {
  const [, width = 0, height = 0] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/)?.map(Number) ?? [];
  const lines = brokenText(safeText(caption), Math.max(width - 10, 120), 8);
  const [wide, high] = [Math.max(width, 130), height + 8 + 11 * lines.length];
  const text = lines.map((line, i) =>
    `<text x="5" y="${height + 11 + 11 * i}" font-family="${FONT}" font-size="8px" fill="#444">${
      markupText(line)
    }</text>`
  );
  return svg.replace(
    /(width)="[\d.]+" (height)="[\d.]+" viewBox="[^"]*"/,
    `$1="${wide}" $2="${high}" viewBox="0 0 ${wide} ${high}"`,
  )
    .replace(/<\/svg>\s*$/, `${text.join("")}</svg>`);
}
