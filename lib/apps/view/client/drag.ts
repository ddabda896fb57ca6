/// <reference lib="dom" />
/** How a drawing of sigma is dragged. */

import type Sigma from "sigma";

/** Time for which a drawing rests until it is drawn anew, in ms. */
const REST = 150;

/**
 * Looks for the node under the pointer only while nothing is dragged: sigma reads it back from the
 * graphics card at each movement of the mouse, which waits until the frame is drawn and takes most
 * of the time of a drag.
 */
export function pickOnlyAtRest(sigma: Sigma): void {
  const picking = sigma as unknown as { getNodeAtPosition(position: unknown): string | null };
  const pick = picking.getNodeAtPosition.bind(sigma);
  picking.getNodeAtPosition = (position) =>
    sigma.getMouseCaptor().draggedEvents > 0 ? null : pick(position);
}

/**
 * Moves the finished drawing while the camera pans: without a graphics card a large graph is drawn
 * only a few times a second.
 */
export function dragAsPicture(sigma: Sigma): void {
  const camera = sigma.getCamera();
  const draw = sigma.scheduleRender.bind(sigma);
  const { mouse: _, ...layers } = sigma.getCanvases();
  let drawn = camera.getState();
  let resting: ReturnType<typeof setTimeout> | undefined;
  const shift = (to: string): void =>
    Object.values(layers).forEach(({ style }) => style.transform = to);
  const stop = (): void => resting = void clearTimeout(resting);
  sigma.on("afterRender", () => {
    stop();
    shift("");
    drawn = camera.getState();
  });
  sigma.on("kill", stop);
  sigma.scheduleRender = () => {
    const now = camera.getState();
    const isMoved = resting !== undefined || now.x !== drawn.x || now.y !== drawn.y;
    if (!isMoved || now.ratio !== drawn.ratio || now.angle !== drawn.angle) return draw();
    const [from, to] = [drawn, now].map((cameraState) =>
      sigma.framedGraphToViewport({ x: 0, y: 0 }, { cameraState })
    ) as [Point, Point];
    shift(`translate(${to.x - from.x}px, ${to.y - from.y}px)`);
    stop();
    resting = setTimeout(draw, REST);
    return sigma;
  };
}

type Point = Readonly<Record<"x" | "y", number>>;
