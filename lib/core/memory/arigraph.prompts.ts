/**
 * AriGraph's prompts. Fields and answer formats follow Anokhin et al. 2024, arXiv 2407.04363, App.
 * E; the wording is ours. Two have a variant for paragraphs and questions (§4 "Multi-hop Q&A") with
 * the same answer format.
 */

import type { Prompt } from "../llm/prompt.ts";

/** Facts of the example below, none of the game. */
export const EXAMPLE_FACTS =
  "attic, contains, trunk; trunk, is, closed; attic, contains, bench; turnip, is on, bench; attic, has exit, north; attic, has exit, west; gate, is north of, attic; gate, is, locked; brass lever, opens, gate; sign, says brass lever opens, gate; coin, is in, inventory";

/** Asks for the triplets of an observation. */
export const extractPrompt: Prompt<"examples" | "observation" | "answer"> = {
  role: "arigraph/extract",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game. Read the observation and write down every fact in it as triplets "subject, relation, object".

How to write triplets
- Subject and object are single things, places, directions, properties or persons; the relation may be longer. At most 7 words in all, exactly two commas, no comma inside a part.
- One fact a triplet. Call a thing by the name that the game uses, the same every time, without articles.
- Only what the observation says. What it merely suggests is written with "may".

What to write down
- Each thing in a place, on or in another thing, and the state of a thing: open, closed, locked.
- Each exit of the place the agent is in, with the place's name as it is given between "-=" and "=-". A door counts as an exit and is a thing of its own as well.
- What a thing is for, what opens what, what a task needs and what has to be done with it.
- Everything that a note, a sign, a book or the task says, and that it is said there.
- What the agent carries. If it has just taken something, this replaces where the thing was.
- What an action changed.

What to leave out: where the agent itself is, its feelings, the score, jokes and decoration of the text, and anything with "none" or "nothing" as a part. If nothing is left, the answer is [].

An example of another game. The observation
-= Attic =-
You see a trunk, which is closed, and a bench. On the bench is a turnip. North is a locked gate, and you could go west. A sign reads: the brass lever opens the gate.
Inventory: You are carrying a coin.
has these facts:
${EXAMPLE_FACTS}

Triplets extracted before are of other observations. They show which names and which style to use.`,
  sections: {
    examples: "Triplets extracted before",
    observation: "Observation",
    answer: "Your answer",
  },
  texts: {
    answer:
      "What the observation above says, as triplets in one line: subject, relation, object; subject, relation, object; ... Leave out what was extracted before and is not said there.",
  },
  sampling: { temperature: 0, maxTokens: 1000 },
};

/** Asks for the triplets of a paragraph. */
export const extractParagraphPrompt: Prompt<"examples" | "paragraph"> = {
  role: "arigraph/extract-paragraph",
  instructions:
    `You build a knowledge graph from paragraphs of an encyclopedia, so that questions which join facts of several paragraphs can be answered from it later. Read the paragraph and write down every fact in it as triplets "subject, relation, object".

How to write triplets
- Subject and object are single persons, places, bodies, works, events, dates or numbers; the relation is short and says how they belong together: "Tarn, is located in, Ostrea"; "Alda Merrow, born on, 3 May 1871".
- Exactly two commas a triplet, none inside a part: write "3 May 1871", not "May 3, 1871".
- One fact a triplet. Split what is joined: "a poet and painter born in Tarn" gives "Alda Merrow, is, poet; Alda Merrow, is, painter; Alda Merrow, was born in, Tarn".
- Never "he", "it", "the novel" or the like: write the name that is meant. A first line that is a title says what the paragraph is about.
- Call a thing by the same full name every time, so that facts of different paragraphs meet.
- Only what the paragraph says.

Earlier triplets, where there are any, are shown as examples of names and style; do not repeat them unless the paragraph says them again.

Answer with the triplets alone, in one line, separated by semicolons: subject, relation, object; subject, relation, object; ...
If the paragraph holds no fact at all, answer with an empty pair of brackets: []`,
  sections: { examples: "Triplets extracted before", paragraph: "Paragraph" },
  sampling: { temperature: 0, maxTokens: 1000 },
};

/** Asks which known triplets the new ones have made untrue. */
export const outdatePrompt: Prompt<"existing" | "fresh"> = {
  role: "arigraph/outdate",
  instructions:
    `You keep the knowledge graph of an agent that plays a text game. The world changes as the agent acts, so that new triplets can make existing ones untrue. Name each existing triplet that a new one replaces.

Replace an existing triplet
- when a new one says that the same aspect of the same thing has changed: where it is, whether it is open, closed or locked, raw or cooked, whole or cut. With existing "coin, is in, stone urn"; "stone urn, contains, coin" and new "coin, is in, inventory" both existing ones go, because the coin has left the urn;
- when a new one says the same in other words.

Keep an existing triplet
- when the new ones speak of another aspect or another thing: "brush, used for, painting" stays beside "brush, is in, hall", and "turnip, to be, peeled" stays beside "turnip, is on, bench";
- when it tells how places lie to each other, which exits a place has, what a thing is for, or what a task needs, unless a new one contradicts it;
- when you are not sure. A triplet kept in vain does little harm; a lost one may be needed.

Write both triplets exactly as they are given, with an arrow between them, and no existing triplet that stays. Answer with the replacements alone, in this form and in one line:
[[existing triplet -> new triplet], [existing triplet -> new triplet], ...]
In the example of the coin that is:
[[coin, is in, stone urn -> coin, is in, inventory], [stone urn, contains, coin -> coin, is in, inventory]]
If nothing is to be replaced, answer: []`,
  sections: { existing: "Existing triplets", fresh: "New triplets" },
  sampling: { temperature: 0, maxTokens: 500 },
};

/** Asks what to look up in memory, in the order of the authors' prompt. */
export const entitiesPaperPrompt: Prompt<"observation" | "plan"> = {
  role: "arigraph/entities",
  instructions:
    `You choose what an agent that plays a text game should look up in its memory. From its observation and its plan, name the things, places and persons that matter for what it will do next, and say how much each matters:
- 2: it is part of a sub-goal, or needed to reach one; its surroundings in memory are worth reading too;
- 1: it is worth a look, such as the place where the agent is.

Name things as the texts name them, without articles, also those that only the plan speaks of. Leave out the agent itself, actions, directions and decoration. About 3 to 8 names.

Answer with a JSON object of name and importance alone, for example: {"cellar": 1, "brass lever": 2}`,
  sections: { observation: "Observation", plan: "Plan" },
  sampling: { temperature: 1, maxTokens: 400 },
};

export const entitiesPrompt: Prompt<"observation" | "plan"> = {
  ...entitiesPaperPrompt,
  sections: { plan: "Plan", observation: "Observation" },
};

/** Asks what to look up in memory for a question. */
export const questionEntitiesPrompt: Prompt<"question" | "deepest"> = {
  role: "arigraph/question-entities",
  instructions:
    `You choose what to look up in a knowledge graph in order to answer a question. Name the persons, places, bodies, works, events and other notions of the question, and say how much each matters, from 1 up to the greatest importance given: the greatest for what the answer is sought from, whose further surroundings in the graph are worth reading too; 1 for what is worth a look.

Name things as the question names them, with their full names. Leave out question words. About 1 to 6 names.

Answer with a JSON object of name and importance alone, for example: {"Alda Merrow": 3, "birthplace": 1}`,
  sections: { question: "Question", deepest: "Greatest importance" },
  sampling: { temperature: 0.001, maxTokens: 400 },
};

/** Whether the plan calls for looking around. */
export const explorePrompt: Prompt<"plan"> = {
  role: "arigraph/explore",
  instructions:
    `You judge the plan of an agent that plays a text game. Answer True if its next sub-goals need the agent to explore: to find or locate a thing, a place or a person whose whereabouts it does not know, or to see new places. Answer False if it knows where to go and what to do there.

Answer with the one word True or False.`,
  sections: { plan: "Plan" },
  sampling: { temperature: 0.2, maxTokens: 20 },
};
