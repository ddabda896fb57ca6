/** How each command reads its words: every option of every command, good values and bad ones. */

import assert from "node:assert/strict";
import { type Main, readWords } from "../../../lib/apps/cli/command.ts";
import { COMMANDS } from "../../../lib/apps/cli/commands.ts";
import { lab } from "./captured.ts";

/** The command that a line begins with, and the words after it. */
async function split(line: string): Promise<{ main: Main; words: string[] }> {
  const [name = "", ...words] = line.split(" ");
  const { main } = await import(`../../../lib/apps/cli/${name}.ts`) as { main: Main };
  const below = main.spec.commands?.[words[0] ?? ""];
  return below ? { main: below, words: words.slice(1) } : { main, words };
}

async function read(line: string): Promise<unknown> {
  const { main: { spec }, words } = await split(line);
  const { values, words: others } = readWords(spec, words);
  return { ...values, words: others };
}

const RUN = { replies: "record", inFlight: "auto", retry: false, fresh: false, json: false };
const PAGE = { port: 0, host: "127.0.0.1", open: false };

/** Command line → the values of its options, and its words. */
const READ: Readonly<Record<string, object>> = {
  "reproduce": { ...RUN, full: false, dryRun: false, words: [] },
  "reproduce arigraph wese --full --dry-run --figures F": {
    ...{ ...RUN, full: true, dryRun: true, figures: "F", words: ["arigraph", "wese"] },
  },
  "study arigraph-quick --only hunt,arigraph --only act --games G --attempts 3 --episodes 2 --steps=5":
    {
      ...{
        ...RUN,
        dryRun: false,
        only: ["hunt,arigraph", "act"],
        games: "G",
        attempts: 3,
        episodes: 2,
        steps: 5,
      },
      words: ["arigraph-quick"],
    },
  "reproduce wese --store S --models gpt-4o --param a=1 --param=wese/act.b=2 --budget 2.5": {
    ...{
      ...RUN,
      full: false,
      dryRun: false,
      store: "S",
      models: "gpt-4o",
      param: ["a=1", "wese/act.b=2"],
    },
    ...{ budget: { dollars: 2.5 }, words: ["wese"] },
  },
  "reproduce --concurrency 2 --in-flight 7 --replies replay --shard 2/3 --retry --fresh --json": {
    ...{
      full: false,
      dryRun: false,
      concurrency: 2,
      inFlight: 7,
      replies: "replay",
      shard: { part: 2, count: 3 },
      retry: true,
      fresh: true,
    },
    ...{ json: true, words: [] },
  },
  "study arigraph-full@gpt-4o --dry-run --budget tokens:900 --replies off --in-flight auto": {
    ...{
      ...RUN,
      dryRun: true,
      budget: { tokens: 900 },
      replies: "off",
      words: ["arigraph-full@gpt-4o"],
    },
  },
  "study wese-quick --store S --models m --param t=0 --embedder e --prompts p --concurrency 1 --retry --fresh --json":
    {
      ...{
        ...RUN,
        dryRun: false,
        store: "S",
        models: "m",
        param: ["t=0"],
        embedder: "e",
        prompts: "p",
        concurrency: 1,
      },
      ...{ retry: true, fresh: true, json: true, words: ["wese-quick"] },
    },
  "study wese-quick --memory rag --ray local --shards 3": {
    memory: "rag",
    ...{ ...RUN, dryRun: false, ray: "local", shards: 3, words: ["wese-quick"] },
  },
  "study wese-quick --shard 1/2": {
    ...RUN,
    dryRun: false,
    shard: { part: 1, count: 2 },
    words: ["wese-quick"],
  },
  "test": { slow: false, words: [] },
  "test --slow lint types": { slow: true, words: ["lint", "types"] },
  "notebook 01 --no-browser --port 8888": {
    run: false,
    fresh: false,
    install: false,
    browser: false,
    port: 8888,
    words: ["01"],
  },
  "notebook --run -p a=1 --parameter b=x=y -pc=2 --to T --fresh one two": {
    ...{
      run: true,
      parameter: ["a=1", "b=x=y", "c=2"],
      to: "T",
      fresh: true,
      install: false,
      browser: true,
      words: ["one", "two"],
    },
  },
  "notebook --install": { run: false, fresh: false, install: true, browser: true, words: [] },
  "worlds --json": { json: true, words: [] },
  "play textworld/hunt stepLimit=2 --seed 4 --store S": {
    ...{ ...PAGE, web: false, seed: "4", store: "S", words: ["textworld/hunt", "stepLimit=2"] },
  },
  "play --web --port 80 --host ::1 --open": {
    web: true,
    port: 80,
    host: "::1",
    open: true,
    words: [],
  },
  "show": { json: false, words: [] },
  "show 12ab 0.3 --pictures P --store S --json": {
    pictures: "P",
    store: "S",
    json: true,
    words: ["12ab", "0.3"],
  },
  "view --store S --port 8080 --host 0.0.0.0 --open": {
    store: "S",
    port: 8080,
    host: "0.0.0.0",
    open: true,
    words: [],
  },
  "pack wese --data D": { data: "D", json: false, words: ["wese"] },
  "pack wese a@b --out O --store S --json": {
    out: "O",
    store: "S",
    json: true,
    words: ["wese", "a@b"],
  },
  "verify": { json: false, words: [] },
  "verify a.md b.svg --store S --json": { store: "S", json: true, words: ["a.md", "b.svg"] },
  "merge O A B --json": { json: true, words: ["O", "A", "B"] },
  "replay arigraph logs more --games G --games H --json": {
    ...{ games: ["G", "H"], json: true, words: ["arigraph", "logs", "more"] },
  },
  "ged a.json b.json --limit 9 --seconds 2.5 --json": {
    limit: 9,
    seconds: 2.5,
    json: true,
    words: ["a.json", "b.json"],
  },
  "ged -- -a.json --b.json": { json: false, words: ["-a.json", "--b.json"] },
  "serve": { bind: "tcp://127.0.0.1:*", lease: 3600, maxSessions: 64, network: false, words: [] },
  "serve --bind tcp://0.0.0.0:5 --keys K --lease 1.5 --max-sessions 2 --client-sessions 1 --games G --games H --memory-mb 9 --cpu-seconds 8 --network":
    {
      ...{
        bind: "tcp://0.0.0.0:5",
        keys: "K",
        lease: 1.5,
        maxSessions: 2,
        clientSessions: 1,
        games: ["G", "H"],
        memoryMb: 9,
      },
      ...{ cpuSeconds: 8, network: true, words: [] },
    },
  "keys K --add A": { add: "A", words: ["K"] },
  "keys K --revoke A": { revoke: "A", words: ["K"] },
  "model minilm --from F --to T": { from: "F", to: "T", words: ["minilm"] },
  "model gguf a.gguf --context 512 --threads 2": {
    context: 512,
    threads: 2,
    words: ["gguf", "a.gguf"],
  },
  "data --json": { json: true, words: [] },
  "bench search view --json": { json: true, words: ["search", "view"] },
  "bench replies --models m --param seed=1 --asks 3 --role a/b --role c/* --minutes 5 --to T --store S":
    {
      ...{
        models: "m",
        param: ["seed=1"],
        asks: 3,
        role: ["a/b", "c/*"],
        minutes: 5,
        to: "T",
        store: "S",
        json: false,
        words: [],
      },
    },
};

