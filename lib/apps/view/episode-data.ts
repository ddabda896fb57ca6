/** The data of an episode's page as values that a notebook's output holds. */

import { dirname, isAbsolute } from "node:path";
import { safeValue } from "../../core/foreign-text.ts";
import { getPicture } from "../../lab/store/artefacts.ts";
import type { EpisodeRecord } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { secretsOf } from "../../lab/store/secrets-of.ts";
import { handedName } from "./embedded.ts";
import { readGraph } from "./graph.ts";
import { readEpisode, readStep, type StepView } from "./record.ts";
import { truthReader } from "./truth.ts";

/** The values by name: the episode, its graph, its steps and their truths. */
export function episodeData(store: Store, episode: EpisodeRecord): Map<string, unknown> {
  const { id } = episode;
  const view = readEpisode(store, id);
  const truth = view?.hasTruth ? truthReader(store, episode) : undefined;
  const data = new Map<string, unknown>([
    [handedName(["episode", id]), view],
    [handedName(["graph", id]), readGraph(store, episode)],
  ]);
  const put = (kind: string, place: string, value: unknown): void => {
    const name = handedName([kind, id, place]);
    data.set(name, { ...data.get(name) as object, [place]: value });
  };
  for (const { pass, step } of view?.steps ?? []) {
    const place = `${pass}.${step}`;
    put("step", place, readStep(store, id, { pass, step }));
    if (truth) put("truth", place, truth({ pass, step }));
  }
  const clean = cleaner(store, episode);
  return new Map([...data].map(([name, value]) => [name, safeValue(safeValue(value), clean)]));
}

/** The pictures in the prompts of some data, by name, as addresses that hold them. */
export function picturesIn(store: Store, data: ReadonlyMap<string, unknown>): Map<string, string> {
  const steps = [...data].filter(([name]) => name.startsWith("step/")).flatMap(([, value]) =>
    Object.values(value as Readonly<Record<string, StepView>>)
  );
  const hashes = steps.flatMap(({ calls }) => calls.flatMap(({ pictures }) => pictures));
  return new Map(
    [...new Set(hashes)].flatMap((hash) => {
      const png = getPicture(store, hash);
      return png
        ? [[handedName(["picture", hash]), `data:image/png;base64,${png.toBase64()}`]]
        : [];
    }),
  );
}

/** Makes the function that takes keys, this machine's folders and those of games out of a text. */
function cleaner(store: Store, { study, worldParams }: EpisodeRecord): (text: string) => string {
  const folders = Object.values(worldParams).filter((value) =>
    typeof value === "string" && isAbsolute(value)
  ).map((path) => `${dirname(path as string)}/`).filter(({ length }) => length > 2);
  const secrets = [...folders.map((text) => ({ text, what: "" })), ...secretsOf(store, [study])];
  return (text) =>
    secrets.reduce(
      (clean, { text, what }) => clean.replaceAll(text, what && `(${what})`),
      text,
    );
}
