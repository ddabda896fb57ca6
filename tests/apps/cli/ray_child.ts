/**
 * Plays what the words say on a Ray cluster, as `./lab study` does for a study of the catalogue:
 * `ray_child.ts <words> --ray <address> --store <file>`.
 */

import process from "node:process";
import { playOnRay } from "../../../lib/apps/cli/ray.ts";

const valueOf = (option: string): string =>
  process.argv[process.argv.indexOf(option) + 1] as string;
process.exitCode = await playOnRay("graphmind", {
  ray: valueOf("--ray"),
  store: valueOf("--store"),
});
