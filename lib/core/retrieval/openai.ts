/** Embeddings models at OpenAI's or a compatible endpoint as embedders. */

import { UsageError } from "../errors.ts";
import type { Embedder, EmbedderContext, EmbedderEntry } from "./embedder.ts";

export const openai: EmbedderEntry = {
  id: "openai",
  description:
    "an embeddings model at OpenAI or, by OPENAI_BASE_URL, a compatible endpoint (vLLM, Ollama)",
  argument: "model",
  endpoint: true,
  open: (model, context) => Promise.resolve(createEndpointEmbedder(model, context)),
};

function createEndpointEmbedder(model: string, { embeddings }: EmbedderContext): Embedder {
  const id = `openai:${model}`;
  return {
    id,
    dimensions: 0,
    embed: () =>
      Promise.reject(
        new UsageError(
          `the embedder ${id} is asked in the episodes of a study: play one with --embedder ${id}`,
        ),
      ),
    forEpisode: async (episode, signal) => {
      if (!embeddings) {
        throw new UsageError(`the embedder ${id} needs a study, whose calls are metered`);
      }
      const embed = embeddings(model, { episode, signal });
      const dimensions = (await embed(["a"]))[0]?.length ?? 0;
      return {
        id,
        dimensions,
        embed: async (texts) =>
          (await embed(texts)).map((vector) => checked(vector, dimensions, id)),
      };
    },
  };
}

/** @throws {RangeError} if a vector is not as long as the first one was. */
function checked(vector: Float32Array, dimensions: number, id: string): Float32Array {
  if (vector.length === dimensions) return vector;
  throw new RangeError(
    `the embedder ${id} gave a vector of ${vector.length} numbers, and one of ${dimensions} before: is it still the same model?`,
  );
}
