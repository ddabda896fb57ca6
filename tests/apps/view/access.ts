/** Whether a page keeps somebody out, by axe. */

import axe from "axe-core";
import type { Tab } from "../chromium.ts";

/**
 * Adds the findings of axe that keep somebody out to the complaints; `page` says where they were
 * found.
 */
export async function checkAccess(tab: Tab, page: string): Promise<void> {
  await tab.read(`${axe.source}; 0`);
  const found = await tab.read<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >(
    "axe.run().then(({ violations }) => violations)",
  );
  const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  tab.complaints.push(
    ...serious.map(({ id, nodes }) =>
      `${page}: ${id} at ${nodes[0]?.html}: ${nodes[0]?.failureSummary}`
    ),
  );
}
