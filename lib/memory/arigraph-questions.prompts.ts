/**
 * The prompts of the AriGraph memory for paragraphs and questions, in place of observations of a game (Anokhin et al. 2024, arXiv 2407.04363,
 * §4 "Multi-hop Q&A": slight adjustments of the prompts). Answer formats and parsers are those of `arigraph.prompts.ts`; the wording is ours.
 *
 * @module
 */

import type { Prompt } from "../llm/prompt.ts";

/** Asks for the triplets of a paragraph. */
export const extractParagraphPrompt: Prompt<"examples" | "paragraph"> = {
  role: "arigraph/extract-paragraph",
  instructions:
    `You build a knowledge graph from paragraphs of an encyclopedia, so that questions which join facts of several paragraphs can be answered from it later. Read the paragraph and write down every fact in it as triplets "subject, relation, object".

How to write triplets
- Subject and object are single persons, places, bodies, works, events, dates or numbers; the relation is short and says how they belong together: "Tarn, is located in, Ostrea"; "Alda Merrow, born on, 3 May 1871".
- Exactly two commas a triplet, none inside a part: write "3 May 1871", not "May 3, 1871".
- One fact a triplet. Split what is joined: "a poet and painter born in Tarn" gives "Alda Merrow, is, poet; Alda Merrow, is, painter; Alda Merrow, was born in, Tarn".
- Never "he", "it", "the novel" or the like: write the name that is meant. The paragraph's title, its first line, tells what it is about.
- Call a thing by the same full name every time, so that facts of different paragraphs meet.
- Only what the paragraph says.

Earlier triplets, where there are any, are shown as examples of names and style; do not repeat them unless the paragraph says them again.

Answer with the triplets alone, in one line, separated by semicolons: subject, relation, object; subject, relation, object; ...
If the paragraph holds no fact at all, answer with an empty pair of brackets: []`,
  sections: { examples: "Triplets extracted before", paragraph: "Paragraph" },
  sampling: { temperature: 0.001 },
};

/** Asks what to look up in memory. */
export const questionEntitiesPrompt: Prompt<"question" | "deepest"> = {
  role: "arigraph/question-entities",
  instructions:
    `You choose what to look up in a knowledge graph in order to answer a question. Name the persons, places, bodies, works, events and other notions of the question, and say how much each matters, from 1 up to the greatest importance given: the greatest for what the answer is sought from, whose further surroundings in the graph are worth reading too; 1 for what is worth a look.

Name things as the question names them, with their full names. Leave out question words. About 1 to 6 names.

Answer with a JSON object of name and importance alone, for example: {"Alda Merrow": 3, "birthplace": 1}`,
  sections: { question: "Question", deepest: "Greatest importance" },
  sampling: { temperature: 0.001 },
};
