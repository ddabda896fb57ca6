/** The channels and marks that figures share, as parts of a Vega-Lite specification. */

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

/** A legend of lines, long enough to show their dashes. */
export const LINE_LEGEND: Channel = { symbolType: "stroke", symbolOpacity: 1, symbolSize: 200, symbolStrokeWidth: 1.6 };

/** Fields and channels of a mark. `y` names the value's field; its title, scale and axis go for all layers. */
export interface MarkOptions {
  readonly x: Channel;
  readonly y: Channel;
  /** Fields of the lower and the upper end. */
  readonly low: string;
  readonly high: string;
  readonly color?: Channel;
  readonly xOffset?: Channel;
  readonly shape?: Channel;
  readonly strokeDash?: Channel;
  /** The field of the series, and its values in order: their marks stand side by side where they share a place, so that none covers another's interval. */
  readonly dodge?: { readonly field: string; readonly values: readonly string[] };
}

/** Pixels from one series to the next where they stand side by side. */
const DODGE = 3;

/** The property of a mark that moves it to the place of its series. */
export function dodged(dodge: MarkOptions["dodge"]): Channel {
  if (!dodge || dodge.values.length < 2) return {};
  const { field, values } = dodge;
  return {
    xOffset: { expr: `${DODGE} * (indexof(${JSON.stringify(values)}, datum[${JSON.stringify(field)}]) - ${(values.length - 1) / 2})` },
  };
}

/** A point with its interval. */
export function intervalPoint(options: MarkOptions): unknown[] {
  const { x, y, low, high, shape, dodge, ...channels } = options;
  const place = dodged(dodge);
  return [
    { mark: { type: "rule", strokeWidth: 1.5, ...place }, encoding: { x, ...channels, y: { ...y, field: low }, y2: { field: high } } },
    { mark: { type: "point", filled: true, size: 40, opacity: 1, ...place }, encoding: { x, ...channels, shape, y } },
  ];
}

/** Lines more than which bands would lie on one another. */
const MOST_BANDS = 4;

/** How captions word the bands of so many lines. */
export function bandText(lines: number, text: string): string {
  return lines > MOST_BANDS ? "" : `, ${text}`;
}

/** Lines over their bands, which are left out where there are more than four lines. */
export function bandLine(options: MarkOptions & { readonly lines: number; readonly interpolate?: string }): unknown[] {
  const { x, y, low, high, lines, interpolate, color, dodge, ...channels } = options;
  const place = dodged(dodge);
  const band = {
    mark: { type: "area", fillOpacity: 0.18, interpolate, clip: true, ...place },
    encoding: { x, y: { ...y, field: low }, y2: { field: high }, color },
  };
  const line = { mark: { type: "line", strokeWidth: 1.6, interpolate, clip: true, ...place }, encoding: { x, y, color, ...channels } };
  return lines > MOST_BANDS ? [line] : [band, line];
}

/** A mark where a value lies below an axis that ends at `floor`, so that one outlier does not rule it: the field `below` tells the value. Panels with scales of
 * their own need a row each, which `keep` says. */
export function belowAxis(
  { x, keep }: Pick<MarkOptions, "x"> & { readonly keep: string },
  { floor, angle = 0 }: { readonly floor: number; readonly angle?: number },
): unknown {
  return {
    transform: [{ filter: `datum.below !== "" || ${keep}` }],
    mark: { type: "text", fontSize: 7, angle, align: "left", baseline: angle === 0 ? "bottom" : "middle", dx: 3, color: "#333" },
    encoding: { x, y: { datum: floor }, text: { field: "below", type: "nominal" } },
  };
}

/** A bar, of a value of 0 a line in its colour, with its interval and, where the field `paper` has a number, the paper's as a black tick. */
export function barWithPaper(
  options: MarkOptions & { readonly paper?: string },
): unknown[] {
  const { x, y, low, high, color, xOffset, paper } = options;
  const interval = { x, xOffset, y: { ...y, field: low }, y2: { field: high } };
  return [
    { mark: { type: "bar", clip: true }, encoding: { x, xOffset, y, color } },
    {
      transform: [{ filter: `datum['${String(y["field"])}'] === 0` }],
      mark: { type: "bar", yOffset: -1, y2Offset: 1 },
      encoding: { x, xOffset, y, y2: { datum: 0 }, color },
    },
    // white around it, so that it shows on a dark bar
    { mark: { type: "rule", strokeWidth: 3, color: "white", opacity: 0.8, clip: true }, encoding: interval },
    { mark: { type: "rule", strokeWidth: 1, color: "#333", clip: true }, encoding: interval },
    ...paper === undefined ? [] : [{
      transform: [{ filter: `isValid(datum['${paper}'])` }],
      mark: { type: "tick", thickness: 2, color: "black" },
      encoding: { x, xOffset, y: { ...y, field: paper } },
    }],
  ];
}

/** A text over each bar, at the height `y`. */
export function barText(
  field: string,
  { x, xOffset, y, upright = false }: { readonly x: Channel; readonly xOffset: Channel; readonly y: number; readonly upright?: boolean },
): object {
  const along = upright ? { angle: 270, align: "left", baseline: "middle", dx: 2 } : { baseline: "bottom", dy: -2 };
  return {
    mark: { type: "text", fontSize: 8, ...along },
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
