import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gridGraph } from "../../core/graph/room_graphs.ts";
import { numbers } from "../../core/graph/random.ts";
import { lab } from "./captured.ts";
import { ownFolder } from "../../folder.ts";

const hall = { id: "hall", kind: "room", label: "room" };
const cell = { id: "cell", kind: "room", label: "room" };
const door = { a: "hall", b: "cell", label: "red" };
const key = { id: "key", kind: "object", label: "red key" };
const inHall = { a: "hall", b: "key", label: "contains" };

Deno.test("ged --json prints lower, upper, exact and edits, and nothing else", () =>
  inFolder(async (file) => {
    const a = file("a.json", { nodes: [hall, cell], edges: [door] });
    const b = file("b.json", {
      nodes: [hall, cell, key],
      edges: [{ ...door, label: "blue" }, inHall],
    });
    const { status, out, err } = await lab("ged", a, b, "--json");
    assert.deepEqual([status, err], [0, ""]);
    assert.deepEqual(JSON.parse(out), {
      lower: 3,
      upper: 3,
      exact: true,
      edits: [
        { op: "relabel-edge", a: "hall", b: "cell", from: "red", to: "blue" },
        { op: "insert-node", id: "key", kind: "object", label: "red key" },
        { op: "insert-edge", a: "hall", b: "key", label: "contains" },
      ],
    });
  }));
Deno.test("ged writes an edit a line, whatever signs its labels hold", () =>
  inFolder(async (file) => {
    const label = "red\n  delete-node   \u001b[31mkey\u202e é 鍵";
    const a = file("a.json", { nodes: [hall], edges: [] });
    const b = file("b.json", { nodes: [hall, { ...key, label }], edges: [] });
    const { out } = await lab("ged", a, b);
    assert.equal(
      out,
      "graph edit distance: 1 (exact)\n  insert-node   key (object, red\\u000a  delete-node   \\u001b[31mkey\\u202e é 鍵)\n",
    );
    assert.equal(JSON.parse((await lab("ged", a, b, "--json")).out).edits[0].label, label);
  }));

Deno.test("ged --limit gives an interval where the limit is too low", () =>
  inFolder(async (file) => {
    const [a, b] = [
      file("a.json", gridGraph(numbers(0), 3, 3)),
      file("b.json", gridGraph(numbers(100), 3, 3)),
    ];
    const low = JSON.parse((await lab("ged", a, b, "--limit", "1", "--json")).out);
    const high = JSON.parse((await lab("ged", a, b, "--json")).out);
    assert.deepEqual([low.exact, high.exact], [false, true]);
    assert.ok(
      low.lower <= high.lower && high.upper <= low.upper,
      JSON.stringify([low.lower, high.lower, low.upper]),
    );
    assert.match(
      (await lab("ged", a, b, "--limit", "1")).out,
      /^graph edit distance: between \d+ and \d+ \(not proved/,
    );
  }));

Deno.test("ged names the file and the field of bad input in one line", () =>
  inFolder(async (file) => {
    const good = file("good.json", { nodes: [hall], edges: [] });
    const rows: readonly (readonly [unknown, RegExp])[] = [
      ["", /invalid JSON/],
      ["{", /invalid JSON/],
      [[], /the graph does not fit/],
      [null, /the graph does not fit/],
      [{ nodes: [hall] }, /edges does not fit/],
      [{ nodes: [{ ...hall, kind: "door" }], edges: [] }, /nodes\.0\.kind does not fit/],
      [{ nodes: [{ ...hall, id: "" }], edges: [] }, /nodes\.0\.id does not fit/],
      [{ nodes: [{ ...hall, colour: "red" }], edges: [] }, /nodes\.0 does not fit.*colour/],
      [{ nodes: [hall, hall], edges: [] }, /nodes\.1\.id "hall" is taken/],
      [{ nodes: [hall], edges: [door] }, /edges\.0\.b names "cell"/],
      [
        { nodes: [hall], edges: [{ a: "hall", b: "hall", label: "red" }] },
        /edges\.0 joins "hall" to itself/,
      ],
      [
        { nodes: [hall, cell], edges: [door, { a: "cell", b: "hall", label: "blue" }] },
        /edges\.1 joins "cell" and "hall" a second time/,
      ],
      [
        { nodes: [hall, cell, key], edges: [inHall, { ...inHall, a: "cell" }] },
        /edges\.1 puts the object "key" into a second room/,
      ],
      [
        { nodes: [key, { ...key, id: "k2" }], edges: [{ a: "key", b: "k2", label: "near" }] },
        /edges\.0 joins the objects/,
      ],
    ];
    for (const [value, problem] of rows) {
      const bad = file("bad.json", value);
      for (const files of [[bad, good], [good, bad]] as const) {
        const { status, out, err } = await lab("ged", ...files, "--json");
        assert.deepEqual([status, out], [2, ""], err);
        assert.match(err, problem);
        assert.ok(err.startsWith(`lab: cannot read ${bad}: `), err);
        assert.equal(err.trimEnd().split("\n").length, 1, err);
      }
    }
  }));

Deno.test("ged refuses graphs too large to compare, in one line", () =>
  inFolder(async (file) => {
    const many = (kind: string, count: number): unknown => ({
      nodes: Array.from({ length: count }, (_, i) => ({ id: `n${i}`, kind, label: "x" })),
      edges: [],
    });
    const good = file("good.json", { nodes: [hall], edges: [] });
    for (const [kind, count] of [["room", 501], ["object", 5001]] as const) {
      const { status, out, err } = await lab(
        "ged",
        good,
        file("large.json", many(kind, count)),
        "--limit=1",
        "--json",
      );
      assert.deepEqual([status, out], [2, ""]);
      assert.match(
        err,
        new RegExp(
          `^lab: cannot measure a graph of ${count} ${kind}s: at most ${
            count - 1
          } are compared; measure parts of it\n$`,
        ),
      );
    }
    assert.equal(
      (await lab("ged", good, file("most.json", many("room", 500)), "--limit=1", "--json")).status,
      0,
    );
  }));

Deno.test("ged refuses missing files, missing words and limits that are no number", () =>
  inFolder(async (file) => {
    const good = file("good.json", { nodes: [], edges: [] });
    assert.match(
      (await lab("ged", good, join(tmpdir(), "no-such-graph.json"))).err,
      /^lab: cannot read .*no-such-graph\.json: ENOENT/,
    );
    assert.match(
      (await lab("ged", good)).err,
      /^lab: missing required argument 'b\.json'; see \.\/lab ged --help\n$/,
    );
    assert.match((await lab("ged", good, good, good)).err, /^lab: unexpected/);
    for (const limit of ["0", "-1", "many", "1.5", ""]) {
      assert.equal((await lab("ged", good, good, `--limit=${limit}`)).status, 2, limit);
    }
    for (const seconds of ["0", "-1", "soon", ""]) {
      assert.equal((await lab("ged", good, good, `--seconds=${seconds}`)).status, 2, seconds);
    }
    assert.equal((await lab("ged", good, good, "--seconds=2.5")).status, 0);
    assert.match(
      (await lab("ged", good, good, "--limit=0")).err,
      /^lab: --limit must be a positive whole number, not "0"/,
    );
  }));

async function inFolder(
  test: (file: (name: string, content: unknown) => string) => Promise<void>,
): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  await test((name, content) => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  });
}
