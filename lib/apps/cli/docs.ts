/**
 * `./lab docs [--to DIR]`: builds the site of the public interface from the doc comments, and
 * checks every link of it and of the guides.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { UsageError } from "../../core/errors.ts";
import { paperDefaultsTable } from "../../papers/defaults.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { command } from "./command.ts";
import { complain, userPath } from "./options.ts";

/** Pages outside `docs/` whose links are checked with the guides'. */
const PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/**
 * Builds the site (in `.lab/docs` unless told) and prints where it begins; status 1 if a link leads
 * nowhere.
 */
export const main = command({
  name: "docs",
  options: {
    defaults: {
      description: "only write the table of defaults into docs/deviations/README.md",
      excludes: ["to"],
    },
    to: {
      value: "folder",
      description: "where the site goes",
      defaultDescription: ".lab/docs of the checkout",
    },
  },
}, (values) => {
  if (values.defaults) {
    const page = join(checkoutRoot(), "docs", "deviations", "README.md");
    writeFileSync(page, withDefaults(readFileSync(page, "utf8")));
    process.stdout.write(`${page}\n`);
    return 0;
  }
  const folder = values.to === undefined
    ? join(checkoutRoot(), ".lab", "docs")
    : userPath(values.to);
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new UsageError(
      `cannot write the site to ${folder}: it is no folder; choose another with --to`,
    );
  }
  if (
    existsSync(folder) && readdirSync(folder).length > 0 &&
    !existsSync(join(folder, "all_symbols.html"))
  ) {
    throw new UsageError(
      `cannot write the site to ${folder}: the folder holds other files; choose an empty one with --to`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  const words = [
    "doc",
    "--quiet",
    "--html",
    "--name=Labyrinth",
    `--output=${folder}`,
    ...entryPoints(),
  ];
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: checkoutRoot(),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  if (status !== 0) {
    const why = stderr.replace(/\n+Stack backtrace:.*/s, "").trim().replaceAll(/\s+/g, " ");
    throw new UsageError(
      `cannot build the site in ${folder}: ${why}; choose another folder with --to`,
    );
  }
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".html")
  );
  const broken = [
    ...pages.flatMap((file) => brokenLinks(join(folder, file))),
    ...guides().flatMap(brokenLinks),
  ];
  for (const { page, link } of broken) {
    complain(`${relative(checkoutRoot(), page)} links to ${link}, which is not there`);
  }
  process.stdout.write(
    `${pages.length} pages of the interface and ${guides().length} guides; begin at ${
      join(folder, "index.html")
    }\n`,
  );
  return broken.length > 0 ? 1 : 0;
});

/**
 * A page with the table of defaults as the code has it now, from its head to the next empty line.
 */
export function withDefaults(page: string): string {
  return page.replace(
    /^\| maker \|.*?(?=\n\n|\n$)/ms,
    paperDefaultsTable().replaceAll("$", "$$$$"),
  );
}

/** The files of `deno.json`'s exports, relative to the checkout. */
export function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(checkoutRoot(), "deno.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.values(exports);
}

/** The Markdown pages of the checkout that people read. */
export function guides(): string[] {
  const docs = readdirSync(join(checkoutRoot(), "docs"), { recursive: true, encoding: "utf8" }).map(
    (file) => join("docs", file),
  );
  return [...PAGES, ...docs].filter((file) => file.endsWith(".md")).map((file) =>
    join(checkoutRoot(), file)
  ).filter((file) => existsSync(file));
}

/** A link that leads nowhere. */
export interface BrokenLink {
  /** Path of the page. */
  readonly page: string;
  /** As written there. */
  readonly link: string;
}

/**
 * The links of an HTML or Markdown page whose file or heading is missing. Links to other hosts are
 * not followed.
 */
export function brokenLinks(page: string): BrokenLink[] {
  const text = readFileSync(page, "utf8");
  const links = page.endsWith(".md")
    ? [...text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map((
      [, link = ""],
    ) => link)
    : [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => unescapeHtml(link));
  return [...new Set(links)].filter((link) =>
    !isExternal(link) && !leadsSomewhere(page, text, link)
  ).map((link) => ({ page, link }));
}

/** Undoes the escapes that `deno doc` writes into attributes. */
function unescapeHtml(text: string): string {
  return text.replaceAll("&#x2F;", "/").replaceAll("&quot;", '"').replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function isExternal(link: string): boolean {
  return /^([a-z][a-z+.-]*:|\/\/)/i.test(link);
}

function leadsSomewhere(page: string, text: string, link: string): boolean {
  const [path = "", heading = ""] = link.split("#", 2);
  const target = path === ""
    ? page
    : resolve(dirname(page), decodeURIComponent(path.split("?")[0] ?? ""));
  if (!existsSync(target)) return false;
  if (heading === "" || !target.endsWith(".md")) return true; // deno doc makes the anchors of its own pages
  return anchorsOf(target === page ? text : readFileSync(target, "utf8")).has(heading);
}

/** The anchors that GitHub gives the headings of a Markdown page. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-")
    ),
  );
}
