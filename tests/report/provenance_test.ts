import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { crc32 } from "node:zlib";
import { createDraw } from "../../lib/core/random.ts";
import { exportFigure, exportTable } from "../../lib/report/export.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { polars } from "../../lib/report/frame.ts";
import { provenanceOf, readMark, withoutMark } from "../../lib/report/provenance.ts";
import { type Table, toMarkdown } from "../../lib/report/table.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { putTurn } from "../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../lab/store/samples.ts";

const STUDY = 'st"udy ключ <!-- \\ (1) }]';

/** A study of some seeds, played at a time. */
function played(
  at: number,
  seeds: readonly number[] = [2, 7, 1, 3],
  more: { readonly score?: number; readonly method?: string } = {},
): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: at });
  for (const [ordinal, seed] of seeds.entries()) {
    const id = `e${ordinal}`;
    putEpisode(store, samplePlan({ id, study: STUDY, ordinal, seed, identity: { seed, method: more.method ?? "m" } }));
    putTurn(store, sampleTurn({ episode: id }));
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: more.score ?? 1, maxScore: 5, steps: 1 }] }, at + ordinal);
  }
  putEpisode(store, samplePlan({ id: "open", study: STUDY, ordinal: seeds.length, seed: 99 }));
  return store;
}

Deno.test("provenanceOf() is equal for equal plays at other times, and another for another seed, result or method", () => {
  using store = played(1);
  using later = played(1_900_000_000_000);
  const of = (one: Store): unknown => provenanceOf(one, [STUDY, "unplayed"]);
  assert.deepEqual(of(store), of(later));
  const [study] = provenanceOf(store, [STUDY, "unplayed"]).studies;
  assert.deepEqual([study?.seeds, study?.episodes], ["1-3 7", 4]);
  using seed = played(1, [2, 7, 1, 4]);
  using score = played(1, undefined, { score: 2 });
  using method = played(1, undefined, { method: "n" });
  const heads = [store, seed, score, method].map((one) => provenanceOf(one, [STUDY]).studies[0]);
  assert.equal(new Set(heads.map((head) => head?.chain)).size, 4);
  assert.deepEqual(heads.map((head) => head?.code === study?.code), [true, true, true, false]);
});

const TABLE: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [['{"labyrinth":"', { value: 0.5 }]] };

Deno.test("exported files say what they are made of, and no changed byte goes unseen", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-provenance-"));
  try {
    using store = played(1);
    const provenance = provenanceOf(store, [STUDY]);
    const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], {
      id: "m",
      title: "M",
      backbone: "offline",
    });
    const plain = [...await exportTable(TABLE, join(folder, "plain")), ...await exportFigure(figure, join(folder, "plain"))];
    const paths = [...await exportTable(TABLE, folder, { provenance }), ...await exportFigure(figure, folder, { provenance })];
    assert.deepEqual(paths.map(extname), [".md", ".tex", ".csv", ".svg", ".pdf", ".png", ".csv", ".txt"]);
    const draw = createDraw("flips of files");
    for (const [index, path] of paths.entries()) {
      const bytes = readFileSync(path);
      const unmarked = readFileSync(plain[index] ?? "");
      assert.equal(readMark(unmarked)?.isWhole ?? false, false);
      if (path.endsWith(".csv")) {
        assert.deepEqual(bytes, unmarked, "any reader of CSV reads it");
        assert.equal(polars().readCSV(path).height, path.endsWith("t.csv") ? 1 : 4);
        continue;
      }
      const { isWhole, csv, ...told } = readMark(bytes) ?? assert.fail(path);
      assert.deepEqual([isWhole, told, csv !== undefined], [true, provenance, /(md|txt)$/.test(path)], path);
      for (let n = 0; n < 40; n++) {
        const flipped = Uint8Array.from(bytes);
        const at = Math.floor(draw.next() * bytes.length);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(draw.next() * 8));
        assert.equal(readMark(flipped)?.isWhole ?? false, false, `${path}, byte ${at}`);
      }
    }
    const [md = "", tex = "", , svg = "", pdf = "", png = ""] = paths;
    const unsummed = readFileSync(png);
    unsummed.writeUInt8(unsummed.readUInt8(unsummed.length - 13) ^ 1, unsummed.length - 13);
    assert.equal(readMark(unsummed)?.isWhole, false, "the checksum of the chunk with the mark");
    assert.equal(withoutMark(readFileSync(md, "utf8")), toMarkdown(TABLE));
    assert.match(readFileSync(tex, "utf8"), /\n% \{"labyrinth":"[^<>&]*\}\n$/);
    assert.match(readFileSync(svg, "utf8"), /<metadata>\{"labyrinth":[^<>&]*<\/metadata><\/svg>$/);
    assert.match(readFileSync(pdf, "latin1"), /\/Labyrinth \d+ 0 R/);
    assertChunks(readFileSync(png));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Every chunk of a PNG has its checksum, and the last one is the end. */
function assertChunks(png: Uint8Array): void {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const names: string[] = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + view.getUint32(at);
    names.push(new TextDecoder().decode(png.subarray(at + 4, at + 8)));
    assert.equal(view.getUint32(end), crc32(png.subarray(at + 4, end)), `${names}`);
    at = end + 4;
  }
  assert.deepEqual(names.slice(-2), ["tEXt", "IEND"]);
}
