import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkoutRoot } from "../../lib/platform.ts";
import { OFFLINE_RULES } from "../../lib/offline/backbone.ts";
import { createOfflineProvider, createReaderProvider } from "../../lib/offline/provider.ts";
import { chanceOfUse, readerProfiles } from "../../lib/offline/profiles.ts";
import { wilsonInterval } from "../../lib/stats/shares.ts";
import { countTokens } from "../../lib/text/tokens.ts";
import { wantsSlow } from "../slow.ts";

/** A fact that shares no content word with the question, and one that shares "dresden". */
const NEEDLE = "Yuki lives beside the Semper opera.";
const LITERAL = "Yuki was seen in Dresden.";
const QUESTION = "Which character has been to Dresden?";
/** One sentence of filler, which shares no word with the question. */
const FILLER = `${"The river ran past quiet meadows while grey herons stood among tall reeds and waited, ".repeat(8)}and evening came.`;

/** Answers whether each needle is in the text that is read. */
const seeker = {
  role: "demo/seek",
  answer: ({ sections }: { readonly sections: Readonly<Record<string, string>> }) =>
    [NEEDLE, LITERAL].map((needle) => Number(sections["Book"]?.includes(needle) ?? false)).join(" "),
};

/** A prompt of so many tokens with both facts in its middle. */
async function haystack(tokens: number): Promise<string> {
  const rest = tokens - await countTokens(`### Book\n${NEEDLE}\n${LITERAL}\n\n### Question\n${QUESTION}`);
  const lines = Math.round(rest / (await countTokens(`${FILLER}\n`)));
  const part = (count: number): string => `${FILLER}\n`.repeat(count);
  return `### Book\n${part(Math.floor(lines / 2))}${NEEDLE}\n${LITERAL}\n${part(Math.ceil(lines / 2))}\n\n### Question\n${QUESTION}`;
}

/** How often a reader uses the fact without and with shared words, of `seeds` × 400 draws. */
async function accuracy(model: string, content: string, seeds: number): Promise<{ readonly n: number; readonly used: readonly number[] }> {
  const provider = createReaderProvider({ responders: [seeker] });
  const used = [0, 0];
  for (let attempt = 1; attempt <= seeds; attempt++) {
    const opened = provider.open(model, {}, { attempt });
    const { choices } = await opened.model.chat({ role: "demo/seek", n: 400, messages: [{ role: "user", content }] });
    for (const { text } of choices) text.split(" ").forEach((found, i) => used[i] = (used[i] ?? 0) + Number(found));
  }
  return { n: seeds * 400, used };
}

/** Whether a share lies in the interval of a count, of which one in a thousand tests of so many comparisons shows one outside. */
function assertShare(count: number, n: number, share: number, what: string, comparisons = 1): void {
  const { low, high } = wilsonInterval(count, n, { level: 1 - 0.001 / comparisons });
  assert.ok(share >= low && share <= high, `${what}: ${count} of ${n}, wanted ${share}`);
}

const [header = "", ...rows] = readFileSync(`${checkoutRoot()}data/papers/nolima_scores.csv`, "utf8").trim().split("\n").slice(1);
const lengths = header.split(",").slice(2).map(Number);
/** The printed percentages of a model: base, then one a length. */
function printed(model: string): number[] {
  return (rows.find((row) => row.startsWith(`${model},`)) ?? "").split(",").slice(1).map(Number);
}

/** Those that the studies are played with. */
const STUDIED = ["GPT-4o", "Claude 3.5 Sonnet", "Command R+", "Llama 3.1 8B"];

Deno.test("each reader finds a needle as often as NoLiMa prints at each length", async () => {
  const all = wantsSlow("readers that no study is played with");
  const comparisons = 2 * rows.length * lengths.length;
  for (const [i, tokens] of lengths.entries()) {
    const content = await haystack(tokens);
    for (const name of all ? rows.map((row) => row.split(",")[0] ?? "") : STUDIED) {
      const [base = NaN, ...scores] = printed(name);
      const model = `reader:${name.toLowerCase().replaceAll(" ", "-").replace("+", "-plus")}`;
      const { n, used: [hidden = NaN, literal = NaN] } = await accuracy(model, content, 1);
      assertShare(hidden, n, (scores[i] ?? NaN) / 100, `${model}, ${tokens} tokens, no word shared`, comparisons);
      assertShare(literal, n, base / 100, `${model}, ${tokens} tokens, a word shared`, comparisons);
    }
  }
});

