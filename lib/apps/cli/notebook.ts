/** `./lab notebook`: JupyterLab with the lab's own kernel, or notebooks run without a browser. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot, env } from "../../core/platform.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { command, type Values } from "./command.ts";
import { userPath } from "./options.ts";
import { readPort } from "./serve-page.ts";

const OPTIONS = {
  run: { description: "execute notebooks (default: all) and store their outputs in place" },
  parameter: {
    short: "p",
    value: "name=value",
    description: "set a parameter",
    multiple: true,
    needs: "run",
    read: readParameter,
  },
  to: {
    value: "folder",
    description: "write copies there",
    needs: "run",
    defaultDescription: "in place; data/runs/notebooks/ with parameters",
  },
  fresh: { description: "use a temporary store", needs: "run" },
  install: {
    description: "register the kernel with the user's Jupyter, and do nothing else",
    excludes: ["run", "browser", "port"],
  },
  browser: { description: "do not open a browser", default: true, excludes: ["run"] },
  port: {
    value: "N",
    description: "use this port",
    defaultDescription: "8888 or the next free one",
    read: readPort,
    excludes: ["run"],
  },
} as const;

export const main = command({
  name: "notebook",
  words: { "[names...]": { description: "notebook names, prefixes or paths" } },
  options: OPTIONS,
}, async (values, names) => {
  if (values.install && names.length > 0) throw new UsageError("--install takes no name");
  if (values.install) return await python(["labyrinth_kernel.install"], {});
  return await python(values.run ? headless(values, names) : openLab(values, names));
});

/** Where Jupyter finds the kernel and writes: inside the checkout. */
export function jupyterEnvironment(): Record<string, string> {
  const resources = join(checkoutRoot(), "envs", "src", "labyrinth_kernel", "resources");
  const own = (folder: string): string => join(checkoutRoot(), ".lab", "jupyter", folder);
  return {
    JUPYTER_PATH: [resources, env("JUPYTER_PATH")].filter(Boolean).join(delimiter),
    JUPYTER_CONFIG_PATH: join(resources, "config"),
    JUPYTER_CONFIG_DIR: own("config"),
    JUPYTER_DATA_DIR: own("data"),
    JUPYTER_RUNTIME_DIR: own("runtime"),
    JUPYTERLAB_SETTINGS_DIR: own("settings"),
    JUPYTERLAB_WORKSPACES_DIR: own("workspaces"),
    IPYTHONDIR: own("ipython"),
    LAB_DENO: process.execPath,
  };
}

export function notebookNames(): string[] {
  return readdirSync(join(checkoutRoot(), "notebooks")).filter((file) => file.endsWith(".ipynb"))
    .map((file) => basename(file, ".ipynb"))
    .sort();
}

function headless(values: Values<typeof OPTIONS>, names: readonly string[]): string[] {
  const parameters = values.parameter ?? [];
  const chosen = names.length > 0 ? names.map(find) : notebookNames().map(find);
  if (chosen.length === 0) throw new UsageError("there is no notebook in notebooks/ to run");
  const to = values.to ??
    (parameters.length > 0 ? join(checkoutRoot(), "data", "runs", "notebooks") : undefined);
  return [
    "labyrinth_kernel.headless",
    ...chosen,
    ...(to === undefined ? [] : ["--to", userPath(to)]),
    ...(values.fresh ? ["--fresh"] : []),
    ...parameters.flatMap((given) => ["-p", given]),
  ];
}

function openLab(values: Values<typeof OPTIONS>, names: readonly string[]): string[] {
  if (names.length > 1) {
    throw new UsageError(
      `JupyterLab opens one notebook at a time, got ${names.length} names; --run takes several`,
    );
  }
  const [name] = names;
  const first = name === undefined ? [] : [find(name)];
  if (first.some((path) => !path.startsWith(checkoutRoot()))) {
    throw new UsageError(
      `JupyterLab shows what lies in ${checkoutRoot()}, not "${name}"; move the notebook there, or use --run`,
    );
  }
  return [
    "labyrinth_kernel.lab",
    ...first,
    `--ServerApp.root_dir=${checkoutRoot()}`,
    ...(name === undefined
      ? [`--ServerApp.preferred_dir=${join(checkoutRoot(), "notebooks")}`]
      : []),
    "--ServerApp.answer_yes=True",
    ...(process.getuid?.() === 0 ? ["--allow-root"] : []), // a container's only user
    ...(values.browser ? [] : ["--no-browser"]),
    ...(values.port === undefined
      ? []
      : [`--ServerApp.port=${values.port}`, "--ServerApp.port_retries=0"]),
  ];
}

/** The file of a notebook given by name, by the start of its name, or by path. */
function find(name: string): string {
  const path = userPath(name);
  if (name.endsWith(".ipynb") && existsSync(path)) return path;
  const names = notebookNames();
  const found = names.filter((one) => one === basename(name, ".ipynb"));
  const chosen = found.length > 0 ? found : names.filter((one) => one.startsWith(name));
  if (chosen.length !== 1) {
    const problem = chosen.length === 0
      ? `there is no notebook "${name}"${didYouMean(name, names)}`
      : `"${name}" begins ${chosen.length} notebooks`;
    throw new UsageError(`${problem}; the notebooks are ${names.join(", ") || "none yet"}`);
  }
  return join(checkoutRoot(), "notebooks", `${chosen[0]}.ipynb`);
}

function readParameter(_option: string, text: string): string {
  if (!/^[A-Za-z_]\w*=/.test(text)) {
    throw new UsageError(`a parameter is NAME=VALUE, got "${text}"`);
  }
  return text;
}

/** Runs a module of the Python environment in the foreground and returns its status. */
function python(
  words: readonly string[],
  jupyter: Record<string, string> = jupyterEnvironment(),
): Promise<number> {
  const bin = join(checkoutRoot(), "envs", ".venv", "bin");
  const interpreter = join(bin, "python");
  const missing = [interpreter, join(bin, "jupyter-lab")].find((path) => !existsSync(path));
  if (missing !== undefined) {
    const remedy =
      "remove .lab/ready and run ./lab again, which installs it or names what it lacks";
    throw new UsageError(`cannot start Jupyter: ${missing} is missing; ${remedy}`);
  }
  const child = spawn(interpreter, ["-m", ...words], {
    stdio: "inherit",
    env: { ...process.env, LAB_DENO: process.execPath, ...jupyter },
  });
  const wait = (): void => {}; // the terminal sends Ctrl-C to both; the child decides
  const end = (): void => void child.kill("SIGTERM");
  process.on("SIGINT", wait).on("SIGTERM", end);
  return new Promise<number>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done(code ?? 1));
  }).finally(() => process.off("SIGINT", wait).off("SIGTERM", end));
}
