/** The Markdown pages that people read, and their links. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkoutRoot } from "../lib/core/platform.ts";

/** The Markdown pages of the checkout. */
export function guides(): string[] {
  const docs = readdirSync(join(checkoutRoot(), "docs"), { recursive: true, encoding: "utf8" }).map(
    (file) => join("docs", file),
  );
  const others = ["data/README.md", "data/records/README.md", "figures/README.md"];
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...others, ...docs].filter((file) =>
    file.endsWith(".md")
  ).map((file) => join(checkoutRoot(), file)).filter((file) => existsSync(file));
}

/** The files of the checkout that a page names as code, such as `lib/mod.ts`, and that do not exist. */
export function missingFiles(page: string): string[] {
  const named = readFileSync(page, "utf8").matchAll(
    /`((?:lib|tests|envs|docs|notebooks)\/[\w./-]+\.(?:ts|py|md|json|ipynb))`/g,
  );
  return [...named].map(([, file = ""]) => file).filter((file) =>
    !existsSync(join(checkoutRoot(), file))
  );
}

/** The links of a page to a file or heading that does not exist; other hosts are left out. */
export function brokenLinks(page: string): string[] {
  const text = readFileSync(page, "utf8");
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return [...new Set(links)].filter((link) => {
    if (/^([a-z][a-z+.-]*:|\/\/)/i.test(link)) return false;
    const [path = "", heading = ""] = link.split("#", 2);
    const target = path === "" ? page : resolve(dirname(page), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return heading !== "" && target.endsWith(".md") &&
      !anchorsOf(readFileSync(target, "utf8")).has(heading);
  });
}

/** The anchors that GitHub gives the headings of a Markdown page. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-")
    ),
  );
}