Deno.test("a reader's accuracy is interpolated in log tokens and flat beyond the table's ends", async () => {
  const scores = printed("Command R+").slice(1).map((percent) => percent / 100);
  const [shortest = NaN, , , fourth = NaN, fifth = NaN, longest = NaN] = scores;
  const middle = Math.round(Math.sqrt(8000 * 16_000)); // in log tokens; in tokens it would be 12,000
  for (const [tokens, share] of [[middle, (fourth + fifth) / 2], [300, shortest], [40_000, longest]] as const) {
    const { n, used: [hidden = NaN] } = await accuracy("reader:command-r-plus", await haystack(tokens), 1);
    assertShare(hidden, n, share, `${tokens} tokens`);
  }
  const profile = readerProfiles().get("command-r-plus");
  assert.ok(profile);
  assert.ok(Math.abs(chanceOfUse(profile, Math.sqrt(8000 * 16_000), false) - (fourth + fifth) / 2) < 1e-9);
});

Deno.test("a better reader uses whatever a worse one uses, and a repeated call repeats itself", async () => {
  const content = await haystack(8000);
  const provider = createReaderProvider({ responders: [seeker] });
  const read = async (name: string, reAsk?: number): Promise<string[]> => {
    const { model } = provider.open(`reader:${name}`, {}, { attempt: 1 });
    const request = { role: "demo/seek", n: 100, sample: { attempt: 1, reAsk }, messages: [{ role: "user" as const, content }] };
    return (await model.chat(request)).choices.map(({ text }) => text);
  };
  const [worse, better, perfect] = await Promise.all(["llama-3.1-8b", "gpt-4o", "perfect"].map((name) => read(name)));
  const missed = worse?.filter((text, i) => text.startsWith("1") && !better?.[i]?.startsWith("1"));
  assert.deepEqual(missed, []);
  assert.deepEqual(new Set(perfect), new Set(["1 1"]));
  assert.deepEqual(await read("llama-3.1-8b"), worse);
  assert.notDeepEqual(await read("llama-3.1-8b", 1), worse);
});

Deno.test("a reader's rules and table are part of an episode's identity, and offline's identity has none of them", () => {
  const { knobs, offlineRules, ...more } = createReaderProvider().identity?.({}, []) ?? {};
  assert.deepEqual([knobs, offlineRules], [{}, OFFLINE_RULES]);
  assert.match(String(more["readerRules"]), /^1 [0-9a-f]{8}$/);
  assert.deepEqual(createOfflineProvider().identity?.({}, []), { knobs: {}, offlineRules: OFFLINE_RULES });
  assert.ok(createReaderProvider().serves("reader:gpt-4o") && !createOfflineProvider().serves("reader:gpt-4o"));
});

Deno.test("readerProfiles() has the twelve models of the table and perfect", () => {
  assert.equal(readerProfiles().size, 13);
  assert.equal(rows.length, 12);
  for (const { base, curve } of readerProfiles().values()) assert.ok(base > 0.7 && curve.every(({ chance }) => chance > 0 && chance < 1));
});

Deno.test("createReaderProvider() refuses an unknown reader or error and names what there is", () => {
  const check = (model: string): void => createReaderProvider().check?.(model, {}, { attempt: 1 });
  check("reader:llama-3.1-8b,missed-triplet=10,slipped-action=2.5");
  assert.throws(() => check("reader:llama3-8b"), { name: "UsageError", message: /did you mean reader:llama-3.1-8b\?/ });
  assert.throws(() => check("reader:"), { name: "UsageError", message: /there are perfect, gpt-4o/ });
  assert.throws(() => check("reader:gpt-4o,missed-doors=1"), { name: "UsageError", message: /missed-door/ });
  assert.throws(() => check("reader:gpt-4o,missed-door=101"), { name: "UsageError", message: /0 to 100/ });
  assert.throws(() => check("reader:gpt-4o,missed-door=5=99"), { name: "UsageError", message: /there is no error "missed-door=5=99"/ });
  assert.throws(() => check("reader:gpt-4o,missed-door=1,missed-door=5"), {
    name: "UsageError",
    message: /the error missed-door is given twice/,
  });
});
