/**
 * How each kind of laboratory task goes in general, in a sentence or two: the first thoughts of the
 * examples.
 */
export const LABORATORY_THOUGHTS: Readonly<Record<string, string>> = {
  "boil":
    "I need the substance in a container that stands heat, a thermometer, and something that heats: then I heat it and watch until it boils.",
  "melt":
    "I need the solid in a container, a thermometer, and something that heats: then I heat it and watch until it is liquid.",
  "freeze":
    "I need the substance in a container, a thermometer, and something cold enough, such as a freezer: then I wait until it is solid.",
  "change-the-state-of-matter-of":
    "I need the substance in a container; heating or cooling it will change its state, and I watch until it has changed.",
  "use-thermometer":
    "I need the thermometer and the thing to be measured; what the thermometer shows tells which box it goes into.",
  "measure-melting-point-known-substance":
    "I heat the substance step by step and measure often: the temperature at which it melts decides the box.",
  "measure-melting-point-unknown-substance":
    "I heat the unknown substance step by step and measure often: the temperature at which it melts decides the box.",
  "power-component":
    "I need a closed circuit: wires from both poles of a source of power to both ends of the component.",
  "power-component-renewable-vs-nonrenewable-energy":
    "I need a closed circuit with a source of the right sort: sun and wind renew themselves, gas and batteries do not.",
  "test-conductivity":
    "I put the thing into a circuit with a battery and a lamp: if the lamp goes on, the thing conducts.",
  "test-conductivity-of-unknown-substances":
    "I put the unknown substance into a circuit with a battery and a lamp: if the lamp goes on, it conducts.",
  "find-living-thing":
    "Plants and animals are alive; they are rather outside or in a greenhouse. I find one, point it out, and take it to the box.",
  "find-non-living-thing":
    "Nearly every piece of furniture or tool is lifeless. I take one that can be carried, point it out, and bring it to the box.",
  "find-plant":
    "Plants grow where there is earth and light. I find one, point it out, and take it to the box.",
  "find-animal":
    "Animals live outside rather than in rooms. I find one, point it out, and take it to the box.",
  "grow-plant":
    "A seed needs earth, water and time: I bring soil and seeds into pots, water them, and wait.",
  "grow-fruit":
    "Plants need earth, water and time, and their flowers need pollinators: I plant, water, let the bees in, and wait for the fruit.",
  "chemistry-mix":
    "A recipe tells which substances react: I read it, bring them into one container, and mix.",
  "chemistry-mix-paint-secondary-color":
    "Two primary colours make a secondary one: I find the paints, pour them into one cup, and mix.",
  "chemistry-mix-paint-tertiary-color":
    "A tertiary colour is a secondary one mixed with a primary one: I mix the first, then add the other and mix again.",
  "lifespan-longest-lived":
    "I look at all animals here and point out the kind that lives longest: tortoises and elephants live long, insects do not.",
  "lifespan-shortest-lived":
    "I look at all animals here and point out the kind that lives shortest: insects live for weeks or months.",
  "lifespan-longest-lived-then-shortest-lived":
    "I look at all animals here, then point out the kind that lives longest, and after it the one that lives shortest.",
  "identify-life-stages-1":
    "I look for the living thing in all its stages, then point them out from the earliest to the last.",
  "identify-life-stages-2":
    "I look for the living thing in all its stages, then point them out from the earliest to the last.",
  "inclined-plane-determine-angle":
    "A block slides faster on a steeper plane: I let the same block slide down both, and time it.",
  "inclined-plane-friction-named-surfaces":
    "A block slides slower where friction is greater: I let the same block slide down both planes, and time it.",
  "inclined-plane-friction-unnamed-surfaces":
    "A block slides slower where friction is greater: I let the same block slide down both planes, and time it.",
  "mendelian-genetics-known-plant":
    "I grow and cross the plants, and see which trait shows in their offspring: that one is dominant.",
  "mendelian-genetics-unknown-plant":
    "I grow and cross the unknown plants, and see which trait shows in their offspring: that one is dominant.",
};

/**
 * A worked task of the encyclopedia that examples are drawn from: as a search, each thought with
 * its action, and as one chain of thought.
 */
export interface WorkedTask {
  readonly ask: "questions" | "comparisons" | "claims";
  readonly index: number;
  readonly steps: readonly (readonly [thought: string, action: string])[];
  readonly reasoning: string;
}

