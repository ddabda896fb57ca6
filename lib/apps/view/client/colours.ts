/// <reference lib="dom" />
/** The colours of the page as a drawing needs them. */

import { useEffect, useState } from "preact/hooks";

const NAMES = ["ground", "ink", "panel", "line", "faint", "entity", "place", "here"].concat(
  ["added", "removed", "recalled"],
) as readonly ColourName[];

type ColourName =
  | "ground"
  | "ink"
  | "panel"
  | "line"
  | "faint"
  | "entity"
  | "place"
  | "here"
  | "added"
  | "removed"
  | "recalled";

/** The colours of an element, computed in the theme at hand. */
export function coloursOf(element: HTMLElement): Readonly<Record<ColourName, string>> {
  const probe = element.appendChild(document.createElement("span"));
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours);
}

/** A number that changes with the colours of the page. */
export function useTheme(): number {
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const change = (): void => setTheme((before) => before + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", change);
    addEventListener("labyrinth-theme", change);
    return () => {
      system.removeEventListener("change", change);
      removeEventListener("labyrinth-theme", change);
    };
  }, []);
  return theme;
}
