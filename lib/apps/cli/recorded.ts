/** What `./lab reproduce` replays unless told who plays (`data/records/studies.ts`). */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import type { Study } from "../../lab/study.ts";
import { openPack, type Pack } from "../../lab/unpack.ts";
import type { PaperPart } from "../../papers/parts.ts";

export interface ReproducedPart extends PaperPart {
  readonly paper: string;
  /** Of a recorded study: who played, and the replies. */
  readonly player?: string;
  readonly packs?: readonly Pack[];
}

interface Plan {
  readonly PLAYER: string;
  readonly RECORDED: Readonly<Record<string, Study>>;
  readonly NOTEBOOKS: Readonly<Record<string, string>>;
}

/** The studies of some papers of which there are replies. @throws {UsageError} if none are. */
export async function recordedParts(papers: readonly string[]): Promise<ReproducedPart[]> {
  const root = join(checkoutRoot(), "data", "records");
  const plan: Plan = await import(pathToFileURL(join(root, "studies.ts")).href);
  const parts = Object.entries(plan.RECORDED).flatMap(([name, study]) => {
    const [paper = ""] = name.split("-");
    const folder = join(root, plan.PLAYER, name);
    const notebook = plan.NOTEBOOKS[paper];
    if (!papers.includes(paper) || !notebook || !existsSync(folder)) return [];
    const packs = readdirSync(folder).sort().map((file) => openPack(join(folder, file)));
    return [{ study, paper, packs, player: plan.PLAYER, notebooks: [notebook] }];
  });
  if (parts.length > 0) return parts;
  throw new UsageError(
    `nothing is recorded of ${papers}: add --models offline for the stand-in`,
  );
}

/** What is replayed, and how to play more. */
export function recordNotice(parts: readonly ReproducedPart[]): string {
  const held = parts.map(({ study: { chains, title } }) =>
    `${chains.flatMap(({ episodes }) => episodes).length} episodes of ${title}`
  );
  return `replays what ${parts[0]?.player} played (${held.join("; ")}); for more, name --models`;
}
