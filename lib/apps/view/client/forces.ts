/** Where the entities of a graph without places are drawn, by ForceAtlas2 (Jacomy et al. 2014). */

import { MultiDirectedGraph } from "graphology";
import forceAtlas2Package from "graphology-layout-forceatlas2";
import forceAtlas2WorkerPackage from "graphology-layout-forceatlas2/worker.js";
import { COMPASS, type Compass } from "../../../core/graph/compass.ts";

/** A triplet as three texts. */
export type Row = readonly [subject: string, relation: string, object: string];

/** A node of the drawing. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly isPlace: boolean;
}

/** Distance between neighbouring places. */
export const UNIT = 100;

/**
 * The nodes of a triplet's ends. A direction or a state is a node of its own for each subject, so
 * that it does not join all subjects.
 */
export function endsOf([subject, relation, object]: Row): readonly [string, string] {
  return [
    subject,
    isDirection(object) || relation === "is" || relation === "to be"
      ? `${subject}\u0000${object}`
      : object,
  ];
}

/** Whether a text is a direction of the compass. */
export function isDirection(text: string): text is Compass {
  return (COMPASS as readonly string[]).includes(text);
}

const forceAtlas2 = forceAtlas2Package as unknown as typeof forceAtlas2Package.default; // CommonJS packages: they export one function
const ForceAtlas2Worker =
  forceAtlas2WorkerPackage as unknown as typeof forceAtlas2WorkerPackage.default;

interface Beginning {
  readonly graph: MultiDirectedGraph<{ x: number; y: number }>;
  readonly settings: forceAtlas2Package.ForceAtlas2Settings;
  readonly iterations: number;
  /** Where the graph's nodes are now. */
  readonly spots: () => Map<string, Spot>;
}

/** The start of ForceAtlas2: a circle without chance, and fewer rounds for large graphs. */
function beginOf(rows: readonly Row[]): Beginning {
  const graph = new MultiDirectedGraph<{ x: number; y: number }>();
  const names = [...new Set(rows.flatMap(endsOf))];
  names.forEach((name, index) => {
    const angle = (2 * Math.PI * index) / names.length;
    graph.addNode(name, { x: UNIT * Math.cos(angle), y: UNIT * Math.sin(angle) });
  });
  for (const row of rows) graph.addDirectedEdge(...endsOf(row));
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    linLogMode: true,
    barnesHutOptimize: graph.order > 300,
  };
  const spots = (): Map<string, Spot> =>
    new Map(graph.mapNodes((name, { x, y }): [string, Spot] => [name, { x, y, isPlace: false }]));
  return {
    graph,
    settings,
    iterations: Math.max(40, Math.min(300, Math.round(60_000 / graph.order))),
    spots,
  };
}

/** Lays out a graph by forces. */
export function forces(rows: readonly Row[]): Map<string, Spot> {
  const { graph, settings, iterations, spots } = beginOf(rows);
  if (graph.order > 0) forceAtlas2.assign(graph, { iterations, settings });
  return spots();
}

/** The same forces in a worker, or here where the browser lets none begin. */
export async function forcesBeside(
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<Map<string, Spot>> {
  const { graph, settings, iterations, spots } = beginOf(rows);
  const layout = new ForceAtlas2Worker(graph, { settings });
  let done = 0;
  const isLaidOut = await new Promise<boolean>((resolve) => {
    graph.on("eachNodeAttributesUpdated", () => ++done === iterations && resolve(true));
    (layout as unknown as { worker: Worker }).worker.addEventListener(
      "error",
      () => resolve(false),
    );
    signal.addEventListener("abort", () => resolve(true)); // nobody waits for it any more
    layout.start();
  });
  layout.kill();
  return isLaidOut ? spots() : forces(rows);
}
