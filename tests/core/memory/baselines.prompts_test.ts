/** The prompts of the baselines as a model gets them. */

import {
  importancePrompt,
  insightsPrompt,
  questionsPrompt,
} from "../../../lib/core/memory/simulacra.prompts.ts";
import { summaryPaperPrompt, summaryPrompt } from "../../../lib/core/memory/summary.prompts.ts";
import { testWordings } from "./snapshot.ts";

testWordings({
  "summary-rewrite": summaryPaperPrompt,
  "summary-rewrite-cacheable": summaryPrompt,
  "simulacra-importance": importancePrompt,
  "simulacra-questions": questionsPrompt,
  "simulacra-insights": insightsPrompt,
});
