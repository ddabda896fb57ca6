import assert from "node:assert/strict";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { openRecordFile, streamRecords } from "../../../../lib/core/env/questions/record-file.ts";
import { ownFolder } from "../../../folder.ts";

/**
 * Texts that try a scanner: brackets, quotes and line ends inside strings, letters of several
 * bytes.
 */
const RECORDS = [
  { a: "plain" },
  { a: 'brackets ]} in "quotes" \\', b: [[1, 2], { c: "]" }] },
  { a: "line\nend and é, 𝄞" },
  { a: '5" wide ]}, {"' },
  { a: "" },
];

async function inFile(content: string, body: (path: string) => Promise<void>): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "set.json");
  writeFileSync(path, content);
  await body(path);
}

const FORMS: Readonly<Record<string, string>> = {
  "JSON Lines": RECORDS.map((record) => JSON.stringify(record)).join("\n"),
  "JSON Lines with blank lines, Windows line ends and a mark at the start": `\ufeff${
    RECORDS.map((record) => JSON.stringify(record)).join("\r\n\r\n")
  }\r\n`,
  "one array in one line": JSON.stringify(RECORDS),
  "one array over many lines": `\n ${JSON.stringify(RECORDS, null, 2)}\n`,
};

for (const [form, content] of Object.entries(FORMS)) {
  Deno.test(`openRecordFile() reads ${form}, each record alone and in any order`, () =>
    inFile(content, async (path) => {
      const file = await openRecordFile(path);
      assert.equal(file.size, RECORDS.length);
      for (const index of [2, 0, 4, 3, 1]) {
        assert.deepEqual((await file.read(index)).value, RECORDS[index]);
      }
      await assert.rejects(file.read(5), RangeError);
    }));
}

Deno.test("openRecordFile() reads records larger than a piece of the file", async () => {
  const large = [{ a: "x".repeat(1_500_000) }, { a: "y" }, { a: "z".repeat(1_200_000) }];
  for (
    const content of [
      JSON.stringify(large),
      large.map((record) => JSON.stringify(record)).join("\n"),
    ]
  ) {
    await inFile(content, async (path) => {
      const file = await openRecordFile(path);
      assert.equal(file.size, large.length);
      for (const [index, record] of large.entries()) {
        assert.deepEqual((await file.read(index)).value, record);
      }
    });
  }
});

Deno.test("openRecordFile() names the line of a record", () =>
  inFile('{"a": 1}\n\nnot JSON\n{"a": 3}\n', async (path) => {
    const file = await openRecordFile(path);
    assert.equal((await file.read(2)).where, `${path}, line 4`);
    await assert.rejects(
      file.read(1),
      (error: Error) =>
        error.name === "UsageError" && error.message.startsWith(`${path}, line 3: invalid JSON`),
    );
  }));

Deno.test("openRecordFile() names the record where all stand in one line", () =>
  inFile(JSON.stringify(RECORDS), async (path) => {
    assert.equal((await (await openRecordFile(path)).read(1)).where, `${path}, line 1, record 2`);
  }));

Deno.test("openRecordFile() refuses an array that is cut off, an empty file, a folder and no file", async () => {
  await inFile(JSON.stringify(RECORDS, null, 1).slice(0, -20), async (path) => {
    await assert.rejects(
      openRecordFile(path),
      (error: Error) =>
        /line \d+: the file is truncated: it ends in the middle of a record; fetch it again/.test(
          error.message,
        ),
    );
  });
  await inFile('{"a": 1}\n{"a": "cut', async (path) => {
    await assert.rejects((await openRecordFile(path)).read(1), {
      name: "UsageError",
      message:
        `${path}, line 2: the file is truncated: it ends in the middle of a record; fetch it again`,
    });
  });
  await inFile("  \n", async (path) => {
    await assert.rejects(openRecordFile(path), { name: "UsageError", message: /holds no record/ });
    await assert.rejects(openRecordFile(`${path}.gone`), {
      name: "UsageError",
      message: /cannot read/,
    });
    await assert.rejects(openRecordFile(dirname(path)), {
      name: "UsageError",
      message: /cannot read .*directory/,
    });
  });
});

Deno.test("openRecordFile() refuses a packed file", () =>
  inFile("", async (path) => {
    writeFileSync(path, gzipSync(JSON.stringify(RECORDS)));
    await assert.rejects(openRecordFile(path), {
      name: "UsageError",
      message: /is not JSON: .*; unpack it/,
    });
  }));

Deno.test("openRecordFile() looks again at a file that has changed", () =>
  inFile('{"a": 1}\n', async (path) => {
    assert.equal((await openRecordFile(path)).size, 1);
    writeFileSync(path, '{"a": 1}\n{"a": 2}\n');
    assert.equal((await openRecordFile(path)).size, 2);
  }));

async function streamed(
  path: string,
): Promise<{ readonly value: unknown; readonly line: string; readonly bytes: string }[]> {
  const found = [];
  for await (const { value, where, start, length } of streamRecords(path)) {
    found.push({
      value,
      line: where.slice(path.length),
      bytes: readFileSync(path).subarray(start, start + length).toString(),
    });
  }
  return found;
}

Deno.test("streamRecords() names the line that is no record, and gives none of an empty file", async () => {
  const cases: [string, RegExp][] = [
    ['{"a": 1}\n{"a": ', /^, line 2: the file is truncated: .*; fetch it again$/],
    [
      '{"a": 1}\n{"a": [{"b": "\\"}"}',
      /^, line 2: the file is truncated: .*; fetch it again$/,
    ],
    ['{"a": 1}\n{"a": "}', /^, line 2: the file is truncated: .*; fetch it again$/],
    ['{"a": 1}\n{"a": }\n{"a": 2}', /^, line 2: invalid JSON .*; fetch the file again$/],
    ['\n[{"a": 1}]\n', /^, line 2: not a JSON object; .* unpack it/],
    ["PK\u0003\u0004", /^, line 1: not a JSON object; .* unpack it/],
  ];
  for (const [content, message] of cases) {
    await inFile(
      content,
      (path) =>
        assert.rejects(
          streamed(path),
          (error: Error) =>
            error.name === "UsageError" && error.message.startsWith(path) &&
            message.test(error.message.slice(path.length)),
        ),
    );
  }
  await inFile(" \n\n", async (path) => assert.deepEqual(await streamed(path), []));
  await inFile('{"a": 1}\n', async (path) => {
    await assert.rejects(streamed(`${path}.gone`), { name: "UsageError", message: /cannot read/ });
    truncateSync(path, 5e9); // a hole, as a download that was broken off leaves it
    await assert.rejects(Array.fromAsync(streamRecords(path)), {
      name: "UsageError",
      message: /, line 2: longer than 64 MiB/,
    });
  });
});
