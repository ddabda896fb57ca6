/**
 * GraphRAG's prompts and their parsers (Edge et al. 2024, arXiv 2404.16130). Fields and scales are
 * the authors'; wording and answer formats are ours.
 */

import { z } from "zod";
import type { Prompt } from "../../llm/prompt.ts";
import { parseJson } from "../../text/json.ts";
import { keepSound, parseList, soundName, soundText } from "../../text/read-lists.ts";
import { readText, type ReplyParser } from "../../text/reply-text.ts";

/** Most entities, as relations, asked for and read of a text; findings, and points, of reports. */
const MOST = { asked: 20, extracted: 40, findings: 10, points: 20 };

const name = z.string().max(100);
const sentence = z.string().max(400);
const description = z.string().max(300);

const extractedForm = z.object({
  entities: z.array(z.object({ name, type: z.string().max(40), description })).max(
    MOST.asked,
  ),
  relations: z.array(z.object({ source: name, target: name, description })).max(
    MOST.asked,
  ),
});

export type Extracted = z.output<typeof extractedForm>;

const EXTRACTED =
  `- entities: the name as the text writes it, in full and always the same; one of the types; and a description, one sentence with all that the text says of it.
- relations: two entities that a statement of the text joins, as source and target, and a description, that statement in one sentence.

Write only what the text says, and replace every pronoun by the name that is meant.`;

const GRAPH =
  `Answer with JSON alone: {"entities": [{"name": "...", "type": "...", "description": "..."}], "relations": [{"source": "...", "target": "...", "description": "..."}]}`;

export const extractPrompt: Prompt<"types" | "text"> = {
  role: "graphrag/extract",
  instructions:
    `You turn a text into a graph. Find every entity in it that is of one of the types listed, and every relation between two of these entities.

${EXTRACTED}

${GRAPH}
Where there is nothing to write, a list is empty.`,
  sections: { types: "Types of entities", text: "Text" },
  sampling: { temperature: 0, maxTokens: 4000 },
  form: extractedForm,
};

export const gleanPrompt: Prompt<"types" | "text" | "found"> = {
  role: "graphrag/glean",
  instructions:
    `You check a graph that was made of a text, of entities of the types listed and their relations. A first reading overlooks some: read the text again, line by line, and find what the graph does not have yet.

${EXTRACTED}

Write down what is missing, and nothing that was found already. ${GRAPH}
Where nothing is missing, a list is empty.`,
  sections: { types: "Types of entities", text: "Text", found: "Found already" },
  sampling: { temperature: 0, maxTokens: 4000 },
  form: extractedForm,
};

const described = soundText.catch("");

export const parseExtracted: ReplyParser<Extracted> = parseJson(z.object({
  entities: keepSound(
    z.object({ name: soundName, type: soundName.catch(""), description: described }),
    MOST.extracted,
  ),
  relations: keepSound(
    z.object({ source: soundName, target: soundName, description: described }),
    MOST.extracted,
  ),
}));

export const describePrompt: Prompt<"name" | "descriptions"> = {
  role: "graphrag/describe",
  instructions:
    `Several texts describe the same entity, or the same relation between two entities. Write one description that holds everything they say, each fact once, with full names and in the third person. Where they contradict each other, say both.

Answer with the description alone, in one paragraph.`,
  sections: { name: "Entity or relation", descriptions: "Descriptions" },
  sampling: { temperature: 0, maxTokens: 700 },
};

export const parseDescription: ReplyParser<string> = readText({ inOneLine: true, longest: 4000 });

const reportForm = z.object({
  title: z.string().max(150),
  summary: z.string().max(1000),
  rating: z.number().min(0).max(10),
  findings: z.array(z.object({ summary: sentence, explanation: z.string().max(800) })).max(
    MOST.findings,
  ),
});

/** The report of a community; the rating from 0 to 10 says how important it is. */
export type Report = z.output<typeof reportForm>;

export const reportPrompt: Prompt<"entities" | "relations"> = {
  role: "graphrag/report",
  instructions:
    `You report on a community: entities that belong together, and their relations. Whoever reads the report shall know what the community is about and what is worth knowing of it, without the lists.

- title: short, with the names of its most important entities.
- summary: what the entities are and how they belong together, in two or three sentences.
- rating: how important the community is, a number from 0 (not at all) to 10 (most).
- findings: up to ${MOST.findings} insights, the most important first, as many as there is matter for. Each has a summary of one sentence, and an explanation with the facts that bear it out: full names, places, dates, numbers.

Rely on the lists alone. Answer with JSON alone: {"title": "...", "summary": "...", "rating": 5, "findings": [{"summary": "...", "explanation": "..."}]}`,
  sections: { entities: "Entities", relations: "Relations" },
  sampling: { temperature: 0, maxTokens: 2000 },
  form: reportForm,
};

export const parseReport: ReplyParser<Report> = parseJson(z.object({
  title: soundText,
  summary: soundText,
  rating: within(10).catch(0),
  findings: keepSound(z.object({ summary: soundText, explanation: described }), MOST.findings),
}));

const pointForm = z.object({ description: sentence, score: z.int().min(0).max(100) });

export type Point = z.output<typeof pointForm>;

export const mapPrompt: Prompt<"reports" | "question"> = {
  role: "graphrag/map",
  instructions:
    `You are shown reports on parts of a collection of texts, and a question at the end. Other parts are read by others. Write down what these reports hold that helps to answer the question.

Each point has a description, one or two sentences with the facts and full names, and a score for how much it helps: from 0 (not at all) to 100 (it answers the question). Add nothing that the reports do not say.

Answer with JSON alone: {"points": [{"description": "...", "score": 80}]}
If nothing helps, the list is empty.`,
  sections: { reports: "Reports", question: "Question" },
  sampling: { temperature: 0, maxTokens: 1000 },
  form: z.object({ points: z.array(pointForm).max(MOST.points) }),
};

export const parsePoints: ReplyParser<Point[]> = parseList(
  "points",
  z.object({ description: soundText, score: within(100) }),
  MOST.points,
);

/** A number on a scale from 0, also one in quotation marks; one beyond the scale is its end. */
function within(top: number): z.ZodType<number> {
  return z.union([z.number(), z.string().regex(/^\s*\d/)]).transform((value) =>
    Math.min(Math.max(parseFloat(String(value)), 0), top)
  );
}
