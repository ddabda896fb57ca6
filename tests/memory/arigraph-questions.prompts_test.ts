import assert from "node:assert/strict";
import { createOfflineBackbone } from "../../lib/offline/backbone.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";
import { renderPrompt } from "../../lib/mod.ts";
import { extractParagraphPrompt, questionEntitiesPrompt } from "../../lib/memory/arigraph-questions.prompts.ts";
import { assertSnapshot, shownPrompt } from "./snapshot.ts";

const PARAGRAPH = "Tarn\nTarn is a town in Ostrea. Its founder was Oda Vell.";
const QUESTION = { question: "Who founded the birthplace of Ruk Sand?", deepest: "3" };

Deno.test("arigraph-questions.prompts keep their wording: another wording is another experiment", () => {
  const extract = shownPrompt(extractParagraphPrompt, { examples: "", paragraph: PARAGRAPH });
  assertSnapshot(import.meta.url, "arigraph-extract-paragraph", extract);
  assertSnapshot(import.meta.url, "arigraph-question-entities", shownPrompt(questionEntitiesPrompt, QUESTION));
});

Deno.test("offline, facts of a paragraph are extracted, and a question is looked up by its name", async () => {
  const answer = async (recall: number): Promise<string> => {
    const model = createOfflineBackbone({ responders: offlineResponders, knobs: { recall } });
    const messages = renderPrompt(extractParagraphPrompt, { examples: "", paragraph: PARAGRAPH });
    return (await model.chat({ role: extractParagraphPrompt.role, messages })).choices[0].text;
  };
  assert.equal(await answer(1), "tarn, in, ostrea; tarn, is, town; tarn, founder, oda vell");
  assert.equal(await answer(0), "[]");
  const model = createOfflineBackbone({ responders: offlineResponders });
  const { choices } = await model.chat({ role: questionEntitiesPrompt.role, messages: renderPrompt(questionEntitiesPrompt, QUESTION) });
  assert.equal(choices[0].text, '{"Ruk Sand":3}');
});
