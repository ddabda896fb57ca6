import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../lib/core/errors.ts";
import { conditionOf, type PlannedEpisode, type Study } from "../../../lib/lab/study.ts";
import { arigraphStudy, rlBenchmarkStudy } from "../../../lib/papers/arigraph/textworld-study.ts";
import { findStudy, STUDIES } from "../../../lib/papers/studies.ts";
import "../../../lib/offline/mod.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("arigraphStudy() plays three games in its quick form and Table 4 whole in its full one", () => {
  const games = (study: Study): string[] =>
    [...new Set(study.chains.map((chain) => chain.episodes[0]?.world ?? ""))].sort();
  const quick = arigraphStudy();
  assert.deepEqual(games(quick), ["textworld/cleaning", "textworld/cooking", "textworld/hunt"]);
  const full = arigraphStudy({ full: true });
  assert.equal(games(full).length, 7);
  assert.equal(full.chains.length, 7 * 9 * 5);
  assert.equal(quick.chains.length, 3 * 9 * 2);
  assert.deepEqual(
    new Set(full.chains.map((chain) => conditionOf(chain.episodes[0] as PlannedEpisode))),
    new Set(METHODS),
  );
  for (const { episodes: [episode] } of full.chains) {
    assert.equal(
      episode?.options?.method?.maxSteps,
      episode?.world.includes("cooking") ? 60 : 150,
      "the paper's limits, §4",
    );
  }
  const attempts = full.chains.map((chain) => chain.episodes[0]?.attempt ?? 0);
  assert.deepEqual(attempts, attempts.toSorted((a, b) => a - b), "attempt by attempt");
});

/** The rows of Table 4 but for people, whose games are recorded one by one. */
const METHODS = [
  ...["arigraph", "full-history", "summary", "rag", "reflexion", "simulacra"],
  ...["arigraph-without-exploration", "arigraph-without-episodic", "random"],
];

Deno.test("arigraphStudy() plays each method of the paper as it is", () => {
  const played = (name: string): Partial<PlannedEpisode> => {
    const { method, memory, options } = arigraphStudy({ only: ["hunt", name], attempts: 1 })
      .chains[0]?.episodes[0] as PlannedEpisode;
    return {
      method,
      ...(memory === undefined ? {} : { memory }),
      ...(options?.memory ? { options: options.memory } : {}),
    };
  };
  assert.deepEqual(played("rag"), { method: "ariadne", memory: "rag" });
  assert.deepEqual(played("reflexion"), { method: "reflexion", memory: "rag" });
  assert.deepEqual(played("random"), { method: "random" });
  assert.deepEqual(played("arigraph-without-exploration"), {
    method: "ariadne",
    memory: "arigraph",
    options: { exploration: false },
  });
  assert.deepEqual(played("arigraph-without-episodic"), {
    method: "ariadne",
    memory: "arigraph",
    options: { episodic: false },
  });
  assert.deepEqual(played("arigraph"), { method: "ariadne", memory: "arigraph" });
  assert.deepEqual(played("arigraph-authors"), {
    method: "ariadne",
    memory: "arigraph",
    options: { variant: "authors" },
  });
  const { options } = arigraphStudy({ only: ["hunt", "arigraph-cacheable"], attempts: 1 }).chains[0]
    ?.episodes[0] as PlannedEpisode;
  assert.deepEqual(options, {
    method: { order: "cacheable", maxSteps: 150 },
    memory: { order: "cacheable" },
  });
});

Deno.test("arigraphStudy() knows groups of methods, and plays some methods only where they are named", () => {
  const conditions = (only: string[]): string[] =>
    arigraphStudy({ only: ["hunt", ...only], attempts: 1 }).chains.map((chain) =>
      chain.id.split("|")[1] ?? ""
    );
  assert.deepEqual(conditions(["ablations"]), [
    "arigraph",
    "arigraph-without-exploration",
    "arigraph-without-episodic",
    "arigraph-cacheable",
    "arigraph-authors",
  ]);
  assert.deepEqual(conditions(["authors"]), ["simulacra-authors", "arigraph-authors"].toSorted());
  assert.deepEqual(conditions(["baselines"]), [
    ..."full-history summary rag reflexion simulacra random".split(" "),
  ]);
  for (const name of ["arigraph-authors", "arigraph-cacheable"]) {
    assert(!conditions([]).includes(name));
  }
});

