/**
 * What the stand-in knows of English and everyday life, as data. It has no name of any game's room,
 * key or recipe.
 */

export const OPPOSITE: Readonly<Record<string, string>> = Object.fromEntries(
  ["north south", "east west", "up down", "northeast southwest", "northwest southeast"].map(words)
    .flatMap(([one = "", other = ""]) => [[one, other], [other, one]]),
);

export const TREATMENTS: Readonly<
  Record<
    string,
    { readonly state: string; readonly gerund: string; readonly cut: boolean; readonly on: string }
  >
> = {
  chop: { state: "chopped", gerund: "chopping", cut: true, on: "knife" },
  slice: { state: "sliced", gerund: "slicing", cut: true, on: "knife" },
  dice: { state: "diced", gerund: "dicing", cut: true, on: "knife" },
  fry: { state: "fried", gerund: "frying", cut: false, on: "stove" },
  roast: { state: "roasted", gerund: "roasting", cut: false, on: "oven" },
  grill: { state: "grilled", gerund: "grilling", cut: false, on: "bbq" },
};

export const STATE_WORDS: readonly string[] = [
  ...words("open opened closed locked unlocked raw uncut burned burnt cooked"),
  ...Object.values(TREATMENTS).map((treatment) => treatment.state),
];

export const READABLES: readonly string[] = words(
  "note letter book cookbook recipe paper scroll message map sign instruction instructions manual diary",
);

export const COMMON_WORDS: readonly string[] = words(
  "a an the of for and with room area set pair small big old new",
);

/** Where one sort of thing belongs: nouns of the sort, furniture and rooms, best first. */
export interface Household {
  readonly things: readonly string[];
  readonly furniture: readonly string[];
  readonly rooms: readonly string[];
}

/**
 * Where household things usually belong: things > furniture > rooms. The entry whose word ends the
 * thing's name counts, else one whose word it contains.
 */
export const HOUSEHOLD: readonly Household[] = `
toothbrush toothpaste soap shampoo deodorant razor comb hairbrush perfume lotion mouthwash > washbasin basin sink vanity shower bathtub > bathroom washroom restroom
tissue plunger > toilet > bathroom washroom restroom
towel bathrobe washcloth sponge > hook rack rail > bathroom washroom laundry
milk cheese meat butter egg eggs yogurt fish chicken sausage cream beef pork ham juice > refrigerator fridge freezer > kitchen pantry
plate dish bowl cup mug saucer glass cutlery > dishwasher cupboard sideboard > kitchen dining
pan pot kettle spatula ladle knife cookbook > counter cupboard drawer stove > kitchen
flour sugar rice pasta cereal oil bread onion potato apple banana spice coffee tea > cupboard counter shelf > kitchen pantry
tablecloth placemat napkin candle candles candlestick > sideboard table > dining
dumbbell barbell kettlebell weight weights racket ball gloves > rack locker bench > gym fitness sports
toy doll blocks puzzle teddy rattle kite > box chest cabinet > kids children nursery playroom
notebook pen pens pencil pencils crayon crayons ruler eraser homework stapler > desk study > study office kids children
book novel encyclopedia magazine atlas dictionary bookmark > bookcase bookshelf > library study
glasses spectacles > desk nightstand > study library bedroom
suit dress shirt trousers coat jacket skirt sweater tie blouse jeans pants gown > wardrobe closet dresser > bedroom dressing
shoe shoes boots umbrella > rack stand > hall hallway entrance foyer
lamp clock nightlight > nightstand bedside desk > bedroom study living
blanket sheet quilt duvet > bed > bedroom
pillow cushion > bed sofa couch armchair > bedroom living lounge
television remote console controller speaker stereo > television tv cabinet > living lounge
hammer screwdriver wrench drill saw pliers nail nails > toolbox workbench > shed garage workshop
rake shovel hose lawnmower flowerpot > shed > shed garden garage
detergent clothespin iron > washer dryer > laundry
mop broom bucket duster vacuum > closet > utility storage laundry
`.trim().split("\n").map((row) => {
  const [things = [], furniture = [], rooms = []] = row.split(" > ").map(words);
  return { things, furniture, rooms };
});

export const APPLIANCES: Readonly<Record<string, readonly string[]>> = {
  clean: words("sink sinkbasin basin washbasin"),
  heat: words("microwave oven stove"),
  cool: words("fridge refrigerator freezer"),
};

/** Word for a treatment or a treated thing → a key of `APPLIANCES`. */
export const TREATMENT_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    words("clean cleaned wash washed rinse rinsed").map((word) => [word, "clean"]),
  ),
  ...Object.fromEntries(words("hot heat heated warm").map((word) => [word, "heat"])),
  ...Object.fromEntries(words("cool cooled chill chilled cold").map((word) => [word, "cool"])),
};

export const LIVING_THINGS: Readonly<Record<string, readonly string[]>> = {
  plant: words(
    "plant tree flower seed seedling grass moss fern bush herb shrub vine ivy cactus oak pine rose tulip",
  ),
  animal: words(
    "animal ant ape badger bear beaver bee beetle bird butterfly camel cat chameleon chicken cow crab crocodile crow deer dog dolphin donkey " +
      "dove dragonfly duck eagle egg elephant fish fox frog giraffe goat goose hamster hare hedgehog hen horse insect kangaroo lion lizard mammal " +
      "monkey moth mouse owl parrot penguin pig pigeon rabbit rat reptile shark sheep snail snake spider squirrel swan tiger toad tortoise " +
      "turtle wasp whale wolf worm zebra",
  ),
};

function words(list: string): string[] {
  return list.split(" ");
}
