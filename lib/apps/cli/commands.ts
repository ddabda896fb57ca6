/** The commands there are. */

/** Name → what it does. A command lives in the file of its name. */
export const COMMANDS: Readonly<Record<string, string>> = {
  reproduce: "play, then rebuild a paper's tables and figures next to its numbers",
  test: "run every check",
  notebook: "open JupyterLab with the lab's kernel, or run notebooks headless",
  worlds: "list the worlds and their parameters",
  study: "run or price one study",
  play: "play a world in the terminal, or have people play in their browsers",
  show: "show what happened in an episode",
  view: "open the run page: studies live, episodes step by step with their graphs",
  pack: "write the recorded replies of studies as one file to pass on",
  verify: "check the integrity of a store, or the plays behind exported files",
  merge: "join the stores that shards of a study were played in",
  replay: "replay published runs on our memory and worlds",
  ged: "measure the exact graph edit distance of two graph files",
  serve: "serve worlds to other machines",
  keys: "make the keys for a world server",
  model: "install a sentence-embedding model, or language models that run on this machine",
  data: "list the official data sets, and which are here",
  bench: "measure speed and memory as ratios, and how a model answers",
};

/** Somebody asked how a command is called; the message is its help. */
export class HelpAsked extends Error {
  override readonly name = "HelpAsked";
}
