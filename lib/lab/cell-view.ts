/** What a notebook's cell shows while a study is played in it. */

import { markupText, safeText } from "../core/foreign-text.ts";
import { type Clock, display, env, isNotebook } from "../core/platform.ts";
import { count, duration } from "../core/text/amounts.ts";
import type { EpisodeRecord } from "./store/episodes.ts";
import { type Progress, progressText } from "./progress.ts";
import type { RunOptions } from "./run-options.ts";
import type { StudyResult } from "./runner.ts";

export type CellView =
  & Required<Pick<RunOptions, "onProgress" | "onDelay" | "onNotice" | "onFailure">>
  & {
    end(result?: StudyResult): Promise<void>;
  };

/** Interval in milliseconds at which the bar is drawn. */
const INTERVAL = 200;
/** Errors that are shown with their stacks: one wrong line fails every episode. */
const STACKS = 3;

/**
 * The view of a cell; `undefined` outside of notebooks. The bar is drawn in JupyterLab, or where
 * `progress` asks for it; notices and errors are shown in every notebook.
 */
export function cellView(title: string, { progress, clock, show = display }: {
  readonly progress?: boolean;
  readonly clock: Clock;
  readonly show?: typeof display;
}): CellView | undefined {
  if (!isNotebook() && show === display) return undefined;
  const isLive = progress ?? env("JPY_SESSION_NAME") !== undefined;
  const id = crypto.randomUUID();
  const began = clock.now();
  let [drawn, drawnAt, last] = [false, -Infinity, undefined as Progress | undefined];
  let shown: Promise<unknown> = Promise.resolve();
  const stacks = new Map<string, number>();

  function say(text: string, html = `<div>${markupText(text)}</div>`): void {
    shown = shown.then(() => show({ "text/plain": safeText(text), "text/html": html }));
  }

  function draw(text: string, html: string): void {
    const update = drawn;
    drawn = true;
    shown = shown.then(() =>
      show({ "text/plain": safeText(text), "text/html": html }, { id, update })
    );
  }

  function onProgress(now: Progress): void {
    last = now;
    const isDue = now.kind === "end" || clock.now() - drawnAt >= INTERVAL;
    if (!isLive || !isDue) return;
    drawnAt = clock.now();
    const where = `${
      now.episode.label ?? now.episode.world
    }, ${now.episode.condition}, step ${now.step}${now.action ? `: ${now.action}` : ""}`;
    const text = `${title}: ${progressText(now)}`;
    draw(
      `${text}\n${where}`,
      `<div><progress max="1" value="${
        now.share.toFixed(3)
      }" style="width:16em;vertical-align:middle"></progress> ${markupText(text)}` +
        `<br><small>${markupText(where)}</small></div>`,
    );
  }

  function onFailure({ chain }: EpisodeRecord, error: unknown): void {
    const message = String(error);
    const times = (stacks.get(message) ?? 0) + 1;
    stacks.set(message, times);
    if (times > 1 || stacks.size > STACKS) return;
    const text = `The episode ${chain} failed: ${
      error instanceof Error ? error.stack ?? message : message
    }`;
    say(text, `<pre style="color:#b00020">${markupText(text)}</pre>`);
  }

  async function end(result?: StudyResult): Promise<void> {
    const text = result && `${title}: ${summary(result, (clock.now() - began) / 1000, last)}`;
    if (drawn) {
      draw(
        text ?? `${title}: not finished`,
        `<div>${markupText(text ?? `${title}: not finished`)}</div>`,
      );
    } else if (text && result.completed < result.planned) say(text);
    for (const [message, times] of stacks) {
      if (times > 1) say(`${times} plays failed so: ${message}`);
    }
    await shown;
  }

  return {
    onProgress,
    onDelay: (what) => isLive ? draw(what, `<div>${markupText(what)}</div>`) : undefined,
    onNotice: (text) => say(text),
    onFailure,
    end,
  };
}

function summary(
  { planned, completed, failed, paused, episodes }: StudyResult,
  seconds: number,
  last: Progress | undefined,
): string {
  const reason = (status: string): string => {
    const row = episodes.find((episode) => episode.status === status);
    return row ? ` (${row.failureKind}: ${row.failureMessage})` : "";
  };
  const open = planned - completed - failed - paused;
  return [
    `${completed} of ${planned} episodes completed`,
    ...(failed > 0
      ? [
        `${failed} failed${
          reason("failed")
        }: playStudy(study, { store, retry: true }) plays them again`,
      ]
      : []),
    ...(paused > 0 ? [`${paused} paused${reason("paused")}`] : []),
    ...(open > 0 ? [`${open} not begun`] : []),
    ...(paused + open > 0 ? ["run the cell again to go on"] : []),
    ...(last
      ? [`${duration(seconds)}, ${count(last.tokens)} tokens, $${last.dollars.toFixed(2)}`]
      : ["nothing was to be played"]),
  ].join("; ");
}
