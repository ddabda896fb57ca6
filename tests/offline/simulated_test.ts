import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { OFFLINE_RULES } from "../../lib/offline/stand-in.ts";
import { createOfflineProvider, createSimulatedProvider } from "../../lib/offline/provider.ts";
import { chanceOfUse, simulatedPlayers } from "../../lib/offline/profiles.ts";
import { clusteredWilsonInterval } from "../../lib/core/stats/shares.ts";
import { countTokens } from "../../lib/core/text/tokens.ts";
import { wantsSlow } from "../slow.ts";

/** A fact that shares no content word with the question, and one that shares "dresden". */
const NEEDLE = "Yuki lives beside the Semper opera.";
const LITERAL = "Yuki was seen in Dresden.";
const QUESTION = "Which character has been to Dresden?";
/** One sentence of filler, which shares no word with the question. */
const FILLER = `${
  "The river ran past quiet meadows while grey herons stood among tall reeds and waited, ".repeat(8)
}and evening came.`;

/** Answers whether each needle is in the text that is read. */
const seeker = {
  role: "demo/seek",
  answer: ({ sections }: { readonly sections: Readonly<Record<string, string>> }) =>
    [NEEDLE, LITERAL].map((needle) => Number(sections["Book"]?.includes(needle) ?? false)).join(
      " ",
    ),
};

/** A prompt of so many tokens with both facts in its middle. */
async function haystack(tokens: number): Promise<string> {
  const rest = tokens -
    await countTokens(`### Book\n${NEEDLE}\n${LITERAL}\n\n### Question\n${QUESTION}`);
  const lines = Math.round(rest / (await countTokens(`${FILLER}\n`)));
  const part = (count: number): string => `${FILLER}\n`.repeat(count);
  return `### Book\n${part(Math.floor(lines / 2))}${NEEDLE}\n${LITERAL}\n${
    part(Math.ceil(lines / 2))
  }\n\n### Question\n${QUESTION}`;
}

/** How often a reader uses the fact without and with shared words, of `seeds` × 400 draws. */
async function accuracy(
  model: string,
  content: string,
  seeds: number,
): Promise<{ readonly n: number; readonly used: readonly number[] }> {
  const provider = createSimulatedProvider({ responders: [seeker] });
  const used = [0, 0];
  for (let attempt = 1; attempt <= seeds; attempt++) {
    const opened = provider.open(model, {}, { attempt });
    const { choices } = await opened.model.chat({
      role: "demo/seek",
      n: 400,
      messages: [{ role: "user", content }],
    });
    for (const { text } of choices) {
      text.split(" ").forEach((found, i) => used[i] = (used[i] ?? 0) + Number(found));
    }
  }
  return { n: seeds * 400, used };
}

/**
 * Whether a share lies in the interval of a count, of which one in a thousand tests of so many
 * comparisons shows one outside.
 */
function assertShare(count: number, n: number, share: number, what: string, comparisons = 1): void {
  const { low, high } = clusteredWilsonInterval(
    Array.from({ length: n }, (_, i) => [i < count]),
    { level: 1 - 0.001 / comparisons },
  );
  assert.ok(share >= low && share <= high, `${what}: ${count} of ${n}, wanted ${share}`);
}

const [header = "", ...rows] = readFileSync(
  `${checkoutRoot()}data/papers/nolima_scores.csv`,
  "utf8",
).trim().split("\n").slice(1);
const lengths = header.split(",").slice(2).map(Number);
/** Name of a player → the printed percentages that it follows: base, then one a length. */
const PRINTED = new Map(
  rows.map((row) => row.split(",").slice(1).map(Number)).map((
    row,
  ) => [(row[0] ?? NaN).toFixed(0), row]),
);

/** Those that are always tried. */
const SOME = ["99", "88", "91", "77"];

Deno.test("each simulated player finds a needle as often as NoLiMa prints at each length", async () => {
  const all = wantsSlow("the other simulated players");
  const comparisons = 2 * rows.length * lengths.length;
  for (const [i, tokens] of lengths.entries()) {
    const content = await haystack(tokens);
    for (const name of all ? PRINTED.keys() : SOME) {
      const [base = NaN, ...scores] = PRINTED.get(name) ?? [];
      const model = `sim:${name}`;
      const { n, used: [hidden = NaN, literal = NaN] } = await accuracy(model, content, 1);
      assertShare(
        hidden,
        n,
        (scores[i] ?? NaN) / 100,
        `${model}, ${tokens} tokens, no word shared`,
        comparisons,
      );
      assertShare(literal, n, base / 100, `${model}, ${tokens} tokens, a word shared`, comparisons);
    }
  }
});

