import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  exportNotebook,
  writeManifest,
  writeOverview,
} from "../../../lib/apps/cli/reproduce-notebooks.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import type { Study } from "../../../lib/lab/study.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan } from "../../lab/store/samples.ts";

const CELLS = [
  `import { openStore } from "labyrinth";
import { episodes, figure, table } from "labyrinth/lab";`,
  `let models = "offline";
let preset = "quick";
let storePath = "small.sqlite";
let folder = "out";`,
  `using store = openStore(storePath);
const frame = episodes(store, "study").select("condition", "score");
await table(frame, { caption: \`Scores of \${models}, \${preset}.\`, file: \`\${folder}/table1\` });`,
  `await figure({ data: frame, mark: "point", encoding: { x: { field: "score", type: "quantitative" } } }, {
  caption: "The same.",
  file: \`\${folder}/fig1\`,
});`,
];

function notebook(cells: readonly string[]): string {
  const code = cells.map((source, index) => ({
    ...{ cell_type: "code", id: `cell-${index}`, execution_count: null, outputs: [], source },
    metadata: source.startsWith("let models") ? { tags: ["parameters"] } : {},
  }));
  return JSON.stringify({ cells: code, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

Deno.test("a notebook's exports stand with its studies in a manifest, run again nothing differs, and one that fails says so", async () => {
  const root = mkdtempSync(join(checkoutRoot(), ".lab", "reproduce-"));
  try {
    const storePath = join(root, "lab.sqlite");
    {
      using store = openStore(storePath);
      putStudy(store, { id: "study", spec: {}, createdAt: 1 });
      putEpisode(store, samplePlan({ id: "aaaa" }));
      endEpisode(store, "aaaa", {
        status: "completed",
        passes: [{ kind: "only", score: 1, maxScore: 2, steps: 1 }],
      }, 2);
    }
    const path = join(root, "small.ipynb");
    writeFileSync(path, notebook(CELLS));
    const folder = join(root, "figures", "paper", "m");
    const study: Study = { id: "study", title: "S", chains: [], models: { "*": "m" } };
    const export_ = async (): Promise<Awaited<ReturnType<typeof exportNotebook>>> => {
      const exported = await exportNotebook(path, {
        models: "m",
        preset: "full",
        storePath,
        folder,
      });
      await writeManifest(
        folder,
        { paper: "paper", notebook: "small", command: "./lab reproduce paper", studies: [study] },
        storePath,
        exported,
      );
      return exported;
    };
    const first = await export_();
    assert.equal(first.failed, false);
    assert.match(first.text, /\| condition \| score \|\n[^]*Scores of m, full\./);
    assert.deepEqual(first.exhibits, ["fig1", "table1"]);
    assert.deepEqual(first.files.map((file) => file.split(".").at(-1)).sort(), [
      ..."csv csv md pdf png svg tex".split(" "),
    ]);
    const manifest = readFileSync(join(folder, "manifest.json"), "utf8");
    const { studies, exhibits } = JSON.parse(manifest);
    assert.match(studies.study.digest, /^[\da-f]{64}$/);
    assert.deepEqual([exhibits.table1.notebook, exhibits.table1.studies, exhibits.fig1.caption], [
      "small",
      ["study"],
      "The same.",
    ]);
    await export_();
    assert.equal(readFileSync(join(folder, "manifest.json"), "utf8"), manifest);
    await writeOverview(join(root, "figures"));
    const told = { paper: "paper", notebook: "small", command: "", studies: [study] };
    await writeManifest(folder, { ...told, listed: /^table/ }, storePath, first);
    const listed = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    assert.deepEqual(Object.keys(listed.exhibits), ["table1"]);
    assert.match(
      readFileSync(join(root, "figures", "README.md"), "utf8"),
      /## paper\/m\n[^]*\[fig1\]\(paper\/m\/fig1\.svg\)/,
    );

    mkdirSync(join(root, "broken"));
    writeFileSync(path, notebook([...CELLS.slice(0, 2), `throw new Error("as wanted");`]));
    const broken = await exportNotebook(path, {
      preset: "quick",
      storePath,
      folder: join(root, "broken"),
    });
    assert.deepEqual([broken.failed, broken.exhibits], [true, []]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
