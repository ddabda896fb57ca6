/** The environment in which the OpenEnv server runs. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { checkoutRoot } from "../../../lib/core/platform.ts";

/** The interpreter of an environment with OpenEnv, which is set up in `.lab/openenv`. */
export async function withOpenEnv(): Promise<string> {
  const place = join(checkoutRoot(), ".lab", "openenv");
  const extras = ["textworld", "babyai", "nethack"].flatMap((extra) => ["--extra", extra]);
  const words = ["sync", "--quiet", "--frozen", "--no-default-groups", "--group", "openenv"];
  await promisify(execFile)(
    "uv",
    [...words, ...extras, "--project", join(checkoutRoot(), "envs")],
    { env: { ...process.env, UV_PROJECT_ENVIRONMENT: place } },
  );
  return join(place, "bin", "python");
}
