/** The benchmark of the wiki world: a search in many pages, and the memory that a large file of questions takes. */

import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Document } from "../../core/env/environment.ts";
import { openRecordFile } from "../../core/env/questions/record-file.ts";
import { type Place, readIndex, writeIndex } from "../../core/env/questions/wiki-index.ts";
import { createWikiPages } from "../../core/env/questions/wiki-pages.ts";
import { createDraw } from "../../core/random.ts";
import { type Measurement, measurement, median, timed } from "./benchmarks.ts";

const PAGES = 100_000;
const SEARCHES = 101;
/** Words that a language has. */
const VOCABULARY = 50_000;
/** Of the file, a mebibyte each: it is about as large as HotpotQA's training set. */
const RECORDS = 512;

/**
 * A search that no page answers, for which similar titles are looked up, in 100,000 pages: wanted < 5 ms, in memory and on disk, and beside it how
 * much longer reading all titles takes. A file of questions of 512 MB, read record by record: wanted < 1 GB of memory.
 *
 * @param scratch a folder for that file and the pages' index
 */
export async function benchWiki(scratch: string): Promise<Measurement[]> {
  return [...await benchPages(join(scratch, "pages.sqlite")), await benchFile(join(scratch, "questions.json"))];
}

async function benchPages(path: string): Promise<Measurement[]> {
  const draw = createDraw("pages");
  const words = (count: number): string =>
    // few words are frequent and most are rare, as in a language
    Array.from({ length: count }, () => `w${Math.floor(VOCABULARY ** draw.next()).toString(36)}`).join(" ");
  const documents = Array.from({ length: PAGES }, (_, number) => ({ title: `${words(2)} ${number}`, text: `${words(8)}. ${words(2)}.` }));
  const pages = createWikiPages(documents);
  await writeIndex(path, "", indexed(documents));
  const index = readIndex(path, "", (place) => documents[place.start] ?? { text: "" });
  if (!index) throw new Error(`the index ${path} cannot be read again`);
  for (const made of [pages, index]) made.similar(words(2), 5); // the first miss makes the index, or reads what it needs of it, once
  const titles = documents.map(({ title }) => new Set(title.split(" ")));
  const times: Record<"miss" | "disk" | "hit" | "scan", number[]> = { miss: [], disk: [], hit: [], scan: [] };
  for (let search = 0; search < SEARCHES; search++) { // side by side, so that the machine cancels out
    const query = words(8);
    times.miss.push(timed(() => pages.similar(query, 5)));
    times.disk.push(timed(() => index.similar(query, 5)));
    times.hit.push(timed(() => pages.find(documents[search * 97]?.title ?? "")));
    const asked = query.split(" ");
    times.scan.push(timed(() => titles.map((title) => asked.filter((word) => title.has(word)).length).indexOf(1)));
  }
  const [miss, disk] = [median(times.miss), median(times.disk)];
  const shared = { pages: PAGES, searches: SEARCHES };
  const inMemory = { slowestMs: Math.max(...times.miss), hitMs: median(times.hit), ...shared };
  const onDisk = { slowestMs: Math.max(...times.disk), timesMemory: disk / miss, ...shared };
  const reading = { scanMs: median(times.scan), searchMs: miss };
  const says = `a search of 8 words that no title is, in ${PAGES} pages`;
  const again = "the same search in the same pages, indexed on disk";
  return [
    measurement({ name: "wiki-search", says, value: miss, unit: "ms", details: inMemory }, { is: "<", bound: 5 }),
    measurement({ name: "wiki-disk", says: again, value: disk, unit: "ms", details: onDisk }, { is: "<", bound: 5 }),
    { name: "wiki-scan", says: "reading the words of all titles ÷ that search", value: reading.scanMs / miss, unit: "×", details: reading },
  ];
}

/** Pages in the places of a file that there is none of: only their words are looked for. */
async function* indexed(documents: readonly Document[]): AsyncGenerator<Document & Place> {
  for (const [start, document] of documents.entries()) yield { ...document, file: 0, start, length: 0 };
}

async function benchFile(path: string): Promise<Measurement> {
  const record = JSON.stringify({ question: "x".repeat(2 ** 20) });
  const file = openSync(path, "w");
  for (let number = 0; number < RECORDS; number++) writeSync(file, `${number === 0 ? "[" : ","}${record}`);
  writeSync(file, "]");
  closeSync(file);
  const before = process.memoryUsage.rss();
  const records = await openRecordFile(path);
  let peak = process.memoryUsage.rss();
  for (let at = 0; at < records.size; at++) {
    await records.read(at);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const taken = (peak - before) / 2 ** 20;
  const says = `memory taken by reading a file of ${RECORDS} MB, record by record`;
  return measurement({ name: "wiki-file", says, value: taken, unit: "MB", details: { records: records.size } }, { is: "<", bound: 1024 });
}
