/** `./lab licences [--json]`: the licence of every package and tool that the lab installs. */

import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serverCommand } from "../env/server.ts";
import { checkoutRoot } from "../platform.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { inColumns, printResult } from "./options.ts";

/** A package or a tool. */
interface Licensed {
  readonly name: string;
  readonly version: string;
  /** As its publisher names it; `unknown` where it says nothing. */
  readonly licence: string;
  readonly from: "npm" | "Python" | "tool";
}

/** Prints the licences as a table, or as one JSON value. */
export const main = command({ name: "licences", options: JSON_OPTION }, ({ json }) => {
  printResult([...tools(), ...npmPackages(), ...pythonPackages()], json, tableOf);
  return 0;
});

const tools = (): Licensed[] => [
  { name: "deno", version: pinned("deno"), licence: "MIT", from: "tool" },
  { name: "uv", version: pinned("uv"), licence: "MIT OR Apache-2.0", from: "tool" },
];

/** The version of a tool that set-up wants. */
function pinned(tool: string): string {
  return readFileSync(join(checkoutRoot(), "envs", "tools.txt"), "utf8").match(new RegExp(`^${tool}==(\\S+)`, "m"))?.[1] ?? "";
}

/** Licences that ask for more than to be named. */
const COPYLEFT = /GPL|General Public|MPL|Mozilla/i;

/** The packages that Deno has installed, in their own folders; links between them are passed over. */
function npmPackages(): Licensed[] {
  const store = join(checkoutRoot(), "node_modules", ".deno");
  const inside = (folder: string): string[] => existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const folders = inside(store).flatMap((version) => inside(join(version, "node_modules")))
    .flatMap((path) => /[\\/]@[^\\/]+$/.test(path) ? inside(path) : [path])
    .filter((path) => !lstatSync(path).isSymbolicLink() && existsSync(join(path, "package.json")));
  const packages = folders.map((path): Licensed => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return { name, version, licence: license ?? headOfLicence(path) ?? "unknown", from: "npm" };
  });
  return [...new Map(packages.map((one) => [`${one.name} ${one.version}`, one])).values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The first line of a package's licence file, which is its name. */
function headOfLicence(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file && readFileSync(join(folder, file), "utf8").trim().split("\n")[0];
}

function pythonPackages(): Licensed[] {
  const out = execFileSync(serverCommand(), ["-m", "labyrinth_envs.licences"], { encoding: "utf8" });
  return (JSON.parse(out) as Omit<Licensed, "from">[]).map((one) => ({ ...one, from: "Python" }));
}

function tableOf(all: readonly Licensed[]): string {
  const [copyleft, others] = [all.filter(({ licence }) => COPYLEFT.test(licence)), all.filter(({ licence }) => !COPYLEFT.test(licence))];
  const rows = (some: readonly Licensed[]): string =>
    inColumns(some.map(({ name, version, licence, from }) => [name, version, from, licence]));
  return [
    `Labyrinth is under the MIT licence. It installs ${all.length} packages and tools with licences of their own; none is copied into it.`,
    `Copyleft: GPL, LGPL, MPL or NetHack's. The worlds among them run in processes of their own.\n\n${rows(copyleft)}`,
    `Others:\n\n${rows(others)}`,
  ].join("\n\n");
}
