import { renameSync } from "node:fs";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { sampleTurn } from "../../lab/store/samples.ts";
import { ignore, inBrowser, says } from "./opened.ts";

const RUNNING = "b".repeat(16);

Deno.test(
  {
    name: "an open page says in words that its store was moved, and is live again once it is back",
    ignore,
  },
  () =>
    inBrowser(async ({ tab, address, writer }) => {
      await tab.goTo(`${address}#/episode/${RUNNING}`);
      await tab.until(
        "document.querySelector('.live.on') && document.querySelectorAll('.steps li').length === 2",
      );
      renameSync(writer.path, `${writer.path}.moved`);
      await tab.until(says("The store was moved, deleted or replaced"));
      renameSync(`${writer.path}.moved`, writer.path);
      await tab.until(`document.querySelector('.live.on') && !${says("The store was moved")}`);
      putTurn(writer, sampleTurn({ episode: RUNNING, step: 2, action: "a new step", frames: [] }));
      await tab.until("document.querySelectorAll('.steps li').length === 3");
    }),
);
