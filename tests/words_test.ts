/**
 * The words of what people read: README, the documents, notebooks, captions and
 * help texts. Each finding is a line with its place; the list is empty.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../lib/apps/cli/commands.ts";
import { checkoutRoot } from "../lib/core/platform.ts";
import { helpsOf } from "../docs/reference/make.ts";

/** Most words of a sentence, and of a caption. */
const [MAX_SENTENCE, MAX_CAPTION] = [35, 40];

/** Words that only the people who wrote this would use, and what to say in their place. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bheld against\b/, "compared with"],
  [/\b(not|cannot be) told\b/, "not significant"],
  [/\btell(s|ing)? nothing\b/, "shows no difference"],
  [/\b(taken|takes?) up again\b/, "resumed"],
  [/\banew\b/, "again"],
  [/\bonce more\b/, "again"],
  [/\bstands? (in|beside)\b/, "is in, is next to"],
  [/\b(un)?parked\b/, "paused"],
  [/\b(quick|full) forms?\b/, "preset quick, preset full"],
  [/\bknobs?\b/, "options"],
  [/\bupkeep\b/, "conflict resolution"],
  [/\bheld back\b/, "held out"],
  [/\bbackbones?\b/, "model"],
  [/\brecollections?\b/, "recalled context"],
  [/\bunless told\b|\btells otherwise\b/, "default:"],
  [/\bis lacking\b/, "is missing"],
  [/\bthis is no\b/, "invalid"],
];

/** A text that people read, with the line that it begins in. */
interface Passage {
  readonly place: string;
  readonly text: string;
  readonly isCaption?: boolean;
}

/** The paragraphs, list items and headings of a page; `isWhole`: with tables, code and generated parts. */
function passagesOf(file: string, page: string): (Passage & { readonly isProse: boolean })[] {
  const lines = page.split("\n");
  const passages: (Passage & { readonly isProse: boolean })[] = [];
  let [fenced, generated, text, begin] = [false, false, "", 0];
  const end = (): void => {
    if (text !== "") passages.push({ place: `${file}:${begin}`, text, isProse: true });
    text = "";
  };
  for (const [index, line] of lines.entries()) {
    const isFence = /^ *```/.test(line);
    if (/<!-- .*made by/.test(line)) generated = true;
    const isProse = !fenced && !isFence && !generated && !/^ *\|/.test(line);
    if (!isProse || /^\s*(#|[-*] |\d+\. |$|<!--)/.test(line)) end();
    if (isProse && line.trim() !== "" && !/^<!--/.test(line)) {
      if (text === "") begin = index + 1;
      text += `${line} `;
    } else if (!generated && !fenced && /^ *\|/.test(line)) {
      passages.push({ place: `${file}:${index + 1}`, text: line, isProse: false });
    }
    if (isFence) fenced = !fenced;
    if (/<!-- end/.test(line)) generated = false;
  }
  end();
  return passages;
}

/** The sentences of a passage. */
function sentencesOf(text: string): string[] {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/`[^`]*`/g, "Code")
    .split(/(?<=[.!?]["')*]*)\s+(?=[^a-z])/);
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const root = checkoutRoot();

const pages = [
  ...["README.md", "CONTRIBUTING.md", join("data", "README.md")],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md")).sort().map((file) => join("docs", file)),
].flatMap((file) => passagesOf(file, readFileSync(join(root, file), "utf8")));

const cellsOfNotebooks = readdirSync(join(root, "notebooks")).filter((file) =>
  file.endsWith(".ipynb")
).flatMap((file) => {
  const { cells } = JSON.parse(readFileSync(join(root, "notebooks", file), "utf8")) as {
    cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
  };
  return cells.flatMap(({ cell_type, source }, cell) =>
    cell_type === "markdown" ? passagesOf(`notebooks/${file} [${cell}]`, source.join("")) : []
  );
});

const captions = readdirSync(join(root, "figures"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("manifest.json")).flatMap((file): Passage[] => {
    const { exhibits } = JSON.parse(readFileSync(join(root, "figures", file), "utf8")) as {
      exhibits: Readonly<Record<string, { readonly caption: string }>>;
    };
    return Object.entries(exhibits).map(([id, { caption }]) => (
      { place: `figures/${file} ${id}`, text: caption, isCaption: true }
    ));
  });

Deno.test("words: pages, captions and help texts are found", () => {
  assert.ok(pages.length > 300, `${pages.length} passages`);
  assert.ok(captions.length > 50, `${captions.length} captions`);
});

Deno.test("words: a passage is cut into its sentences", () => {
  const page = "# A title\n\nOne two. Three,\nfour `five. six`.\n\n- Seven\n- eight\n\n" +
    "| nine |\n\n```ts\nten\n```\n";
  const found = passagesOf("a.md", page);
  assert.deepEqual(found.map(({ place }) => place), [
    "a.md:1",
    "a.md:3",
    "a.md:6",
    "a.md:7",
    "a.md:9",
  ]);
  assert.deepEqual(sentencesOf(found[1]?.text ?? "").map(wordsOf), [2, 3]);
});

Deno.test("words: no sentence, in a table or out, has more than 35 words, no caption more than 40", () => {
  const cells = pages.filter(({ isProse }) => !isProse).flatMap(({ place, text }) =>
    text.split("|").map((cell) => ({ place, text: cell.trim() }))
  );
  const prose = [...pages, ...cellsOfNotebooks].filter(({ isProse }) => isProse);
  const read: Passage[] = [...prose, ...cells, ...captions];
  const long = read.flatMap(({ place, text, isCaption }) => {
    const words = wordsOf(text);
    return [
      ...(isCaption && words > MAX_CAPTION ? [`${place}: a caption of ${words} words`] : []),
      ...sentencesOf(text).filter((sentence) => wordsOf(sentence) > MAX_SENTENCE).map((sentence) =>
        `${place}: ${wordsOf(sentence)} words: ${sentence.slice(0, 60)} …`
      ),
    ];
  });
  assert.deepEqual(long, []);
});

Deno.test("words: no page, caption or help text uses private words", async () => {
  const helps = await Promise.all(
    Object.keys(COMMANDS).map(async (name) => (
      { place: `./lab ${name} --help`, text: (await helpsOf(name)).join("\n") }
    )),
  );
  const found = [...pages, ...cellsOfNotebooks, ...captions, ...helps].flatMap((
    { place, text },
  ) =>
    PHRASES.flatMap(([phrase, better]) => {
      const [words] = text.replaceAll(/\s+/g, " ").match(new RegExp(phrase, "i")) ?? [];
      return words === undefined ? [] : [`${place}: "${words}": say "${better}"`];
    })
  );
  assert.deepEqual(found, []);
});