/** Six questions and three claims, as many as ReAct's prompts show. */
export const WORKED_TASKS: readonly WorkedTask[] = [
  {
    ask: "questions",
    index: 0,
    steps: [
      [
        "I need the house that published Mirror of Dust, and then the town where that house is based.",
        "search[Mirror of Dust]",
      ],
      [
        "Mele Press published the opera. I look up where Mele Press is based.",
        "search[Mele Press]",
      ],
      ["Mele Press is based in Osgate. That answers the question.", "finish[Osgate]"],
    ],
    reasoning:
      "Mirror of Dust was published by Mele Press. Mele Press is based in Osgate. So the answer is Osgate.",
  },
  {
    ask: "comparisons",
    index: 0,
    steps: [
      ["I need both years of birth. I begin with Tamena Umow.", "search[Tamena Umow]"],
      [
        "Tamena Umow was born in 1813. Now I need the year of Dalard Duning.",
        "search[Dalard Duning]",
      ],
      [
        "Dalard Duning was born in 1874, and 1813 is earlier than 1874, so Tamena Umow was born first.",
        "finish[Tamena Umow]",
      ],
    ],
    reasoning:
      "Tamena Umow was born in 1813, Dalard Duning in 1874. 1813 is earlier, so Tamena Umow was born first.",
  },
  {
    ask: "questions",
    index: 1,
    steps: [
      [
        "The play leads to its author, the author to a school, and the school to its founder. I begin with the play.",
        "search[Shore of Dust]",
      ],
      [
        "Coria Merwick wrote it. Next I need the school where she studied.",
        "search[Coria Merwick]",
      ],
      [
        "She was educated at Dorven Institute. Who founded that school?",
        "search[Dorven Institute]",
      ],
      ["Kalo Sandcroft founded Dorven Institute in 1909.", "finish[Kalo Sandcroft]"],
    ],
    reasoning:
      "Shore of Dust was written by Coria Merwick. She was educated at Dorven Institute, which Kalo Sandcroft founded. " +
      "So the answer is Kalo Sandcroft.",
  },
  {
    ask: "questions",
    index: 3,
    steps: [
      ["I need the country in which Emby lies, and then its capital.", "search[country of Emby]"],
      ["There is no page of that title, but there is one on Emby itself.", "search[Emby]"],
      ["Emby lies in Ilentia. Now I need the capital of Ilentia.", "search[Ilentia]"],
      ["The capital of Ilentia is Pragate.", "finish[Pragate]"],
    ],
    reasoning:
      "Emby lies in Ilentia. Ilentia has its capital at Pragate. So the answer is Pragate.",
  },
  {
    ask: "comparisons",
    index: 3,
    steps: [
      ["I need the birthplaces of both. I begin with Ulwyn Thornmark.", "search[Ulwyn Thornmark]"],
      ["Ulwyn Thornmark was born in Urhaven. Now Brenund Carsen.", "search[Brenund Carsen]"],
      [
        "Brenund Carsen was born in Grenstad, which is another town than Urhaven, so the answer is no.",
        "finish[no]",
      ],
    ],
    reasoning:
      "Ulwyn Thornmark was born in Urhaven, Brenund Carsen in Grenstad. These are two towns, so the answer is no.",
  },
  {
    ask: "questions",
    index: 2,
    steps: [
      [
        "I go from Verelle Vaston to her spouse, to that person's teacher, to a birthplace and its country.",
        "search[Verelle Vaston]",
      ],
      ["She was married to Ulwyn Thornmark. Who taught him?", "search[Ulwyn Thornmark]"],
      [
        "Wilic Carer taught Ulwyn Thornmark. I need the birthplace of Wilic Carer.",
        "search[Wilic Carer]",
      ],
      ["To be sure of his birthplace, I look for the sentence that tells it.", "lookup[born]"],
      ["Wilic Carer was born in Velgate. In which country does Velgate lie?", "search[Velgate]"],
      ["Velgate lies in Arotria.", "finish[Arotria]"],
    ],
    reasoning:
      "Verelle Vaston was married to Ulwyn Thornmark, who was taught by Wilic Carer. Wilic Carer was born in Velgate, which lies in Arotria. " +
      "So the answer is Arotria.",
  },
  {
    ask: "claims",
    index: 0,
    steps: [
      ["I need to know who wrote The Hollow Candle.", "search[The Hollow Candle]"],
      ["The page says that Kalo Sandcroft wrote the opera, as the claim does.", "finish[SUPPORTS]"],
    ],
    reasoning:
      "Kalo Sandcroft wrote the opera, which is The Hollow Candle. The claim says the same.",
  },
  {
    ask: "claims",
    index: 1,
    steps: [
      [
        "I need the school of Lorelle Holden first, and then the town where it is based.",
        "search[Lorelle Holden]",
      ],
      [
        "She studied at Dorven Institute. Is Dorven Institute in Grenstad?",
        "search[Dorven Institute]",
      ],
      ["Dorven Institute is in Tevstad, not in Grenstad.", "finish[REFUTES]"],
    ],
    reasoning:
      "Lorelle Holden studied at Dorven Institute, which is in Tevstad. The claim puts it in Grenstad, which is another town.",
  },
  {
    ask: "claims",
    index: 2,
    steps: [
      [
        "I need to know whether Narin Conservatory was rebuilt after a fire.",
        "search[Narin Conservatory]",
      ],
      [
        "The page begins with its place and founder. I look for a fire in the rest of it.",
        "lookup[fire]",
      ],
      [
        "The page says nothing of a fire, neither for nor against the claim.",
        "finish[NOT ENOUGH INFO]",
      ],
    ],
    reasoning:
      "Nothing that is shown tells of a fire at Narin Conservatory, so the claim can be neither supported nor refuted.",
  },
];
