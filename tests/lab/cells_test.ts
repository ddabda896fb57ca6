/**
 * What cells show and write: tables, figures, pictures of graphs, and questions outside of studies.
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ask } from "../../lib/lab/ask.ts";
import { figure } from "../../lib/lab/figure.ts";
import { frameOf } from "../../lib/lab/frame-of.ts";
import { graphPicture } from "../../lib/lab/graph-picture.ts";
import { table } from "../../lib/lab/table.ts";
import type { Prompt } from "../../lib/core/llm/prompt.ts";
import { localProvider, registerProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { displaySymbol } from "../../lib/core/platform.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { inFolder, ownFolder } from "../folder.ts";

const FRAME = frameOf([
  { game: "cook_hard | x", score: 0.4567, steps: 3, won: true },
  { game: "=hunt", score: null, steps: 12, won: false },
], { game: "text", score: "number?", steps: "integer", won: "boolean" });

Deno.test("table() shows and writes a frame as it is", () =>
  inFolder(async (folder) => {
    const shown = await table(FRAME, { caption: "95 % of <b>.", file: join(folder, "t") });
    assert.deepEqual(shown.files.map((path) => basename(path)), ["t.md", "t.tex", "t.csv"]);
    const [md = "", tex = "", csv] = await Promise.all(
      shown.files.map((path) => readFile(path, "utf8")),
    );
    assert.deepEqual(md.split("\n"), [
      "| game | score | steps | won |",
      "| --- | ---: | ---: | --- |",
      "| cook_hard \\| x | 0.46 | 3 | yes |",
      "| =hunt | – | 12 | no |",
      "",
      "95 % of &lt;b>.",
      "",
    ]);
    assert.equal(shown[displaySymbol]()["text/markdown"], md);
    assert.ok(
      tex.includes("\\begin{tabular}{@{}lrrl@{}}") &&
        tex.includes("cook\\_hard \\textbar{} x & 0.46 & 3 & yes \\\\"),
    );
    assert.ok(tex.includes("95\\,\\% of") && !tex.includes("\\qty"), "no package but booktabs");
    assert.equal(csv, "game,score,steps,won\ncook_hard | x,0.4567,3,true\n'=hunt,,12,false\n");
    assert.match(
      String(
        (await table(FRAME, { caption: "", digits: { score: 1 } }))[displaySymbol]()["text/plain"],
      ),
      /\| 0\.5 \|/,
    );
  }));

Deno.test("table() shows a small p as an inequality, and fits wide tables to a page", () =>
  inFolder(async (folder) => {
    const long = "a cell of many words that would not fit the width of a page with its neighbours";
    const rows = [{ id: "a", p: 0.00004, text: long, more: long }, {
      ...{ id: "b", p: 0.04, text: "short", more: "short" },
    }];
    const frame = frameOf(rows, { id: "text", p: "number", text: "text", more: "text" });
    const { files } = await table(frame, { caption: "", file: join(folder, "t"), digits: 1 });
    const [md = "", tex = ""] = await Promise.all(files.map((path) => readFile(path, "utf8")));
    assert.match(md, /\| a \| < 0\.001 \|/);
    assert.match(md, /\| b \| 0\.040 \|/);
    const [, ...parts] = tex.match(/p\{([\d.]+)\\linewidth\}.*p\{([\d.]+)\\linewidth\}/) ?? [];
    assert.ok(parts.length === 2 && Number(parts[0]) + Number(parts[1]) < 1);
    assert.match(tex, /array,booktabs/);
  }));

Deno.test("table() gives a long name its width and the rest to the text beside it, and breaks a head that is wider than its column", () =>
  inFolder(async (folder) => {
    const head = "prompt tokens";
    const row = {
      name: "a_name_of_one_word_and_many_letters",
      text: "word ".repeat(80),
      [head]: 1,
    };
    const frame = frameOf([row], { name: "text", text: "text", [head]: "integer" });
    const { files: [, path = ""] } = await table(frame, { caption: "", file: join(folder, "t") });
    const tex = await readFile(path, "utf8");
    const widths = [...tex.matchAll(/p\{([\d.]+)\\linewidth\}/g)].map(([, width]) => Number(width));
    assert.ok(
      widths.length > 0 && widths.reduce((sum, width) => sum + width, 0) < 0.95,
      `${widths}`,
    );
    assert.match(tex, /\\shortstack\[r\]\{prompt\\\\tokens\}/);
  }));

const LINE = {
  data: frameOf([{ x: 1, y: 1 }, { x: 2, y: 3 }], { x: "integer", y: "number" }),
  ...{ width: 321, height: 123 },
  mark: { type: "line", strokeDash: [1, 0] },
  encoding: { x: { field: "x", type: "quantitative" }, y: { field: "y", type: "quantitative" } },
};

Deno.test("figure() draws literally, writes three formats and the data, and shows its caption", () =>
  inFolder(async (folder) => {
    const plain = {
      ...LINE,
      encoding: { x: { ...LINE.encoding.x, axis: null }, y: { ...LINE.encoding.y, axis: null } },
    };
    const config = { padding: 0, view: { stroke: "#abcdef" } };
    const { svg, files, ...shown } = await figure({ ...plain, config }, {
      caption: "A <line>.",
      file: join(folder, "f"),
    });
    assert.match(svg, /h321v123h-321Z/, "the panel is as large as stated");
    assert.ok(svg.includes("#abcdef"), "a stated look goes before the default one");
    assert.deepEqual(files.map((path) => basename(path)), ["f.svg", "f.pdf", "f.png", "f.csv"]);
    const [written, pdf, png, csv] = await Promise.all(
      files.map((path) => readFile(path, "latin1")),
    );
    assert.equal(written, svg);
    assert.ok(pdf?.startsWith("%PDF-") && png?.slice(1, 4) === "PNG");
    assert.equal(csv, "x,y\n1,1\n2,3\n");
    const { "image/png": picture, "image/svg+xml": none } = shown[displaySymbol]();
    const height = (bytes: Buffer): number => bytes.readUInt32BE(20);
    const [bare, captioned] = [
      Buffer.from(png ?? "", "latin1"),
      Buffer.from(`${picture}`, "base64"),
    ];
    assert.equal(height(captioned) - height(bare), 38, "a caption of one line, in two px a px");
    assert.equal(none, undefined, "one picture in a notebook, not two");
    assert.ok(!svg.includes("&lt;line"), "the file has no caption");
    await assert.rejects(
      figure({ ...LINE, mark: "lime" }, { caption: "" }),
      /^TypeError: the figure's specification is wrong/,
    );
    const data = frameOf([], { x: "integer", y: "number" });
    assert.match((await figure({ ...LINE, data }, { caption: "" })).svg, /<svg/);
  }));

Deno.test("table() and figure() note what they write in the manifest of the folder, and keep what stands there", async () => {
  using own = ownFolder();
  const folder = own.path;
  await writeFile(
    join(folder, "manifest.json"),
    JSON.stringify({ model: "m", exhibits: { t: { notebook: "01" } } }),
  );
  const frame = frameOf([{ step: 1, score: 0.5 }], { step: "integer", score: "number" });
  await table(frame, { caption: "One.", file: join(folder, "t") });
  await table(frame, { caption: "Two.", file: join(folder, "a") });
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  assert.deepEqual(manifest, {
    model: "m",
    exhibits: {
      a: { caption: "Two.", files: ["a.md", "a.tex", "a.csv"] },
      t: { notebook: "01", caption: "One.", files: ["t.md", "t.tex", "t.csv"] },
    },
  });
});

Deno.test("graphPicture() colours lines by the latest of their states", async () => {
  const colors = { known: "#111213", removed: "#212223", added: "#313233" };
  const key = { subject: "key", relation: "is in", object: "inventory" };
  const both = [{ ...key, relation: "was in", state: "removed" }, { ...key, state: "added" }];
  const { svg } = await graphPicture(both, { colors, caption: "" });
  assert.ok(svg.includes("is in") && svg.includes(colors.added) && !svg.includes(colors.removed));
  await graphPicture([], { colors, caption: "" });
  const odd = graphPicture([{ ...key, state: "adde" }], { colors, caption: "" });
  await assert.rejects(odd, /the state "adde" has no colour; did you mean "added"/);
});

const WEATHER: Prompt<"sky"> = {
  role: "demo/weather",
  instructions: "Wet or dry?",
  sections: { sky: "Sky" },
};

Deno.test("ask() returns prompt, reply and value, and finds what was asked at a step before", async () => {
  using store = openStore(":memory:");
  const model = scripted(["wet", "dry", "?", "?", "?"], { id: "ask-test" });
  registerProvider(localProvider(model));
  const parse = (text: string) =>
    text === "?"
      ? { kind: "malformed", problem: "a riddle" } as const
      : { kind: "ok", value: text.length } as const;
  const put = (options: object) =>
    ask(WEATHER, { sky: "grey" }, {
      models: "ask-test",
      store,
      parse,
      extra: { Memory: "rain" },
      ...options,
    });
  const first = await put({ step: 1 });
  assert.deepEqual(first, {
    prompt: "Wet or dry?\n\n### Sky\ngrey\n\n### Memory\nrain",
    text: "wet",
    value: 3,
  });
  assert.equal((await put({ step: 2 })).text, "dry");
  assert.deepEqual(await put({ step: 1 }), first);
  assert.equal(model.requests.length, 2, "the third was on record");
  assert.deepEqual(model.requests.map(({ sample }) => [sample?.pass, sample?.step]), [[0, 1], [
    0,
    2,
  ]]);
  const { value, problem } = await put({ step: 3, vote: 2, pass: 1 });
  assert.deepEqual([value, problem, model.requests.at(-1)?.sample?.vote], [
    undefined,
    "a riddle",
    2,
  ]);
});
