/// <reference lib="dom" />
/** The drawing of a memory graph at a step. */

import { MultiDirectedGraph } from "graphology";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import Sigma, { type Camera } from "sigma";
import { EdgeArrowProgram, EdgeRectangleProgram } from "sigma/rendering";
import { coloursOf, useTheme } from "./colours.ts";
import { drawHover, drawLabels, type DrawnNode } from "./labels.ts";
import { endsOf, entityOf, isDirection, type Row, type Spot } from "./layout.ts";

/** What is drawn. */
export interface DrawingProps {
  /** What is laid out; equal rows are laid out alike. */
  readonly rows: readonly Row[];
  /** Index of each row that is to be seen → how it looks. */
  readonly looks: ReadonlyMap<number, Look>;
  /** What the graph is of, for a screen reader. */
  readonly of?: string;
  /** The place where the agent is, in the graph's form. */
  readonly here?: string;
  /** Called with the entity that was clicked; `undefined` for the ground. */
  readonly onSelect: (entity: string | undefined) => void;
  readonly selected?: string;
}

/** How a triplet looks: changed or recalled in a step, different from the truth, or plain. */
export type Look = keyof typeof LOOKS;

/** Look → colour, the first one counts for a line of several triplets. */
const LOOKS = {
  added: "added",
  wrong: "removed",
  stale: "recalled",
  missing: "added",
  recalled: "recalled",
  plain: "line",
  removed: "removed",
} as const;

/** Triplets between the same two nodes are one line. */
interface Line {
  readonly ends: readonly [string, string];
  readonly triplets: number[];
  isTwoWay: boolean;
}

/** From so many triplets on a graph hides its lines and names while it is dragged. */
const LARGE = 500;

/** From so many places on they are drawn small, and named where there is room. */
const CROWD = 100;

/** Size of the names, in px. */
const LABEL = 11;