Deno.test("a simulated player's accuracy is interpolated in log tokens and flat beyond the table's ends", async () => {
  const scores = PRINTED.get("91")?.slice(1).map((percent) => percent / 100) ?? [];
  const [shortest = NaN, , , fourth = NaN, fifth = NaN, longest = NaN] = scores;
  const middle = Math.round(Math.sqrt(8000 * 16_000)); // in log tokens; in tokens it would be 12,000
  for (
    const [tokens, share] of [[middle, (fourth + fifth) / 2], [300, shortest], [
      40_000,
      longest,
    ]] as const
  ) {
    const { n, used: [hidden = NaN] } = await accuracy("sim:91", await haystack(tokens), 1);
    assertShare(hidden, n, share, `${tokens} tokens`);
  }
  const profile = simulatedPlayers().get("91");
  assert.ok(profile);
  assert.ok(
    Math.abs(chanceOfUse(profile, Math.sqrt(8000 * 16_000), false) - (fourth + fifth) / 2) < 1e-9,
  );
});

Deno.test("a better player uses whatever a worse one uses, and a repeated call repeats itself", async () => {
  const content = await haystack(8000);
  const provider = createSimulatedProvider({ responders: [seeker] });
  const read = async (name: string, reAsk?: number): Promise<string[]> => {
    const { model } = provider.open(`sim:${name}`, {}, { attempt: 1 });
    const request = {
      role: "demo/seek",
      n: 100,
      sample: { attempt: 1, reAsk },
      messages: [{ role: "user" as const, content }],
    };
    return (await model.chat(request)).choices.map(({ text }) => text);
  };
  const [worse, better, perfect] = await Promise.all(
    ["77", "99", "perfect"].map((name) => read(name)),
  );
  const missed = worse?.filter((text, i) => text.startsWith("1") && !better?.[i]?.startsWith("1"));
  assert.deepEqual(missed, []);
  assert.deepEqual(new Set(perfect), new Set(["1 1"]));
  assert.deepEqual(await read("77"), worse);
  assert.notDeepEqual(await read("77", 1), worse);
});

Deno.test("a simulated player's rules and table are part of an episode's identity, and offline's identity has none of them", () => {
  const { modelOptions, offlineRules, ...more } = createSimulatedProvider().identity?.({}, []) ??
    {};
  assert.deepEqual([modelOptions, offlineRules], [{}, OFFLINE_RULES]);
  assert.match(String(more["simulationRules"]), /^1 [0-9a-f]{8}$/);
  assert.deepEqual(createOfflineProvider().identity?.({}, []), {
    modelOptions: {},
    offlineRules: OFFLINE_RULES,
  });
  assert.ok(
    createSimulatedProvider().serves("sim:99") && !createOfflineProvider().serves("sim:99"),
  );
});

Deno.test("simulatedPlayers() are named by the base scores of the table, one a row, as docs/explanation/stand-in.md says", () => {
  assert.deepEqual([...simulatedPlayers().keys()], ["perfect", ...PRINTED.keys()]);
  assert.equal(PRINTED.size, rows.length, "two rows give one name");
  const documented = readFileSync(`${checkoutRoot()}docs/explanation/stand-in.md`, "utf8");
  for (const row of rows) {
    const [model, base, ...scores] = row.split(",");
    const line = `| \`sim:${Math.round(Number(base))}\` | ${
      [model, base, ...scores].join(" | ")
    } |`;
    assert.ok(documented.includes(line), line);
  }
  for (const { base, curve } of simulatedPlayers().values()) {
    assert.ok(base > 0.7 && curve.every(({ chance }) => chance > 0 && chance < 1));
  }
});

Deno.test("createSimulatedProvider() refuses an unknown player or error and names what there is", () => {
  const check = (model: string): void =>
    createSimulatedProvider().check?.(model, {}, { attempt: 1 });
  check("sim:77,missed-triplet=10,missed-door=2.5");
  assert.throws(() => check("sim:perfct"), {
    name: "UsageError",
    message: /did you mean sim:perfect\?/,
  });
  assert.throws(() => check("sim:"), { name: "UsageError", message: /there are perfect, 99, 97/ });
  assert.throws(() => check("sim:99,missed-doors=1"), {
    name: "UsageError",
    message: /missed-door/,
  });
  assert.throws(() => check("sim:99,missed-door=101"), { name: "UsageError", message: /0 to 100/ });
  assert.throws(() => check("sim:99,missed-door=5=99"), {
    name: "UsageError",
    message: /there is no error "missed-door=5=99"/,
  });
  assert.throws(() => check("sim:99,missed-door=1,missed-door=5"), {
    name: "UsageError",
    message: /the error missed-door is given twice/,
  });
});
