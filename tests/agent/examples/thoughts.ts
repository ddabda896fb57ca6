/** How each kind of laboratory task goes in general, in a sentence or two: the first thoughts of the examples. */
export const LABORATORY_THOUGHTS: Readonly<Record<string, string>> = {
  "boil":
    "I need the substance in a container that stands heat, a thermometer, and something that heats: then I heat it and watch until it boils.",
  "melt": "I need the solid in a container, a thermometer, and something that heats: then I heat it and watch until it is liquid.",
  "freeze":
    "I need the substance in a container, a thermometer, and something cold enough, such as a freezer: then I wait until it is solid.",
  "change-the-state-of-matter-of":
    "I need the substance in a container; heating or cooling it will change its state, and I watch until it has changed.",
  "use-thermometer": "I need the thermometer and the thing to be measured; what the thermometer shows tells which box it goes into.",
  "measure-melting-point-known-substance":
    "I heat the substance step by step and measure often: the temperature at which it melts decides the box.",
  "measure-melting-point-unknown-substance":
    "I heat the unknown substance step by step and measure often: the temperature at which it melts decides the box.",
  "power-component": "I need a closed circuit: wires from both poles of a source of power to both ends of the component.",
  "power-component-renewable-vs-nonrenewable-energy":
    "I need a closed circuit with a source of the right sort: sun and wind renew themselves, gas and batteries do not.",
  "test-conductivity": "I put the thing into a circuit with a battery and a lamp: if the lamp goes on, the thing conducts.",
  "test-conductivity-of-unknown-substances":
    "I put the unknown substance into a circuit with a battery and a lamp: if the lamp goes on, it conducts.",
  "find-living-thing":
    "Plants and animals are alive; they are rather outside or in a greenhouse. I find one, point it out, and take it to the box.",
  "find-non-living-thing":
    "Nearly every piece of furniture or tool is lifeless. I take one that can be carried, point it out, and bring it to the box.",
  "find-plant": "Plants grow where there is earth and light. I find one, point it out, and take it to the box.",
  "find-animal": "Animals live outside rather than in rooms. I find one, point it out, and take it to the box.",
  "grow-plant": "A seed needs earth, water and time: I bring soil and seeds into pots, water them, and wait.",
  "grow-fruit":
    "Plants need earth, water and time, and their flowers need pollinators: I plant, water, let the bees in, and wait for the fruit.",
  "chemistry-mix": "A recipe tells which substances react: I read it, bring them into one container, and mix.",
  "chemistry-mix-paint-secondary-color": "Two primary colours make a secondary one: I find the paints, pour them into one cup, and mix.",
  "chemistry-mix-paint-tertiary-color":
    "A tertiary colour is a secondary one mixed with a primary one: I mix the first, then add the other and mix again.",
  "lifespan-longest-lived":
    "I look at all animals here and point out the kind that lives longest: tortoises and elephants live long, insects do not.",
  "lifespan-shortest-lived": "I look at all animals here and point out the kind that lives shortest: insects live for weeks or months.",
  "lifespan-longest-lived-then-shortest-lived":
    "I look at all animals here, then point out the kind that lives longest, and after it the one that lives shortest.",
  "identify-life-stages-1": "I look for the living thing in all its stages, then point them out from the earliest to the last.",
  "identify-life-stages-2": "I look for the living thing in all its stages, then point them out from the earliest to the last.",
  "inclined-plane-determine-angle": "A block slides faster on a steeper plane: I let the same block slide down both, and time it.",
  "inclined-plane-friction-named-surfaces":
    "A block slides slower where friction is greater: I let the same block slide down both planes, and time it.",
  "inclined-plane-friction-unnamed-surfaces":
    "A block slides slower where friction is greater: I let the same block slide down both planes, and time it.",
  "mendelian-genetics-known-plant": "I grow and cross the plants, and see which trait shows in their offspring: that one is dominant.",
  "mendelian-genetics-unknown-plant":
    "I grow and cross the unknown plants, and see which trait shows in their offspring: that one is dominant.",
};