for (const [line, wanted] of Object.entries(READ)) {
  Deno.test(`readWords() reads ${line.slice(0, 70)}`, async () =>
    assert.deepEqual(await read(line), wanted));
}

Deno.test("the table above has every command and every option", async () => {
  for (const name of Object.keys(COMMANDS)) {
    const lines = Object.keys(READ).filter((line) => line.split(" ")[0] === name);
    assert.notEqual(lines.length, 0, name);
    const { main: { spec } } = await split(name);
    const texts = await Promise.all(
      lines.map(async (line) => Object.keys(await read(line) as object)),
    );
    assert.deepEqual(
      Object.keys(spec.options ?? {}).filter((key) => !texts.flat().includes(key)),
      [],
      name,
    );
  }
});

/** Command line → what its one line on standard error says. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "reproduc": /no command "reproduc"; did you mean "reproduce"\?/,
  "dance": /no command "dance"; there are reproduce, test/,
  "help shwo": /did you mean "show"\?/,
  "--verison": /no command "--verison"; did you mean "--version"\?/,
  "reproduce --modles x":
    /unknown option '--modles'; did you mean --models\?; see \.\/lab reproduce --help/,
  "bench --nonsense": /^lab: unknown option '--nonsense'; see \.\/lab bench --help\n$/,
  "reproduce argiraph": /no paper "argiraph"; did you mean "arigraph"\?/,
  "reproduce --budget abc": /--budget must be a positive number, not "abc"/,
  "reproduce --budget tokens:1.5": /--budget tokens: must be a positive whole number, not "1\.5"/,
  "study wese-quick --dry-run --in-flight 0":
    /--in-flight must be a positive whole number, not "0"/,
  "study wese-quick --dry-run --concurrency 1.5":
    /--concurrency must be a positive whole number, not "1\.5"/,
  "study wese-quick --dry-run --budget 0": /--budget must be a positive number, not "0"/,
  "study wese-quick --dry-run --replies recrod":
    /unknown --replies "recrod"; did you mean "record"\?/,
  "study wese-quik": /no study "wese-quik"; did you mean "wese-quick"\?/,
  "study": /missing required argument 'id'; see/,
  "study wese-quick wese-full": /unexpected "wese-full"; see/,
  "study graphmind-quick --only open-dor": /did you mean "open-door"\?/,
  "reproduce wese --models tody --store :memory:": /no key for tody.*did you mean "today"\?/,
  "study wese-quick --embedder lexicl --store :memory:":
    /no embedder "lexicl"; did you mean "lexical"\?/,
  "reproduce wese --models paper --param maxTokns=3":
    /no parameter "maxTokns" for --param; did you mean "maxTokens"\?/,
  "reproduce wese --models paper --param wese/explroe.maxTokens=3":
    /role "wese\/explroe" .*did you mean "wese\/explore"\?/,
  "study wese-quick --attempts 20000": /--attempts must be a whole number from 1 to 10000/,
  "study wese-quick --steps x": /--steps must be a positive whole number, not "x"/,
  "reproduce wese --store a --store b": /--store is given twice/,
  "reproduce wese --store": /option '--store <file>' argument missing/,
  "reproduce wese --store --json": /--store needs a value, <file>, before --json/,
  "reproduce wese --models=": /--models needs a value, <id\|map\|file>/,
  "replay arigrap f": /no system "arigrap"; did you mean "arigraph"\?/,
  "model mnilm": /no model "mnilm"; did you mean "minilm"\?/,
  "model gguf": /a file goes with gguf/,
  "bench serach": /no benchmark "serach"; did you mean "search"\?/,
  "test lnit": /no check "lnit"; did you mean "lint"\?/,
  "notebook --port -1": /--port must be a number up to 65535, not "-1"/,
  "notebook --run --port 80": /--port <N>. cannot be used with option .--run/,
  "notebook --fresh": /--fresh goes with --run: add it/,
  "view --port 70000": /--port must be a number up to 65535/,
  "play --open textworld/hunt": /are for --web/,
  "play": /\.\/lab play needs a world/,
  "show 1 --pictures P": /--pictures writes those of one step/,
  "ged a b --limit 0": /--limit must be a positive whole number, not "0"/,
  "serve --bind here": /--bind must be tcp:\/\/ADDRESS:PORT/,
  "serve --max-sessions 1e9.5": /--max-sessions must be a positive whole number/,
};

for (const [line, wanted] of Object.entries(REFUSED)) {
  Deno.test(`main() refuses ${line} with one line before anything runs`, async () => {
    const { status, out, err } = await lab(...line.split(" "));
    assert.deepEqual([status, out], [2, ""]);
    assert.match(err, /^lab: [^\n]+\n$/);
    assert.match(err, wanted);
  });
}
