/**
 * A figure is a value: a Vega-Lite specification over a frame, with its caption. Rendering needs no browser.
 *
 * @module
 */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type resvg from "@resvg/resvg-js";
import type { LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { safeText, safeValue } from "../foreign-text.ts";
import { displaySymbol, type MimeBundle } from "../platform.ts";
import { type ColumnTypes, type DataFrame, frameOf, rowsOf } from "./frame.ts";

/** A figure. */
export interface Figure {
  /** File name without ending, e.g. `arigraph-fig5-offline`. */
  readonly id: string;
  /** Says n, seeds, interval and backbone. */
  readonly caption: string;
  /** Vega-Lite 6, without `$schema`, `data`, `datasets` and `config`: what it draws are the rows of `frame`. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** What is drawn; exported beside the picture as CSV. */
  readonly frame: DataFrame;
}

/** What a figure of rows says of itself; what else it has belongs to its specification. */
interface FigureParts extends Pick<Figure, "id" | "caption"> {
  /** Above the picture. */
  readonly title: string;
  /** Below the title, in smaller letters. */
  readonly subtitle: string;
  readonly rows: readonly object[];
  /** Types, each with the names of columns, in the order of the frame's columns. */
  readonly fields: readonly (readonly [keyof ColumnTypes, ...names: string[]])[];
  readonly [part: string]: unknown;
}

/** Makes a figure of rows. */
export function figureOf({ id, caption, title: text, subtitle, rows, fields, ...spec }: FigureParts): Figure {
  const schema = Object.fromEntries(fields.flatMap(([type, ...names]) => names.map((name) => [name, type] as const)));
  return { id, caption, frame: frameOf(rows, schema), spec: { title: { text, subtitle }, ...spec } };
}

const load = createRequire(import.meta.url);
const FONT = "DejaVu Sans";

/**
 * Colours (`#rrggbb`) for conditions, in order: those that stay apart for colour-blind readers (Okabe and Ito), between them more (after Tol) for
 * figures with every method of a paper; black, in which the paper's marks are drawn, comes last.
 */
export const PALETTE: readonly string[] = [
  ...["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"],
  ...["#882255", "#999933", "#44aa99", "#332288", "#bbbbbb", "#ee8866", "#77aadd", "#000000"],
];

const CONFIG = {
  font: FONT,
  background: "white",
  title: { anchor: "start", fontSize: 13, subtitleColor: "#555", subtitleFontSize: 10 },
  axis: { labelFontSize: 10, titleFontSize: 11, gridColor: "#e6e6e6", domainColor: "#888", tickColor: "#888" },
  header: { labelFontSize: 11, labelFontWeight: "bold", titleFontSize: 11 },
  legend: { labelFontSize: 10, titleFontSize: 11, labelLimit: 260 },
  range: { category: PALETTE },
  view: { stroke: null },
};

/** The complete Vega-Lite specification: data in it, the lab's looks, the caption as subtitle. */
export function toVegaLite(figure: Figure): Record<string, unknown> {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { name: "frame" },
    ...safeValue(figure.spec),
    datasets: { frame: safeValue(rowsOf<Record<string, unknown>>(figure.frame)) },
    config: CONFIG,
  };
}

/** The figure as SVG text, in px, with its fonts by name. @throws {TypeError} if the specification is wrong: a warning of Vega counts as wrong. */
export async function toSvg(figure: Figure): Promise<string> {
  const drawn = lastDrawn.then(() => drawSvg(figure));
  lastDrawn = drawn.catch(() => {});
  return await drawn;
}

/** Figures are drawn one after another: Vega counts the ids of clips in a variable of its own. */
let lastDrawn: Promise<unknown> = Promise.resolve();

async function drawSvg(figure: Figure): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const { spec } = compile(toVegaLite(figure) as unknown as TopLevelSpec, { logger: strictLogger() });
  const view = new vega.View(vega.parse(spec), { renderer: "none", logger: strictLogger() });
  try {
    (vega as unknown as { resetSVGDefIds(): void }).resetSVGDefIds(); // so that a picture depends on nothing but its specification
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** An SVG as PNG, on white, with `scale` pixels for each px of the SVG. */
export function svgToPng(svg: string, scale = 2): Uint8Array {
  const { Resvg } = load("@resvg/resvg-js") as typeof resvg;
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    background: "white",
    font: { loadSystemFonts: false, fontFiles: [fontFile("DejaVuSans.ttf"), fontFile("DejaVuSans-Bold.ttf")], defaultFontFamily: FONT },
  });
  return image.render().asPng();
}

/** An SVG as a one-page PDF with its fonts, 1 px as 1 pt, and `info` about it; equal SVGs give equal bytes. @throws {TypeError} if its `viewBox` does not begin at 0 0. */
export async function svgToPdf(svg: string, info: Readonly<Record<string, string>> = {}): Promise<Uint8Array> {
  // Both packages are CommonJS without types of their own.
  const PDFDocument = load("pdfkit") as new (options: Record<string, unknown>) => PdfDocument;
  const svgToPdfKit = load("svg-to-pdfkit") as (document: PdfDocument, svg: string, x: number, y: number, options: unknown) => void;
  const size = svg.match(/<svg[^>]*\bviewBox="0 0 ([\d.]+) ([\d.]+)"/);
  if (!size) throw new TypeError("an SVG without viewBox cannot be put on a page; give the figure a size");
  const document = new PDFDocument({ size: [Number(size[1]), Number(size[2])], margin: 0, info: { ...info, CreationDate: new Date(0) } });
  const chunks: Uint8Array[] = [];
  document.on("data", (chunk) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.on("end", () => resolve()));
  document.registerFont("regular", fontFile("DejaVuSans.ttf"));
  document.registerFont("bold", fontFile("DejaVuSans-Bold.ttf"));
  svgToPdfKit(document, svg, 0, 0, { assumePt: true, fontCallback: (_family: string, bold: boolean) => bold ? "bold" : "regular" });
  document.end();
  await ended;
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/**
 * A figure that a notebook draws: interactive where Vega-Lite is known, else as SVG.
 *
 * @throws {TypeError} if the specification is wrong.
 *
 * @example
 * ```ts
 * import { displaySymbol } from "labyrinth";
 * import { figureView, memoryGraphFigure } from "labyrinth/report";
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

interface PdfDocument {
  on(event: "data", listener: (chunk: Uint8Array) => void): void;
  on(event: "end", listener: () => void): void;
  registerFont(name: string, file: string): void;
  end(): void;
}

function fontFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`));
}

function strictLogger(): LoggerInterface {
  const fail = (...messages: readonly unknown[]): never => {
    throw new TypeError(`the figure's specification is wrong: ${messages.join(" ")}`);
  };
  const logger: LoggerInterface = { level: () => logger as never, error: fail, warn: fail, info: () => logger, debug: () => logger };
  return logger;
}
