/**
 * The embedders that can be named on the command line and in a study. A new one is one file and one line here.
 *
 * @module
 */

import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { projectRoot } from "../platform.ts";
import type { Embedder } from "./embedder.ts";
import { createLexicalEmbedder } from "./lexical.ts";
import { createTransformersEmbedder } from "./transformers.ts";

/** Where `./lab model minilm` puts all-MiniLM-L6-v2. */
export const MINILM_FOLDER: string = join(projectRoot, "data", "models", "minilm");

/** Kind → what opens it. An embedder is named `lexical`, `minilm`, or `transformers:<folder>`: what stands after the colon is the argument. */
export const EMBEDDERS: Readonly<Record<string, (argument: string) => Promise<Embedder>>> = {
  lexical: () => Promise.resolve(createLexicalEmbedder()),
  minilm: () => createTransformersEmbedder({ folder: MINILM_FOLDER }),
  transformers: (folder) => createTransformersEmbedder({ folder }),
};

/**
 * Opens an embedder by its name.
 *
 * @example
 * ```ts
 * import { openEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * assert.equal((await openEmbedder("lexical")).id, "lexical-v1");
 * ```
 *
 * @throws {UsageError} if there is none of that name, or it cannot be opened.
 */
export async function openEmbedder(name: string): Promise<Embedder> {
  const [kind, argument] = name.split(/:(.*)/s, 2);
  const open = kind !== undefined && Object.hasOwn(EMBEDDERS, kind) ? EMBEDDERS[kind] : undefined;
  if (!open) {
    throw new UsageError(`there is no embedder ${JSON.stringify(name)}; choose lexical, minilm or transformers:<folder of a model>`);
  }
  if (kind === "transformers" && !argument) throw new UsageError("transformers needs a model's folder: transformers:<folder>");
  return await open(argument ?? "");
}
