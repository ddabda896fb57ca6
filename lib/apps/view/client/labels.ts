/// <reference lib="dom" />
/** The names next to the nodes of a drawing. */

/** A node whose label sigma draws: its place and radius in px. */
export interface DrawnNode {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly label: string | null;
}

type Colours = Readonly<Record<"ground" | "ink" | "panel" | "line", string>>;

/** The buttons over the upper right corner of a drawing, in px. */
const ZOOM = { width: 48, height: 125 } as const;

/**
 * Draws labels next to their nodes on a rim in the ground's colour, large nodes first; one that
 * would cover another is left out unless its node is a place.
 */
export function drawLabels(
  context: CanvasRenderingContext2D,
  nodes: readonly DrawnNode[],
  { width, fontSize, ground, ink }: Pick<Colours, "ground" | "ink"> & {
    readonly width: number;
    readonly fontSize: number;
  },
): void {
  const drawn: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  Object.assign(context, { lineWidth: 4, lineJoin: "round", strokeStyle: ground, fillStyle: ink });
  for (const { x, y, size, label } of nodes.toSorted((a, b) => b.size - a.size)) {
    if (!label) continue;
    const isPlace = size > 8;
    context.font = isPlace
      ? `650 ${fontSize + 1}px system-ui, sans-serif`
      : `${fontSize}px system-ui, sans-serif`;
    const long = context.measureText(label).width;
    const edge = y < ZOOM.height ? width - ZOOM.width : width;
    const left = x + size + 3 + long > edge ? Math.max(0, x - size - 3 - long) : x + size + 3;
    const covers = drawn.some((other) =>
      Math.abs(other.y - y) < fontSize - 1 && left < other.right && other.left < left + long
    );
    if (covers && !isPlace) continue;
    drawn.push({ left, right: left + long, y });
    context.strokeText(label, left, y + fontSize / 3);
    context.fillText(label, left, y + fontSize / 3);
  }
}

/** Draws the label of the node that is pointed at, on a panel. */
export function drawHover(
  context: CanvasRenderingContext2D,
  { x, y, size, label }: DrawnNode,
  fontSize: number,
  { panel, ink, line }: Colours,
): void {
  if (!label) return;
  context.font = `600 ${fontSize}px system-ui, sans-serif`;
  const width = context.measureText(label).width + 12;
  context.fillStyle = panel;
  context.strokeStyle = line;
  context.beginPath();
  context.roundRect(x + size + 2, y - fontSize / 2 - 5, width, fontSize + 10, 4);
  context.fill();
  context.stroke();
  context.fillStyle = ink;
  context.fillText(label, x + size + 8, y + fontSize / 3);
}