/** Draws the graph with WebGL, or says that the browser has none. */
export function Canvas(
  props: DrawingProps & { readonly spots: ReadonlyMap<string, Spot> },
): JSX.Element {
  const { rows, spots, onSelect } = props;
  const box = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLCanvasElement>(null);
  const state = useRef(props);
  state.current = props;
  const sigma = useRef<Sigma>();
  const camera = useRef<ReturnType<Camera["getState"]>>();
  const [problem, setProblem] = useState<string>();
  const [hovered, setHovered] = useState<string>();
  const theme = useTheme();
  const lines = useMemo(() => linesOf(rows), [rows]);

  useEffect(() => {
    if (!box.current) return;
    const graph = new MultiDirectedGraph();
    const places = [...spots.values()].filter(({ isPlace }) => isPlace).length;
    const isMap = places > 0 && places <= CROWD; // where labels have been given room
    for (const [name, { x, y, isPlace }] of spots) {
      const entity = entityOf(name);
      const isExit = isDirection(entity); // it lies where it leads to: its name is read when it is pointed at
      const size = isPlace && isMap ? 9 : isExit ? 2.5 : 4;
      graph.addNode(name, {
        x,
        y,
        isPlace,
        isExit,
        isNamed: isPlace && isMap,
        label: entity.replace(/ \(room \d+\)$/, ""),
        size,
      });
    }
    for (const [key, { ends, isTwoWay }] of lines) {
      graph.addDirectedEdgeWithKey(key, ...ends, { type: isTwoWay ? "line" : "arrow" });
    }
    try {
      sigma.current = new Sigma(graph, box.current, {
        edgeProgramClasses: { line: EdgeRectangleProgram, arrow: EdgeArrowProgram },
        labelSize: LABEL,
        labelDensity: isMap ? 6 : 1.5,
        labelGridCellSize: 60,
        labelRenderedSizeThreshold: 3,
        edgeLabelFont: "system-ui, sans-serif",
        edgeLabelSize: 10,
        renderEdgeLabels: true,
        zIndex: true,
        hideEdgesOnMove: rows.length > LARGE,
        hideLabelsOnMove: rows.length > LARGE,
        stagePadding: 60,
        allowInvalidContainer: true,
      });
    } catch (error) {
      setProblem((error as Error).message);
      return;
    }
    const drawn = sigma.current;
    if (camera.current) drawn.getCamera().setState(camera.current); // a graph that has grown is still seen from where it was
    drawn.on("enterNode", ({ node }) => setHovered(node));
    drawn.on("leaveNode", () => setHovered(undefined));
    drawn.on("clickNode", ({ node }) => state.current.onSelect(entityOf(node)));
    drawn.on("clickStage", () => state.current.onSelect(undefined));
    return () => {
      camera.current = drawn.getCamera().getState();
      drawn.kill();
      sigma.current = undefined;
    };
  }, [spots]);

  useEffect(() => {
    const drawn = sigma.current;
    if (!drawn) return;
    const looks = lineLooks(lines, props);
    const focus = hovered ??
      (props.selected !== undefined && drawn.getGraph().hasNode(props.selected)
        ? props.selected
        : undefined);
    const near = new Set<string>(focus === undefined ? [] : [focus]);
    const visible = new Map<string, Look>();
    for (const [key, { look }] of looks) {
      const { ends } = lines.get(key) as Line;
      for (const end of ends) {
        if (visible.get(end) !== "added") {
          visible.set(end, look === "removed" ? visible.get(end) ?? "removed" : look);
        }
      }
      if (focus !== undefined && ends.includes(focus)) { for (const end of ends) near.add(end); }
    }
    const colours = coloursOf(box.current as HTMLElement);
    const isFew = [...looks.values()].filter(({ look }) => look !== "plain").length <= 40;
    const labels: DrawnNode[] = [];
    drawn.setSetting("defaultDrawNodeLabel", (_, data) => void labels.push(data));
    const context = drawn.getCanvases().labels?.getContext("2d");
    const draw = (): void =>
      void (context &&
        drawLabels(context, labels.splice(0), {
          ...colours,
          ...drawn.getDimensions(),
          fontSize: LABEL,
        }));
    drawn.on("afterRender", draw);
    drawn.setSetting("edgeLabelColor", { color: colours.ink });
    drawn.setSetting(
      "defaultDrawNodeHover",
      (context, data, settings) => drawHover(context, data, settings.labelSize, colours),
    );
    drawn.setSetting("nodeReducer", (node, data) => {
      const look = visible.get(node);
      const isHere = node === props.here;
      if (!look && !isHere) return { ...data, hidden: true };
      const isFar = focus !== undefined && !near.has(node);
      return {
        ...data,
        color: isFar
          ? colours.faint
          : isHere
          ? colours.here
          : look === "removed"
          ? colours.removed
          : data.isPlace
          ? colours.place
          : colours.entity,
        size: isHere ? data.size + 4 : data.size,
        label: isFar || (data.isExit && !near.has(node)) ? "" : data.label,
        forceLabel: !isFar &&
          (data.isNamed || isHere || near.has(node) || (isFew && look !== "plain")),
        zIndex: isHere ? 3 : data.isPlace ? 2 : 1,
      };
    });
    drawn.setSetting("edgeReducer", (edge, data) => {
      const shown = looks.get(edge);
      if (!shown) return { ...data, hidden: true };
      const isNear = focus !== undefined && (lines.get(edge) as Line).ends.includes(focus);
      const isFar = focus !== undefined && !isNear;
      const isMarked = shown.look !== "plain";
      return {
        ...data,
        color: isFar ? colours.faint : colours[LOOKS[shown.look]],
        size: isMarked ? 3 : 1.4,
        label: isNear || (isMarked && isFew && !isFar && shown.look !== "recalled")
          ? shown.text
          : "",
        forceLabel: isNear || isMarked,
        zIndex: isMarked ? 1 : 0,
      };
    });
    drawn.refresh();
    const print = (): void => { // WebGL keeps no picture that could be printed, so one is drawn
      const layers = Object.values(drawn.refresh().getCanvases());
      const sheet = paper.current as HTMLCanvasElement;
      Object.assign(sheet, { width: layers[0]?.width, height: layers[0]?.height });
      const ink = sheet.getContext("2d") as CanvasRenderingContext2D;
      ink.fillStyle = colours.ground;
      ink.fillRect(0, 0, sheet.width, sheet.height);
      for (const layer of layers) ink.drawImage(layer, 0, 0);
    };
    addEventListener("beforeprint", print);
    return () => {
      drawn.off("afterRender", draw);
      removeEventListener("beforeprint", print);
    };
  }, [lines, props.looks, props.here, props.selected, hovered, theme]);

  if (problem !== undefined) {
    return (
      <p class="notice">
        This browser draws no graph ({problem}); the list below has every triplet.
      </p>
    );
  }
  return (
    <div class="drawing">
      <div
        ref={box}
        class="canvas"
        role="img"
        aria-label={`${
          props.of ?? "graph"
        } of ${props.looks.size} triplets; the list below has every one`}
      />
      <canvas ref={paper} class="paper" aria-hidden="true" />
      <div class="zoom">
        <button
          type="button"
          onClick={() => void sigma.current?.getCamera().animatedZoom()}
          aria-label="zoom in"
        >
          +
        </button>
        <button
          type="button"
          onClick={() => void sigma.current?.getCamera().animatedUnzoom()}
          aria-label="zoom out"
        >
          −
        </button>
        <button
          type="button"
          onClick={() => (onSelect(undefined), void sigma.current?.getCamera().animatedReset())}
          aria-label="show the whole graph"
        >
          ⤢
        </button>
      </div>
    </div>
  );
}

function linesOf(rows: readonly Row[]): Map<string, Line> {
  const lines = new Map<string, Line>();
  rows.forEach((row, index) => {
    const ends = endsOf(row);
    const line = lines.getOrInsertComputed(
      JSON.stringify(ends.toSorted()),
      () => ({ ends, triplets: [], isTwoWay: false }),
    );
    line.triplets.push(index);
    line.isTwoWay ||= line.ends[0] !== ends[0];
  });
  return lines;
}

/** How each line that is to be seen looks, and the relations that it stands for. */
function lineLooks(
  lines: ReadonlyMap<string, Line>,
  { rows, looks }: DrawingProps,
): Map<string, { readonly look: Look; readonly text: string }> {
  return new Map([...lines].flatMap(([key, { triplets }]) => {
    const shown = triplets.filter((triplet) => looks.has(triplet));
    const look = (Object.keys(LOOKS) as Look[]).find((look) =>
      shown.some((triplet) => looks.get(triplet) === look)
    );
    const text = [...new Set(shown.map((triplet) => rows[triplet]?.[1] ?? ""))].join(" · ");
    return look ? [[key, { look, text }] as const] : [];
  }));
}
