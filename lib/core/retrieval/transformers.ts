/**
 * Sentence models on disk as embedders, by transformers.js. That package is large, so it is loaded
 * when the first of them is opened.
 */

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline as pump } from "node:stream/promises";
import { UsageError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { checkName } from "../text/did-you-mean.ts";
import type { Embedder, EmbedderEntry } from "./embedder.ts";

export const minilm: EmbedderEntry = {
  id: "minilm",
  description: "all-MiniLM-L6-v2, as ./lab model minilm builds it",
  open: () => createTransformersEmbedder({ folder: minilmFolder() }),
};

export const transformers: EmbedderEntry = {
  id: "transformers",
  description: "a sentence model on disk",
  argument: "folder of a model",
  open: (argument) => {
    const { name, device } = withDevice(argument);
    return createTransformersEmbedder({ folder: name, device });
  },
};

/**
 * The devices that a user may name; all but `cpu` need what ONNX Runtime asks for on this system.
 */
const DEVICES: readonly NonNullable<TransformersOptions["device"]>[] = [
  "cpu",
  "cuda",
  "webgpu",
  "dml",
  "coreml",
];

/** Reads `<name>?device=<device>`. @throws {UsageError} for an unknown device. */
export function withDevice(
  argument: string,
): { readonly name: string; readonly device?: TransformersOptions["device"] } {
  const [name = "", wanted] = argument.split("?device=");
  if (wanted !== undefined) checkName("device for embedders", wanted, DEVICES);
  return { name, device: wanted as TransformersOptions["device"] };
}

export function minilmFolder(): string {
  return join(checkoutRoot(), "data", "models", "minilm");
}

/** A sentence model, and how its token vectors become one vector. */
export interface TransformersOptions {
  /**
   * Folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`
   * (fp32).
   */
  readonly folder: string;
  /**
   * The mean of the token vectors (MiniLM, Contriever), or the vector of the first token (BGE).
   * @default {"mean"}
   */
  readonly pooling?: "mean" | "first";
  /** Largest number of tokens of a text, its opening and closing token included. @default {256} */
  readonly maxTokens?: number;
  /** The device that the model runs on. @default {"cpu"} */
  readonly device?: "cpu" | "cuda" | "webgpu" | "dml" | "coreml";
  /** The name in the id. @default `transformers-` and the folder's name */
  readonly name?: string;
}

/** Larger batches are no faster and cost memory. */
const BATCH = 32;

/**
 * Opens the model. Texts longer than `maxTokens` are cut and keep their closing token. The id names
 * the folder and the model's content.
 *
 * @throws {UsageError} if the folder lacks one of the files or the model cannot be loaded.
 */
export async function createTransformersEmbedder(options: TransformersOptions): Promise<Embedder> {
  const { pooling = "mean", maxTokens = 256, device = "cpu" } = options;
  const folder = resolve(options.folder);
  const { name = `transformers-${basename(folder)}` } = options;
  const model = join(folder, "onnx", "model.onnx");
  for (
    const file of [
      join(folder, "config.json"),
      join(folder, "tokenizer.json"),
      join(folder, "tokenizer_config.json"),
      model,
    ]
  ) {
    if (!existsSync(file)) {
      throw new UsageError(
        `cannot open the sentence model in ${folder}: ${file} is missing; the folder must hold config.json, tokenizer.json, ` +
          `tokenizer_config.json and onnx/model.onnx; ./lab model minilm builds one`,
      );
    }
  }
  const { env, pipeline, Tensor } = await import("@huggingface/transformers");
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  const extractor = await pipeline("feature-extraction", basename(folder), {
    dtype: "fp32",
    device,
    ...(existsSync(`${model}_data`) && { use_external_data_format: true }),
  }).catch((error: Error) => {
    const why = error.message.replaceAll(/\s+/g, " ").trim();
    const remedy = device === "cpu"
      ? ""
      : `; leave ?device=${device} out, or see "Embedders on a graphics card" in docs/how-to/use-a-model.md`;
    throw new UsageError(`cannot open the sentence model in ${folder}: ${why}${remedy}`, {
      cause: error,
    });
  });

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    const tokens = texts.map((text) => cut(extractor.tokenizer.encode(text), maxTokens));
    const width = Math.max(...tokens.map((ids) => ids.length));
    const grid = (value: (ids: number[], at: number) => number): InstanceType<typeof Tensor> =>
      new Tensor(
        "int64",
        BigInt64Array.from(
          tokens.flatMap((ids) => Array.from({ length: width }, (_, at) => BigInt(value(ids, at)))),
        ),
        [tokens.length, width],
      );
    const output = await extractor.model({
      input_ids: grid((ids, at) => ids[at] ?? 0),
      attention_mask: grid((ids, at) => at < ids.length ? 1 : 0),
    });
    const { data, dims } = (output.last_hidden_state ?? output.token_embeddings) as {
      data: Float32Array;
      dims: number[];
    };
    const size = dims[2] as number;
    return tokens.map((ids, i) => {
      const start = i * width * size;
      return pooled(data.subarray(start, start + width * size), {
        size,
        tokens: pooling === "first" ? 1 : ids.length,
      });
    });
  }

  return {
    id: `${name}-${pooling}-${maxTokens}-${(await sha256(model)).slice(0, 12)}`,
    dimensions: (await embedBatch(["a"]))[0]?.length ?? 0,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        vectors.push(...await embedBatch(texts.slice(at, at + BATCH)));
      }
      return vectors;
    },
  };
}

/** The library's own truncation loses the closing mark, which moves the vector. */
function cut(ids: number[], most: number): number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1) as number];
}

function pooled(
  hidden: Float32Array,
  { size, tokens }: { size: number; tokens: number },
): Float32Array {
  const mean = new Float32Array(size);
  for (let token = 0; token < tokens; token++) {
    for (let i = 0; i < size; i++) {
      mean[i] = (mean[i] as number) + (hidden[token * size + i] as number) / tokens;
    }
  }
  return mean;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pump(createReadStream(file), hash);
  return hash.digest("hex");
}
