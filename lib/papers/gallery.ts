/** The page of a folder of tables and figures: what it says of the papers. */

import type { Gallery } from "../report/gallery.ts";

/** The introduction and the sections of such a page. */
export const GALLERY: Gallery = {
  introduction:
    "What the quick forms drew lies in `figures/`, and what the full forms drew in folders of their own. The backbone `offline` is a player\n" +
    "by rules that reads the prompts alone, `reader:…` one whose reading is as good as published measurements say of a language model\n" +
    "(what both know: `docs/offline.md`): the numbers are theirs, and no model's. Each file says at its end what it is made of; `./lab verify FILE`\n" +
    "holds it against a store.",
  sections: [
    { part: "evidence-length", title: "Where does AriGraph pay, by size of the hunt and by reader?" },
    { part: "evidence-large", title: "And in hunts of 100 and 225 rooms, where the prompts of a full history reach 177,000 tokens?" },
    { part: "evidence-cleaning", title: "And in houses to be tidied, where somebody moves things meanwhile?" },
    { part: "attribution-", title: "At which stage is the score of a graph method lost?" },
    { part: "evidence-steps", title: "What does each step of a graph method have, and what does it lack?" },
    { part: "evidence-graphmind", title: "How many errors does GraphMind's room graph bear, and how many votes make up for them?" },
    { part: "evidence-rooms", title: "How far does GraphMind's room graph carry, by number and shape of rooms?" },
    { part: "evidence-wese", title: "When does WESE's weak exploration pay, in success and in dollars?" },
    { part: "evidence-reasonplanner", title: "What does ReasonPlanner's world model add, and what does the critic find?" },
    { part: "evidence-nethack", title: "What is an observation of the whole level of NetHack worth, and what a graph, in the same games?" },
    { part: "evidence-carried", title: "Does it pay to carry a memory over to the next house, or to the next try?" },
    { part: "evidence-sweeps", title: "How much do AriGraph's constants matter: k, d, w, n_prev and the embedder?" },
    { part: "evidence-matrix", title: "Which memory plays which world?" },
    { part: "dialogues-", title: "What does a memory keep of a conversation?" },
    { part: "reader-choice", title: "Which calibrated reader stands for all?" },
    { part: "memory-bench", title: "The memory benchmark: other memories on the same planner" },
    { part: "arigraph-", title: "AriGraph and Ariadne" },
    { part: "graphmind-", title: "GraphMind" },
    { part: "wese-", title: "WESE" },
    { part: "reasonplanner-", title: "ReasonPlanner" },
    { part: "", title: "Others" },
  ],
};
