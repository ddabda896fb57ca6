import { UsageError } from "../errors.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { type Registry, registryOf } from "../text/registry.ts";
import type { Embedder, EmbedderContext, EmbedderEntry } from "./embedder.ts";
import * as list from "./embedder-list.ts";

/** All embedders by id. */
export const EMBEDDERS: Registry<EmbedderEntry> = registryOf<EmbedderEntry>(list);

/**
 * Opens an embedder by its name: its id or, where it takes an argument, `<id>:<argument>`.
 *
 * @example
 * ```ts
 * import { openEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * assert.equal((await openEmbedder("lexical")).id, "lexical-v1");
 * ```
 *
 * @param context what an embedder at an endpoint is opened with; a study hands it in
 * @throws {UsageError} if there is no embedder of that name, or it cannot be opened.
 */
export async function openEmbedder(name: string, context: EmbedderContext = {}): Promise<Embedder> {
  const { entry, id, argument } = entryOf(name);
  if (!entry) {
    const names = Object.values(EMBEDDERS).map((one) =>
      one.argument === undefined ? one.id : `${one.id}:<${one.argument}>`
    );
    throw new UsageError(
      `there is no embedder ${JSON.stringify(name)}${
        didYouMean(id, Object.keys(EMBEDDERS))
      }; choose ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
    );
  }
  if (entry.argument !== undefined && argument === "") {
    throw new UsageError(`the embedder ${id} needs an argument; write ${id}:<${entry.argument}>`);
  }
  if (entry.argument === undefined && argument !== "") {
    throw new UsageError(`the embedder ${id} takes no argument; write ${id}`);
  }
  return await entry.open(argument, context);
}

export function endpointModelOf(name: string): string | undefined {
  const { entry, argument } = entryOf(name);
  return entry?.endpoint && argument !== "" ? argument : undefined;
}

function entryOf(
  name: string,
): { readonly entry: EmbedderEntry | undefined; readonly id: string; readonly argument: string } {
  const [id = "", argument = ""] = name.split(/:(.*)/s, 2);
  return { entry: Object.hasOwn(EMBEDDERS, id) ? EMBEDDERS[id] : undefined, id, argument };
}
