import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { WASM } from "../../../lib/core/retrieval/quantised-scan.wasm.ts";
import { VectorIndex } from "../../../lib/core/retrieval/vector-index.ts";
import { numbers } from "../graph/random.ts";
import { slowTest } from "../../slow.ts";

type Kind = (random: () => number, dimensions: number) => Float32Array;

const even: Kind = (random, dimensions) =>
  Float32Array.from({ length: dimensions }, () => random() - 0.5);
const kinds: Record<string, Kind> = {
  even,
  "few values": (random, dimensions) =>
    Float32Array.from({ length: dimensions }, () => Math.floor(random() * 3) - 1),
  spiky: (random, dimensions) =>
    even(random, dimensions).map((value) => (random() < 0.05 ? value * 1000 : value)),
  "many sizes": (random, dimensions) =>
    even(random, dimensions).map((value) => value * 10 ** Math.floor(random() * 60 - 35)),
  near: (random, dimensions) =>
    new Float32Array(dimensions).fill(1).map((
      value,
      i,
    ) => (i === 0 ? value + random() * 1e-4 : value)),
  odd: (random, dimensions) =>
    new Float32Array(dimensions).map(() =>
      [0, 0, 1e-40, NaN, Infinity, -Infinity, 3e38][Math.floor(random() ** 6 * 7)] ?? 0
    ),
};

for (const [name, kind] of Object.entries(kinds)) {
  Deno.test(`search() by copies of few bits gives what comparing every row gives: ${name}`, () => {
    const random = numbers(11);
    for (const dimensions of [1, 3, 31, 32, 100, 384, 1500]) {
      for (const normalise of [true, false]) {
        const [scanned, plain] = [0, Infinity].map((scanFrom) =>
          new VectorIndex(dimensions, { normalise, scanFrom })
        );
        assert(scanned && plain);
        const vectors: Float32Array[] = [];
        for (let row = 0; row < 300; row++) {
          const again = vectors[Math.floor(random() * 2 * (row + 1))]; // now and then a row a second time
          vectors.push(again ?? kind(random, dimensions));
          for (const index of [scanned, plain]) index.add(vectors[row] as Float32Array);
          if (random() < 0.1) {
            const other = Math.floor(random() * row);
            for (const index of [scanned, plain]) if (!index.remove(other)) index.restore(other);
          }
        }
        for (let asked = 0; asked < 12; asked++) {
          const query = random() < 0.3
            ? vectors[Math.floor(random() * 300)] as Float32Array
            : kind(random, dimensions);
          const k = [1, 3, 10, 30][asked % 4] as number;
          const threshold = asked % 3 === 0 ? 0.5 : -Infinity;
          assert.deepEqual(
            scanned.search(query, k, { threshold }),
            plain.search(query, k, { threshold }),
            `${dimensions} numbers, k ${k}`,
          );
        }
      }
    }
  });
}
Deno.test("a row whose upper bits say half of its product is found behind a block of rows that are nearly as near", () => {
  const row = (value: (i: number) => number): Float32Array =>
    Float32Array.from({ length: 64 }, (_, i) => (i === 0 ? 127 : value(i))); // numbers as they are copied
  const query = Float32Array.from({ length: 64 }, (_, i) => (i === 0 ? 0 : 1));
  const index = new VectorIndex(64, { normalise: false });
  for (let each = 0; each < 1024; each++) index.add(row((i) => (i % 2 === 0 ? 16 : 13))); // upper bits: 23.5 and 7.5
  const best = index.add(row(() => 15)); // upper bits: 7.5
  assert.deepEqual(index.search(query, 1), [{ row: best, similarity: 15 * 63 }]);
});

Deno.test("a row whose upper bits lose less than the whole copy is found at a threshold just below its product", () => {
  const [upper, even] = [7.5001, 126.501]; // in steps of the copy: the upper bits say 7.5, the whole 8
  const row = (first: number, rest: number): Float32Array =>
    new Float32Array(5000).fill(rest).fill(first, 0, 1);
  const [scanned, plain] = [1024, Infinity].map((scanFrom) =>
    new VectorIndex(5000, { normalise: false, scanFrom })
  );
  assert(scanned && plain);
  for (const index of [scanned, plain]) {
    for (let each = 0; each < 1024; each++) index.add(row(1270, 10 * even));
    index.add(row(127, upper));
  }
  const query = row(-127, -even);
  const { similarity = 0 } = plain.search(query, 1)[0] ?? {};
  for (let each = 0; each < 100; each++) {
    const threshold = similarity * (1 + each * 1e-6);
    assert.deepEqual(
      scanned.search(query, 100, { threshold }),
      plain.search(query, 100, { threshold }),
      `${threshold}`,
    );
  }
});

slowTest("the module in the tree is what its source compiles to", () => {
  const source = readFileSync("lib/core/retrieval/quantised-scan.as", "utf8");
  const program = `import asc from "npm:assemblyscript@0.28.20/asc";
    let wasm;
    const files = { "scan.ts": ${JSON.stringify(source)} };
    const options = ["scan.ts", "--outFile", "scan.wasm", "-O3", "--runtime", "stub", "--noAssert", "--enable", "simd", "--enable", "relaxed-simd", "--importMemory"];
    const { error } = await asc.main(options, {
      readFile: (name) => files[name] ?? null,
      writeFile: (_, written) => (wasm = written),
      listFiles: () => [],
    });
    if (error) throw error;
    console.log(wasm.toBase64());`;
  const flags = ["eval", "--no-lock", "--node-modules-dir=none", "--no-config", "--quiet"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, program], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.equal(WASM, stdout.trim());
});
