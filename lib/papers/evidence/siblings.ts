/** The studies of one form that differ in their models alone, read as one experiment. */

import { type ExperimentRow, type PlayedExperiment, readExperiment, withRows } from "../../report/experiment.ts";
import type { Lane } from "../../lab/study.ts";
import type { Store } from "../../store/open.ts";
import { listStudies } from "../../store/studies.ts";
import { READERS } from "./memory-length.ts";

/** The studies of one form in a store, those of the three readers first, in their order; of others that of the numbers in their names. */
export function siblings(store: Store, study: string): string[] {
  const form = study.slice(0, study.lastIndexOf("@") + 1);
  const place = (id: string): number => [...READERS, id.slice(form.length)].indexOf(id.slice(form.length));
  return listStudies(store).filter((id) => id.startsWith(form)).sort((a, b) =>
    place(a) - place(b) || a.localeCompare(b, "en", { numeric: true })
  );
}

/** Lanes whose episodes have more factors. */
export function withFactors(lanes: readonly Lane[], factors: ExperimentRow["factors"]): Lane[] {
  return lanes.map((lane) => ({
    ...lane,
    episodes: lane.episodes.map((episode) => ({ ...episode, factors: { ...episode.factors, ...factors } })),
  }));
}

/** The siblings of a study as one experiment, their models under the name of a factor; absent where other factors tell them. */
export function readSiblings(store: Store, study: string, models?: string): PlayedExperiment {
  return replaceRows(readExperiment(store, siblings(store, study)), ({ factors: { model = null, ...factors }, ...row }) => [
    { ...row, factors: models === undefined ? factors : { [models]: model, ...factors } },
  ]);
}

/** The experiment with none, one or several rows in place of each. */
export function replaceRows(played: PlayedExperiment, rowsOf: (row: ExperimentRow) => readonly ExperimentRow[]): PlayedExperiment {
  return { ...played, ...withRows(played.rows.flatMap(rowsOf)) };
}

/** The id of an experiment with the name of its reader, if there is one alone. */
export function namedBy(study: string, readers: readonly unknown[]): string {
  return readers.length === 1 ? `${study.replace(/@.*$/s, "")}@${readers[0]}` : study;
}

/** A row under each combination of levels in place of its own: what is played once stands beside all that it is compared with. */
export function placedAt(row: ExperimentRow, places: readonly ExperimentRow["factors"][]): ExperimentRow[] {
  return places.map((factors) => ({ ...row, factors: { ...row.factors, ...factors } }));
}
