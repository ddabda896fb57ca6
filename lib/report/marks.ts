/**
 * The marks that figures share, as layers of a Vega-Lite specification.
 *
 * @module
 */

/** A channel of an encoding: `{ field, type, … }`. */
export type Channel = Readonly<Record<string, unknown>>;

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

/** A line over its band; `fillOpacity` is that of the band, in [0, 1]. */
export function bandLine(options: MarkOptions & { readonly fillOpacity?: number; readonly interpolate?: string }): unknown[] {
  const { x, y, low, high, fillOpacity = 0.18, interpolate, ...channels } = options;
  return [
    { mark: { type: "area", fillOpacity, interpolate }, encoding: { x, y: { ...y, field: low }, y2: { field: high }, ...channels } },
    { mark: { type: "line", strokeWidth: 2, interpolate }, encoding: { x, y, ...channels } },
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

/** The channel of a category whose legend names these values in this order, and nothing that was not drawn. */
export function category(field: string, domain: readonly unknown[], range: readonly unknown[], rest: Channel = {}): Channel {
  return { field, type: "nominal", title: null, sort: domain, scale: { domain, range }, ...rest };
}

/** A layer of a picture that draws the rows of some kinds (field `kind`). */
export function kindLayer(kinds: string | readonly string[], mark: Channel, encoding: Readonly<Record<string, unknown>>): object {
  return { transform: [{ filter: { field: "kind", oneOf: [kinds].flat() } }], mark, encoding };
}

/** The channels of a position in a picture without axes. */
export function positionAt(
  [x, y]: readonly [string, string],
  scales: { readonly x: Channel; readonly y: Channel },
): Record<"x" | "y", Channel> {
  const channel = (field: string, scale: Channel): Channel => ({ field, type: "quantitative", axis: null, scale });
  return { x: channel(x, scales.x), y: channel(y, scales.y) };
}
