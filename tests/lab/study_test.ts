import assert from "node:assert/strict";
import { differences, episodeId, withArtefact } from "../../lib/lab/identity.ts";
import { resolveStudy } from "../../lib/lab/plan.ts";
import { matrixChains, type PlannedEpisode, type Study } from "../../lib/lab/study.ts";
import { countingStudy, countingWorld, noEmbedder } from "./doubles.ts";
import "../../lib/offline/mod.ts";

Deno.test("matrixChains() throws for a number of trials that is no positive integer", () => {
  const matrix = { worlds: [{ world: "w" }], conditions: [{ method: "m" }] };
  assert.deepEqual(
    matrixChains({ ...matrix, attempts: 2, seed: (attempt) => attempt * 10 }).map((chain) =>
      chain.episodes[0]?.seed
    ),
    [10, 20],
  );
  for (const attempts of [0, 1.5, NaN]) {
    assert.throws(() => matrixChains({ ...matrix, attempts }), RangeError);
  }
});

Deno.test("identityOf() changes with everything that decides a trajectory, and nothing else", async () => {
  const [chain] = countingStudy().chains;
  const [episode] = chain?.episodes ?? [];
  assert.ok(chain && episode);
  const withEpisode = (change: Partial<PlannedEpisode>): Study =>
    countingStudy({ chains: [{ ...chain, episodes: [{ ...episode, ...change }] }] });
  const method = episode.method as Exclude<PlannedEpisode["method"], string>;
  const prompt = { role: "counting/act", instructions: "Count.", sections: {} };
  const base = await identity(countingStudy());
  const offline = await identity(countingStudy({ models: { "*": "offline" } }));

  const others: [string, Study][] = [
    ["params", withEpisode({ params: { game: 7 } })],
    ["method", withEpisode({ method: { ...method, version: "2" } })],
    ["memory", withEpisode({ memory: "full-history" })],
    [
      "memory",
      withEpisode({ memory: { id: "mine", version: "1", create: () => assert.fail("not yet") } }),
    ],
    ["prompts", withEpisode({ method: { ...method, prompts: [prompt] } })],
    ["models", countingStudy({ models: { "*": "another" } })],
    ["models", countingStudy({ models: { "*": { model: "counter", style: "completion" } } })],
    ["seed", withEpisode({ seed: 99 })],
    ["attempt", withEpisode({ attempt: 99 })],
    ["gold", countingStudy({ chains: [{ ...chain, gold: [["add 1"]] }] })],
    ["gold", countingStudy({ chains: [{ ...chain, gold: "world" }] })],
  ];
  for (const [part, study] of others) {
    const other = await identity(study);
    assert.ok(
      differences(base, other).some((line) => line.startsWith(`${part}: `)),
      `${part}: ${differences(base, other)}`,
    );
    assert.notEqual(episodeId(position, other), episodeId(position, base));
  }
  assert.match(
    differences(
      offline,
      await identity(countingStudy({ models: { "*": "offline" }, modelOptions: { window: 100 } })),
    )[0] ?? "",
    /^modelOptions: /,
  );
  const promptOverrides = withEpisode({ method: { ...method, prompts: [prompt] } });
  assert.match(
    differences(
      await identity(promptOverrides),
      await identity({ ...promptOverrides, promptOverrides: { "counting/act": "Zähle." } }),
    )[0] ?? "",
    /^prompts: /,
  );
  assert.notEqual(
    episodeId(position, withArtefact(base, "a")),
    episodeId(position, withArtefact(base, undefined)),
  );

  const same: Study[] = [
    countingStudy({ title: "Another title", truth: true }),
    countingStudy({ models: { "*": { model: "counter", baseUrl: "http://gpu-box:8000/v1" } } }),
    countingStudy({ modelOptions: { window: 100 } }), // no stand-in takes part
    withEpisode({ condition: "another row" }),
  ];
  for (const study of same) assert.deepEqual(await identity(study), base);
});

Deno.test("identityOf() gives a fixed id, whether an optional part is absent or undefined", async () => {
  const [chain] = countingStudy().chains;
  const [episode] = chain?.episodes ?? [];
  assert.ok(chain && episode);
  const id = "6c18649c6bb14a84";
  const loose = countingStudy({
    promptOverrides: undefined,
    modelOptions: undefined,
    embedder: undefined,
    chains: [{
      ...chain,
      gold: undefined,
      artefact: undefined,
      episodes: [{ ...episode, memory: undefined, options: undefined }],
    }],
  });
  for (const study of [countingStudy(), loose]) {
    assert.equal(episodeId(position, withArtefact(await identity(study), undefined)), id);
  }
});

Deno.test("identityOf() holds the content of a game file, not its path", async () => {
  const [chain] = countingStudy().chains;
  const at = (path: string): Study =>
    countingStudy({
      chains: [{
        id: "x",
        episodes: [{ ...chain?.episodes[0] as PlannedEpisode, params: { path } }],
      }],
    });
  const open = countingWorld().open;
  const sameGame = {
    open: async (id: string, params?: Readonly<Record<string, unknown>>) => {
      const env = await open(id, params);
      return { ...env, spec: { ...env.spec, identity: "the same game" } };
    },
  };
  assert.deepEqual(
    await identity(at("/a/game.json"), sameGame),
    await identity(at("/b/game.json"), sameGame),
  );
  assert.notDeepEqual(await identity(at("/a/game.json")), await identity(at("/b/game.json")));
});

const position = { study: "s", chain: "l", ordinal: 0 };

async function identity(
  study: Study,
  worlds: Parameters<typeof resolveStudy>[1]["worlds"] = countingWorld(),
): Promise<Readonly<Record<string, unknown>>> {
  const [[first] = []] = await resolveStudy(study, { worlds, embedder: noEmbedder });
  assert.ok(first);
  return first.identity;
}
