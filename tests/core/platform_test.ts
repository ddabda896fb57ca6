import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot, withoutLogin } from "../../lib/core/platform.ts";
import { ownFolder } from "../folder.ts";

Deno.test("withoutLogin() leaves of an address what may be shown", () => {
  assert.equal(withoutLogin("https://user:p@ss@host:4318/v1?key=1"), "https://host:4318/v1");
  assert.equal(withoutLogin("http://127.0.0.1:9"), "http://127.0.0.1:9");
  assert.equal(withoutLogin("user:p@ss@host:4318"), "host:4318");
  assert.equal(withoutLogin("//user:p@ss@host"), "//host");
  assert.equal(withoutLogin("https://host/a@b"), "https://host/a@b");
});

Deno.test("useCheckout() lets a copy of the library elsewhere read the checkout's data", () => {
  using own = ownFolder();
  const folder = own.path;
  for (const name of ["lib", "deno.json", "deno.lock"]) {
    cpSync(join(checkoutRoot(), name), join(folder, name), { recursive: true });
  }
  const script = (call: string): string => `
      import { useCheckout } from ${JSON.stringify(join(folder, "lib", "core", "platform.ts"))};
      import { priceOf } from ${JSON.stringify(join(folder, "lib", "core", "llm", "prices.ts"))};
      ${call}
      try { console.log(typeof priceOf("gpt-4o")?.prompt); } catch { console.log("no data"); }
    `;
  const run = (call: string): string =>
    execFileSync(process.execPath, [
      "eval",
      "--no-check",
      `--config=${join(checkoutRoot(), "deno.json")}`,
      script(call),
    ], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  assert.equal(run(""), "no data");
  assert.equal(run(`useCheckout(${JSON.stringify(checkoutRoot())});`), "number");
});