Deno.test("rlBenchmarkStudy() plays four levels of three games, or the authors' files", () => {
  const study = rlBenchmarkStudy();
  const params = study.chains.filter(({ id }) => id.includes("|arigraph|")).map((
    { episodes: [episode] },
  ) => episode?.params);
  const seen = params.map((one) => `${one?.level} ${one?.game} ${one?.open}`);
  assert.equal(new Set(seen).size, 4 * 3 * 2);
  assert.equal(study.chains.length, 4 * 3 * 2 * 3);
  assert.deepEqual(study.chains[0]?.episodes[0]?.options, { method: { maxSteps: 60 } });

  using own = ownFolder();
  const folder = own.path;
  assert.throws(() => rlBenchmarkStudy({ games: folder }), UsageError);
  for (
    const name of [
      ..."cook_1_1_cut cook_1_1_cut_2 cook_1_1_full cook_1_9_1 cook_3_6_2 cook_rl_baseline cook hunt"
        .split(" "),
    ]
  ) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "game.json"), "{}");
  }
  const chains = rlBenchmarkStudy({ games: folder, only: ["arigraph"] }).chains.map(({ id }) =>
    id.split("|")[0]
  );
  assert.deepEqual(chains, [
    ...["rl-1-cook_1_1_cut", "rl-1-cook_1_1_cut_2", "rl-2-cook_1_1_full", "rl-3-cook_1_9_1"],
    ...["rl-4-cook_3_6_2", "rl-4-cook_rl_baseline"],
  ]);
  const others = arigraphStudy({ games: folder, only: ["arigraph"], attempts: 1 }).chains.map((
    { id },
  ) => id.split("|")[0]);
  assert.deepEqual(others, ["cook", "hunt"], "the benchmark's files are no games of Table 4");
});

Deno.test("arigraphStudy() plays a folder's game files under their names with the paper's limits", () => {
  using own = ownFolder();
  const folder = own.path;
  mkdirSync(join(folder, "cook"));
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "cook", "game.json"), JSON.stringify({ metadata: { recipe: 3 } }));
  writeFileSync(join(folder, "hunt.json"), "{}");
  writeFileSync(join(folder, "hunt.z8"), "");
  writeFileSync(join(folder, "old.z8"), "");
  writeFileSync(join(folder, "other", "old.json"), "no game");
  writeFileSync(join(folder, "notes.txt"), "");
  const study = arigraphStudy({ games: folder, attempts: 1, only: ["arigraph"] });
  const played = study.chains.map((
    { episodes: [episode] },
  ) => [
    episode?.label,
    episode?.world,
    episode?.params?.path,
    episode?.options?.method?.maxSteps,
  ]);
  assert.deepEqual(played, [
    ["cook", "textworld/file", join(folder, "cook", "game.json"), 60],
    ["hunt", "textworld/file", join(folder, "hunt.json"), 150],
    ["old", "textworld/file", join(folder, "old.z8"), 150],
    ["other/old", "textworld/file", join(folder, "other", "old.json"), 150],
  ]);
  assert.throws(() => arigraphStudy({ games: join(folder, "none") }), UsageError);
  mkdirSync(join(folder, "empty"));
  assert.throws(() => arigraphStudy({ games: join(folder, "empty") }), /holds no game/);
});

Deno.test("findStudy() takes an id with or without models, and names the ids there are otherwise", () => {
  for (const id of Object.keys(STUDIES)) {
    assert.match(findStudy(id).id, new RegExp(`^${id}@offline(\\+offline-weak)?$`));
  }
  assert.equal(findStudy("arigraph-full@gpt-4o").id, "arigraph-full@gpt-4o");
  assert.throws(
    () => findStudy("nothing"),
    (error: unknown) =>
      error instanceof UsageError && /choose arigraph-quick or arigraph-full/.test(error.message),
  );
});
