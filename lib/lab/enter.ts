/** Enters a resolved study into the store: what is recorded of it is kept, replaced or refused. */

import { StoreError } from "../core/errors.ts";
import { recordedMap } from "../core/llm/roles.ts";
import { isForeign } from "../core/memory/foreign.ts";
import { counted } from "../core/text/amounts.ts";
import { differences, type Identity, isDifferent } from "./identity.ts";
import { planOf, type ResolvedEpisode } from "./plan.ts";
import { deleteEpisode, type EpisodeRecord, listEpisodes, putEpisode } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { putStudy } from "./store/studies.ts";
import { idOf, positionKey, type Study } from "./study.ts";

/**
 * Gives a refused game that an earlier run could open that run's identity, to keep its episodes.
 */
export function withRecordedGames(
  store: Store,
  study: Study,
  chains: readonly (readonly ResolvedEpisode[])[],
): ResolvedEpisode[][] {
  const rows = new Map(
    listEpisodes(store, { study: study.id }).map((
      row,
    ) => [positionKey(row.chain, row.ordinal), row]),
  );
  return chains.map((chain) =>
    chain.map((resolved) => {
      const row = resolved.refusal && rows.get(positionKey(resolved.chain.id, resolved.ordinal));
      if (row?.game === undefined) return resolved;
      const { worldVersion, params, game } = row.identity;
      return {
        ...resolved,
        spec: { ...resolved.spec, identity: row.game },
        identity: { ...resolved.identity, worldVersion, params, game },
      };
    })
  );
}

/**
 * Enters a study and its episodes into the store. Episodes of the same identity keep their results.
 * Those of games that could not be opened, and of edited user-defined code, are replaced; the
 * returned lines name the latter. `isPart`: episodes of other chains stay.
 * @throws {StoreError} `conflict` for recorded episodes of another identity, or that are no longer
 * planned; with `fresh` they are discarded instead.
 */
export function enterStudy(
  store: Store,
  study: Study,
  chains: readonly (readonly ResolvedEpisode[])[],
  options: { readonly now: number; readonly fresh?: boolean; readonly isPart?: boolean },
): string[] {
  const planned = new Map(
    chains.flat().map((resolved) => [positionKey(resolved.chain.id, resolved.ordinal), resolved]),
  );
  const edited = new Map<string, number>();
  store.transaction(() => {
    putStudy(store, { id: study.id, spec: describeStudy(study), createdAt: options.now });
    const ids = new Set(chains.map(([first]) => first?.chain.id));
    for (
      const row of listEpisodes(store, { study: study.id }).filter(({ chain }) =>
        !options.isPart || ids.has(chain)
      )
    ) {
      const resolved = planned.get(positionKey(row.chain, row.ordinal));
      const problem = resolved
        ? differences(row.identity, resolved.identity)
        : ["the study no longer plans it"];
      if (problem.length === 0) planned.delete(positionKey(row.chain, row.ordinal));
      else if (options.fresh || row.status === "planned" || row.game === undefined) {
        deleteEpisode(store, row.id);
      } else {
        const what = resolved && editedCode(row.identity, resolved);
        if (what === undefined) throw conflict(store, row, problem);
        if (row.status === "completed") edited.set(what, (edited.get(what) ?? 0) + 1);
        deleteEpisode(store, row.id);
      }
    }
    for (const resolved of planned.values()) {
      putEpisode(store, planOf(study, resolved, firstArtefact(resolved)));
    }
  });
  return [...edited].map(([what, n]) =>
    `${what} or what it uses was edited: ${counted(n, "recorded episode")} of ${study.id} ${
      n === 1 ? "is" : "are"
    } played again`
  );
}

function editedCode(
  recorded: Identity,
  { identity, episode }: ResolvedEpisode,
): string | undefined {
  const own = (["memory", "method"] as const).filter((part) => {
    const [before, after] = [recorded[part], identity[part]] as Readonly<Record<string, unknown>>[];
    const own = episode[part];
    const isOwn = typeof own === "object" || (own !== undefined && isForeign(own));
    return isOwn && before?.id === after?.id;
  });
  const worldOf = ({ worldVersion }: Identity): string => String(worldVersion).replace(SOURCE, "");
  const isOwnWorld = SOURCE.test(String(identity.worldVersion)) &&
    worldOf(recorded) === worldOf(identity);
  const mayDiffer = [
    ...own,
    ...(own.length > 0 ? ["prompts"] : []),
    ...(isOwnWorld ? ["worldVersion", "game", "params"] : []),
  ];
  const differing = Object.keys({ ...recorded, ...identity }).filter((key) =>
    key !== "artefact" && isDifferent(recorded[key], identity[key])
  );
  if (differing.some((key) => !mayDiffer.includes(key))) return undefined;
  const part = own.find((one) => differing.includes(one));
  return part
    ? `the ${part} ${idOf(episode[part] ?? "")}`
    : differing.includes("prompts")
    ? "a prompt"
    : `the world ${episode.world}`;
}

/** How the version of a user-defined world ends. */
const SOURCE = /\+source [0-9a-f]+$/;

/** The study as data for the record: user-defined values by id, no secrets of its role map. */
export function describeStudy({ promptOverrides: book, ...study }: Study): unknown {
  return {
    ...study,
    models: recordedMap(study.models),
    book,
    embedder: study.embedder && idOf(study.embedder),
    chains: study.chains.map((chain) => ({
      ...chain,
      episodes: chain.episodes.map((episode) => ({
        ...episode,
        method: idOf(episode.method),
        memory: episode.memory && idOf(episode.memory),
      })),
    })),
  };
}

function firstArtefact({ chain, ordinal }: ResolvedEpisode): string | undefined {
  if (ordinal > 0) return `of ${chain.id}, ${ordinal - 1}`;
  return chain.after === undefined ? chain.artefact : `of ${chain.after}, last`;
}

function conflict(store: Store, row: EpisodeRecord, problem: readonly string[]): StoreError {
  return new StoreError(
    "conflict",
    `the store ${store.path} holds episodes of study ${row.study} with other settings (chain ${row.chain}: ${
      problem.join("; ")
    }): ` +
      CONFLICT_REMEDY,
  );
}

/** The remedy of a study that was changed under its episodes; the command line words its own. */
export const CONFLICT_REMEDY =
  "give the study another id, or discard what is recorded with playStudy(study, { store, fresh: true })";
