/** How captions and subtitles speak of an experiment. */

import { countText, playerName } from "./caption-text.ts";
import { OF_EQUAL_VALUES } from "./estimate.ts";
import { withEmbedder } from "./exhibit-table.ts";
import type { PlayedExperiment } from "./experiment.ts";

/** What the picture of an experiment says beneath its title. */
export function experimentSubtitle(played: PlayedExperiment): string {
  return `model: ${playerName(played.backbone)}`;
}

/** The caption of a played experiment, with a sentence on the intervals that it shows: of means, of `differences`, or none. */
export function experimentCaption(
  { study, backbone, embedder, rows: shown }: PlayedExperiment,
  what: string,
  { intervals = "means" }: { readonly intervals?: "means" | "differences" | "none" } = {},
): string {
  const rows = [...new Map(shown.map((row) => [row.episode, row])).values()]; // an episode may stand in several places
  const done = rows.filter(({ status }) => status === "completed").length;
  const games = new Set(rows.map(({ game }) => game)).size;
  const seeds = new Set(rows.map(({ seed }) => seed)).size;
  const n = `n = ${countText([rows.length], "episode")}${done < rows.length ? ` (${done} completed)` : ""}`;
  const kind =
    ` Replicates of a game are averaged first. 95 % intervals are Student's${
      intervals === "means" ? ", of shares won Wilson's," : ""
    } over games` +
    (games > 1
      ? ", or over seeds where a mean is of one game."
      : ": there is one, so they are over its seeds and speak of this game alone.") +
    OF_EQUAL_VALUES;
  const shared = `${countText([games], "game")}, ${countText([seeds], "seed")}`;
  const text = `${what} Study ${study}, model: ${playerName(backbone)}, ${n}: ${shared}.`;
  return withEmbedder(`${text}${intervals === "none" ? "" : kind}`, embedder);
}
