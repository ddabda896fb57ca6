/** The studies of a store with their progress, and the episodes of one. */

import type { EpisodeRecord, EpisodeStatus } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { getStudy, listStudies } from "../../lab/store/studies.ts";
import { brief } from "./brief.ts";
import type { Spent, Tally } from "./tally.ts";

export interface StudySummary {
  readonly id: string;
  readonly title: string;
  readonly counts: Readonly<Record<EpisodeStatus, number>>;
  /** Estimated seconds left at the pace of the last ten minutes. */
  readonly secondsLeft?: number;
  /** When an episode last ended, in milliseconds since 1970; absent before the first. */
  readonly lastEnd?: number;
  /** Absent while the calls are still being summed. */
  readonly spent?: Spent;
}

/** An episode as a line of its study. */
export interface EpisodeLine extends
  Pick<
    EpisodeRecord,
    | "id"
    | "condition"
    | "attempt"
    | "status"
    | "failureKind"
    | "score"
    | "maxScore"
    | "ended"
    | "steps"
    | "chain"
    | "ordinal"
  > {
  readonly game: string;
  /** Steps recorded so far, of an episode that has not ended. */
  readonly reached?: number;
  /** Number of events by kind; absent where there is none. */
  readonly events?: Readonly<Record<string, number>>;
  /** Absent while the calls are still being summed. */
  readonly spent?: Spent;
}

export interface StudyView {
  readonly id: string;
  readonly title: string;
  readonly backbones: readonly string[];
  readonly episodes: readonly EpisodeLine[];
}

/** The time over which the pace of a study is measured, in ms. */
const PACE = 600_000;

/** Reads the studies, oldest first. `now` is in milliseconds since 1970. */
export function readStudies(store: Store, tally: Tally, now: number): StudySummary[] {
  const rows = store.prepare("select id, study, status, started_at, finished_at from episodes")
    .all();
  const studies = Map.groupBy(rows as unknown as readonly EpisodeRow[], ({ study }) => study);
  return listStudies(store).map((id) => {
    const episodes = studies.get(id) ?? [];
    const counts = { planned: 0, running: 0, completed: 0, failed: 0, paused: 0 };
    for (const { status } of episodes) counts[status]++;
    const ends = episodes.flatMap(({ finished_at }) => finished_at ?? []);
    return {
      id,
      title: titleOf(store, id),
      counts,
      secondsLeft: counts.running === 0
        ? undefined
        : secondsLeft(episodes, counts.planned + counts.running, now),
      lastEnd: ends.length === 0 ? undefined : ends.reduce((a, b) => Math.max(a, b)),
      spent: tally.complete ? tally.spent(episodes.map((episode) => episode.id)) : undefined,
    };
  });
}

/** Reads a study with its episodes, by chain and ordinal. */
export function readStudy(store: Store, tally: Tally, id: string): StudyView | undefined {
  if (!listStudies(store).includes(id)) return undefined;
  const rows = store.database.prepare(`
    select id, condition, attempt, status, failure_kind as failureKind, score, max_score as maxScore, ended, steps, chain, ordinal,
      coalesce(label, world) as game, backbone,
      iif(status in ('running', 'failed', 'paused'), (select count(*) from turns where episode = episodes.id and step > 0), null) as reached
    from episodes where study = ? order by chain, ordinal`).iterate(id);
  const counted = store.prepare(`
    select episode, kind, count(*) as n from events where episode in (select id from episodes where study = ?) group by 1, 2`)
    .all(id);
  const events = Map.groupBy(counted, ({ episode }) => String(episode));
  const backbones = new Set<string>();
  const episodes: EpisodeLine[] = [];
  for (const { backbone, ...row } of rows) { // one by one, and in place: of 10,000 episodes a copy is 20 MB
    backbones.add(String(backbone));
    for (const [name, value] of Object.entries(row)) {
      if (value === null) delete row[name];
      else if (typeof value === "string") row[name] = brief(value);
    }
    if (tally.damaged.has(String(row.id))) {
      for (const name of ["score", "maxScore", "ended", "steps"]) delete row[name];
      Object.assign(row, { status: "failed", failureKind: "damaged" });
    }
    const kinds = events.get(String(row.id));
    if (kinds) {
      row.events = Object.fromEntries(
        kinds.map(({ kind, n }) => [String(kind), Number(n)]),
      ) as never;
    }
    if (tally.complete) row.spent = tally.spent([String(row.id)]) as never;
    episodes.push(row as unknown as EpisodeLine);
  }
  return { id, title: titleOf(store, id), backbones: [...backbones], episodes };
}

interface EpisodeRow {
  readonly id: string;
  readonly study: string;
  readonly status: EpisodeStatus;
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

function secondsLeft(
  episodes: readonly EpisodeRow[],
  left: number,
  now: number,
): number | undefined {
  const recent = episodes.filter(({ finished_at }) =>
    finished_at !== null && finished_at > now - PACE
  );
  if (left === 0 || recent.length === 0) return undefined;
  const began = recent.reduce((first, { started_at }) => Math.min(first, started_at ?? now), now);
  return (now - Math.max(began, now - PACE)) / 1000 / recent.length * left;
}

/** The title of a study; empty where it has none. */
function titleOf(store: Store, id: string): string {
  try {
    const { title } = (getStudy(store, id) ?? {}) as { readonly title?: unknown };
    return typeof title === "string" ? title : "";
  } catch {
    return "its description is damaged: ./lab verify says more";
  }
}
