/** Vega-Lite as SVG, PNG and PDF, without a browser and with one font. */

import { fileURLToPath } from "node:url";
import type resvg from "@resvg/resvg-js";
import type { LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { loadModule } from "../core/platform.ts";
import { palettePng } from "./palette-png.ts";

export const FONT = "DejaVu Sans";

/**
 * Draws a complete Vega-Lite specification as SVG text.
 * @throws {TypeError} if it is wrong: a warning of Vega counts as wrong.
 */
export async function drawSvg(vegaLite: Record<string, unknown>): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const drawing = vega as unknown as {
    resetSVGDefIds(): void;
    textMetrics: { width: typeof widthOfItem };
  };
  drawing.textMetrics.width = widthOfItem;
  const { values } = vegaLite["data"] as { values?: readonly unknown[] } ?? {};
  const logger = strictLogger(values?.length === 0);
  const { spec } = compile(vegaLite as unknown as TopLevelSpec, { logger });
  const view = new vega.View(vega.parse(spec), { renderer: "none", logger });
  try {
    drawing.resetSVGDefIds(); // so that a picture depends on nothing but its specification
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** A text's width in the font that is drawn; Vega's guess without a canvas is a third too wide. */
function widthOfItem(
  { fontSize = 11, fontWeight, limit = 0 }: {
    fontSize?: number;
    fontWeight?: string | number;
    limit?: number;
  },
  text: unknown,
): number {
  const width = textWidth(
    `${text ?? ""}`.trim(),
    Number(fontSize),
    fontWeight === "bold" || Number(fontWeight) > 500 ? "bold" : "regular",
  );
  return limit > 0 ? Math.min(limit, width) : width;
}

/** An SVG as PNG, on white, with two pixels for each px of the SVG. */
export function svgToPng(svg: string): Uint8Array {
  const { Resvg } = loadModule<typeof resvg>("@resvg/resvg-js");
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    background: "white",
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile("regular"), fontFile("bold")],
      defaultFontFamily: FONT,
    },
  });
  const { pixels, width, height } = image.render();
  return palettePng(pixels, width, height);
}

/**
 * An SVG as a one-page PDF with its fonts, 1 px as 1 pt; equal SVGs give equal bytes.
 * @throws {TypeError} if its `viewBox` does not begin at 0 0.
 */
export async function svgToPdf(svg: string): Promise<Uint8Array> {
  // Both packages are CommonJS without types of their own.
  const PDFDocument = loadModule<new (options: Record<string, unknown>) => PdfDocument>("pdfkit");
  const svgToPdfKit = loadModule<
    (document: PdfDocument, svg: string, x: number, y: number, options: unknown) => void
  >("svg-to-pdfkit");
  const size = svg.match(/<svg[^>]*\bviewBox="0 0 ([\d.]+) ([\d.]+)"/);
  if (!size) {
    throw new TypeError("an SVG without viewBox cannot be put on a page; give the figure a size");
  }
  const document = new PDFDocument({
    size: [Number(size[1]), Number(size[2])],
    margin: 0,
    info: { CreationDate: new Date(0) },
  });
  const chunks: Uint8Array[] = [];
  document.on("data", (chunk) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.on("end", () => resolve()));
  document.registerFont("regular", fontFile("regular"));
  document.registerFont("bold", fontFile("bold"));
  const solid = svg.replaceAll(/ stroke-dasharray="[\d.]+,0"/g, ""); // pdfkit refuses dashes without a gap
  svgToPdfKit(document, solid, 0, 0, {
    assumePt: true,
    fontCallback: (_family: string, bold: boolean) => bold ? "bold" : "regular",
  });
  document.end();
  await ended;
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Words in lines of at most `width` points, except for longer words. */
export function brokenText(text: string, width: number, size: number): string[] {
  return text.split(" ").reduce<string[]>((lines, word) => {
    const longer = `${lines.at(-1)} ${word}`;
    return lines.length > 0 && textWidth(longer, size) <= width
      ? [...lines.slice(0, -1), longer]
      : [...lines, word];
  }, []);
}

/** The width of a text in the font of figures, in points. */
export function textWidth(
  text: string,
  size: number,
  weight: "regular" | "bold" = "regular",
): number {
  const key = `${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    width = measure(text, weight);
    if (widths.size < 10_000) widths.set(key, width);
  }
  return width * size;
}

const widths = new Map<string, number>();
let measurer: Measurer | undefined;

interface Measurer {
  font(name: string): Measurer;
  fontSize(size: number): Measurer;
  widthOfString(text: string): number;
}

function measure(text: string, weight: "regular" | "bold"): number {
  if (!measurer) {
    const PDFDocument = loadModule<
      new () => Measurer & { registerFont(name: string, file: string): void }
    >("pdfkit");
    const made = new PDFDocument();
    made.registerFont("regular", fontFile("regular"));
    made.registerFont("bold", fontFile("bold"));
    measurer = made;
  }
  return measurer.font(weight).fontSize(100).widthOfString(text) / 100;
}

export function fontFile(weight: "regular" | "bold"): string {
  return fileURLToPath(
    import.meta.resolve(
      `dejavu-fonts-ttf/ttf/${weight === "bold" ? "DejaVuSans-Bold.ttf" : "DejaVuSans.ttf"}`,
    ),
  );
}

interface PdfDocument {
  on(event: "data", listener: (chunk: Uint8Array) => void): void;
  on(event: "end", listener: () => void): void;
  registerFont(name: string, file: string): void;
  end(): void;
}

/** @param isEmpty whether there are no rows: then it is no fault that an axis has no extent */
function strictLogger(isEmpty: boolean): LoggerInterface {
  const fail = (...messages: readonly unknown[]): never => {
    throw new TypeError(`the figure's specification is wrong: ${messages.join(" ")}`);
  };
  const logger: LoggerInterface = {
    level: () => logger as never,
    error: fail,
    warn: (...messages) =>
      isEmpty && `${messages[0]}`.startsWith("Infinite extent") ? logger : fail(...messages),
    info: () => logger,
    debug: () => logger,
  };
  return logger;
}
