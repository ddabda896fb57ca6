/** A study as a folder to publish: tables, trajectories, Croissant metadata and a data card. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../core/errors.ts";
import { checkoutRoot } from "../core/platform.ts";
import { sha256 } from "../core/text/canonical.ts";
import { markdownText } from "../core/text/written.ts";
import { about } from "./about.ts";
import { atifOf } from "./atif.ts";
import { frameCsv, type FrameSchema } from "./frame-of.ts";
import * as frames from "./frames.ts";
import { labVersion, licenceOf, packedStudyOf, withoutSecrets } from "./pack.ts";
import { listEpisodes } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { secretsOf } from "./store/secrets-of.ts";
import { fileName } from "./write-files.ts";

const FRAMES = {
  episodes: [frames.episodes, frames.EPISODES_COLUMNS],
  steps: [frames.steps, frames.STEPS_COLUMNS],
  calls: [frames.calls, frames.CALLS_COLUMNS],
  passes: [frames.passes, frames.PASSES_COLUMNS],
  graph_steps: [frames.graphSteps, frames.GRAPH_STEPS_COLUMNS],
} as const;

const TYPES = { text: "sc:Text", integer: "sc:Integer", number: "sc:Float", boolean: "sc:Boolean" };

/**
 * Writes a study into a new folder below `root`, which appears when it is whole.
 *
 * @throws {UsageError} if the folder exists, no episode is completed, or a text holds a key or a
 *   path of this machine.
 */
export function writeDataset(store: Store, study: string, root: string): string {
  const folder = join(root, fileName(study));
  const all = listEpisodes(store, { study });
  const done = all.filter(({ status }) => status === "completed");
  const problem = existsSync(folder)
    ? `${folder} exists`
    : done.length === 0 && "no episode is completed";
  if (problem) throw new UsageError(`cannot write the data of ${study}: ${problem}`);
  const secrets = secretsOf(store, [study]);
  const part = `${folder}.part`;
  const write = (name: string, content: string): string => {
    writeFileSync(join(part, name), withoutSecrets(content, secrets));
    return sha256(content);
  };
  try {
    mkdirSync(join(part, "trajectories"), { recursive: true });
    const version = labVersion();
    for (const one of done) {
      write(`trajectories/${one.id}.json`, JSON.stringify(atifOf(store, one, version), null, 1));
    }
    const tables = Object.entries(FRAMES).map(([id, [read, schema]]) =>
      tableOf(id, schema, write(`${id}.csv`, frameCsv(read(store, study))))
    );
    const packed = packedStudyOf(store, study, all);
    const last = new Date(Math.max(...done.map(({ finishedAt = 0 }) => finishedAt)));
    const facts = {
      name: study,
      description: `${packed.title}. ${about(store, study)}`,
      license: licenceOf([packed]),
      citeAs: `Labyrinth ${version}, study ${study}`,
      datePublished: last.toISOString().slice(0, 10),
    };
    const croissant = {
      ...JSON.parse(readFileSync(`${checkoutRoot()}data/library/croissant.json`, "utf8")),
      ...facts,
      distribution: tables.map(({ file }) => file),
      recordSet: tables.map(({ rows }) => rows),
    };
    write("croissant.json", JSON.stringify(croissant, null, 1));
    write("README.md", cardOf(facts, packed));
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

/** A table in the terms of Croissant (github.com/mlcommons/croissant). */
function tableOf(id: string, schema: FrameSchema, digest: string): Record<"file" | "rows", object> {
  const file = `${id}.csv`;
  return {
    file: {
      "@type": "cr:FileObject",
      "@id": file,
      name: file,
      contentUrl: file,
      encodingFormat: "text/csv",
      sha256: digest,
    },
    rows: {
      "@type": "cr:RecordSet",
      "@id": id,
      name: id,
      field: Object.entries(schema).map(([column, type]) => ({
        "@type": "cr:Field",
        "@id": `${id}/${column}`,
        name: column,
        dataType: TYPES[type.replace("?", "") as keyof typeof TYPES],
        source: { fileObject: { "@id": file }, extract: { column } },
      })),
    },
  };
}

/** The data card: Markdown with the header that dataset hubs read. */
function cardOf(
  about: Readonly<Record<"name" | "description" | "license", string>>,
  study: object,
): string {
  const config = (id: string): string => `- config_name: ${id}\n  data_files: ${id}.csv\n`;
  return `---
license: other
configs:
${Object.keys(FRAMES).map(config).join("")}---

# ${markdownText(about.name)}

${markdownText(about.description)}

Tables are named by their rows; \`trajectories/\` holds completed episodes as ATIF 1.7. The model
\`offline\` is a rule-based player: its numbers say nothing about a language model.

\`\`\`json
${JSON.stringify(study, null, 2)}
\`\`\`

## Licence

${markdownText(about.license)}
`;
}
