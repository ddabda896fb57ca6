/**
 * The channels and marks that figures share, as parts of a Vega-Lite specification.
 *
 * @module
 */

/** A channel of an encoding: `{ field, type, … }`. */
export type Channel = Readonly<Record<string, unknown>>;

/** The channel of a number. */
export function quantitative(field: string, title: string, rest: Channel = {}): Channel {
  return { field, type: "quantitative", title, ...rest };
}

/** The channel of a category, or a facet, without a title; its values stand in this order. */
export function nominal(field: string, sort: readonly unknown[], rest: Channel = {}): Channel {
  return { field, type: "nominal", title: null, sort, ...rest };
}

/** The channel of a category whose legend names these values in this order, and nothing that was not drawn. */
export function category(field: string, domain: readonly unknown[], range: readonly unknown[], rest: Channel = {}): Channel {
  return nominal(field, domain, { scale: { domain, range }, ...rest });
}

/** A legend of lines. */
export const LINE_LEGEND: Channel = { symbolType: "stroke", symbolOpacity: 1 };

/** Fields and channels of a mark. `y` names the value's field; its title, scale and axis go for all layers. */
export interface MarkOptions {
  readonly x: Channel;
  readonly y: Channel;
  /** Fields of the lower and the upper end. */
  readonly low: string;
  readonly high: string;
  readonly color?: Channel;
  readonly xOffset?: Channel;
}

/** A point with its interval. */
export function intervalPoint(options: MarkOptions): unknown[] {
  const { x, y, low, high, ...channels } = options;
  return [
    { mark: { type: "rule", strokeWidth: 1.5 }, encoding: { x, ...channels, y: { ...y, field: low }, y2: { field: high } } },
    { mark: { type: "point", filled: true, size: 60, opacity: 1 }, encoding: { x, ...channels, y } },
  ];
}

/** A line over its band; `fillOpacity` is that of the band, in [0, 1], and `strokeWidth` the channel of the line's width where it varies. */
export function bandLine(
  options: MarkOptions & { readonly fillOpacity?: number; readonly interpolate?: string; readonly strokeWidth?: Channel },
): unknown[] {
  const { x, y, low, high, fillOpacity = 0.18, interpolate, strokeWidth, ...channels } = options;
  return [
    { mark: { type: "area", fillOpacity, interpolate }, encoding: { x, y: { ...y, field: low }, y2: { field: high }, ...channels } },
    { mark: { type: "line", strokeWidth: strokeWidth ? undefined : 2, interpolate }, encoding: { x, y, ...channels, strokeWidth } },
  ];
}

/** A bar with its interval and, where the field `paper` has a number, the paper's as a black tick. */
export function barWithPaper(
  options: MarkOptions & { readonly paper?: string; readonly mark?: Channel; readonly tickWidth?: number },
): unknown[] {
  const { x, y, low, high, color, xOffset, paper, mark, tickWidth } = options;
  return [
    { mark: { type: "bar", ...mark }, encoding: { x, xOffset, y, color } },
    { mark: { type: "rule", strokeWidth: 1.5, color: "#333" }, encoding: { x, xOffset, y: { ...y, field: low }, y2: { field: high } } },
    ...paper === undefined ? [] : [{
      transform: [{ filter: `isValid(datum['${paper}'])` }],
      mark: { type: "tick", thickness: 3, width: tickWidth, color: "black" },
      encoding: { x, xOffset, y: { ...y, field: paper } },
    }],
  ];
}

/** A text over each bar, at the height `y`. */
export function barText(field: string, { x, xOffset, y }: { readonly x: Channel; readonly xOffset: Channel; readonly y: number }): object {
  return {
    mark: { type: "text", fontSize: 8, baseline: "bottom", dy: -2 },
    encoding: { x, xOffset, y: { datum: y }, text: { field, type: "nominal" } },
  };
}

/** A layer of a picture that draws the rows of some kinds (field `kind`). */
export function kindLayer(kinds: string | readonly string[], mark: Channel, encoding: Readonly<Record<string, unknown>>): object {
  return { transform: [{ filter: { field: "kind", oneOf: [kinds].flat() } }], mark, encoding };
}

/** The channels of a position in a picture without axes, and of the other corner of a box. */
export function boxAt(scales: { readonly x: Channel; readonly y: Channel }): Record<"at" | "box", Record<string, Channel>> {
  const channel = (field: "x" | "y"): Channel => ({ field, type: "quantitative", axis: null, scale: scales[field] });
  const at = { x: channel("x"), y: channel("y") };
  return { at, box: { ...at, x2: { field: "x2" }, y2: { field: "y2" } } };
}
