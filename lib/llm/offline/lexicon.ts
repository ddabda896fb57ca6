/**
 * What the offline backbone knows of English and of everyday life, as data. No name of any game's room, key or recipe stands here:
 * these are the words that a reader would know before opening a game.
 *
 * @module
 */

/** Compass words with their opposites. */
export const OPPOSITE: Readonly<Record<string, string>> = {
  north: "south",
  south: "north",
  east: "west",
  west: "east",
  up: "down",
  down: "up",
  northeast: "southwest",
  southwest: "northeast",
  northwest: "southeast",
  southeast: "northwest",
};

/** How food is treated: command → state that it leaves. Cutting wants a knife, heating an appliance. */
export const TREATMENTS: Readonly<
  Record<string, { readonly state: string; readonly gerund: string; readonly cut: boolean; readonly on: string }>
> = {
  chop: { state: "chopped", gerund: "chopping", cut: true, on: "knife" },
  slice: { state: "sliced", gerund: "slicing", cut: true, on: "knife" },
  dice: { state: "diced", gerund: "dicing", cut: true, on: "knife" },
  fry: { state: "fried", gerund: "frying", cut: false, on: "stove" },
  roast: { state: "roasted", gerund: "roasting", cut: false, on: "oven" },
  grill: { state: "grilled", gerund: "grilling", cut: false, on: "bbq" },
};

/** Adjectives that tell a passing state and are no part of a name. */
export const STATE_WORDS: readonly string[] = [
  "open",
  "opened",
  "closed",
  "locked",
  "unlocked",
  "raw",
  "uncut",
  "burned",
  "burnt",
  "cooked",
  ...Object.values(TREATMENTS).map((treatment) => treatment.state),
];

/** Things that carry text. */
export const READABLES: readonly string[] = [
  "note",
  "letter",
  "book",
  "cookbook",
  "recipe",
  "paper",
  "scroll",
  "message",
  "map",
  "sign",
  "instruction",
  "instructions",
  "manual",
  "diary",
];

/** Words too common to tie an item to a piece of furniture. */
export const COMMON_WORDS: readonly string[] = [
  "a",
  "an",
  "the",
  "of",
  "for",
  "and",
  "with",
  "room",
  "area",
  "set",
  "pair",
  "small",
  "big",
  "old",
  "new",
];

/** What keeps things of one sort: the words that name the sort, and the words of furniture and rooms where it belongs, best first. */
export interface Household {
  readonly things: readonly string[];
  readonly furniture: readonly string[];
  readonly rooms: readonly string[];
}

/** Where things of a household usually belong. The first entry whose word ends the item's name (or else stands in it) counts. */
export const HOUSEHOLD: readonly Household[] = [
  {
    things: [
      "toothbrush",
      "toothpaste",
      "soap",
      "shampoo",
      "deodorant",
      "razor",
      "comb",
      "hairbrush",
      "perfume",
      "lotion",
      "mouthwash",
      "cosmetics",
    ],
    furniture: ["sink", "washbasin", "basin", "vanity", "shower", "bathtub", "medicine"],
    rooms: ["bathroom", "washroom", "restroom"],
  },
  { things: ["toilet paper", "tissue", "plunger"], furniture: ["toilet", "paper holder"], rooms: ["bathroom", "washroom", "restroom"] },
  { things: ["towel", "bathrobe", "washcloth"], furniture: ["towel", "hook", "linen", "rack"], rooms: ["bathroom", "washroom", "laundry"] },
  {
    things: [
      "dirty plate",
      "dirty dish",
      "dirty bowl",
      "dirty cup",
      "dirty mug",
      "dirty glass",
      "dirty fork",
      "dirty spoon",
      "dirty pan",
      "dirty pot",
    ],
    furniture: ["dishwasher", "kitchen sink"],
    rooms: ["kitchen", "scullery"],
  },
  {
    things: [
      "milk",
      "cheese",
      "meat",
      "butter",
      "egg",
      "yogurt",
      "fish",
      "chicken",
      "sausage",
      "cream",
      "beef",
      "pork",
      "ham",
      "tuna",
      "juice",
    ],
    furniture: ["refrigerator", "fridge", "freezer"],
    rooms: ["kitchen", "pantry"],
  },
  {
    things: [
      "plate",
      "dish",
      "bowl",
      "cup",
      "mug",
      "saucer",
      "pan",
      "pot",
      "kettle",
      "spatula",
      "ladle",
      "cookbook",
      "knife",
      "fork",
      "spoon",
    ],
    furniture: ["cupboard", "counter", "drawer", "dishwasher", "stove"],
    rooms: ["kitchen", "dining"],
  },
  {
    things: ["flour", "sugar", "rice", "pasta", "cereal", "oil", "bread", "onion", "potato", "apple", "banana", "spice", "coffee", "tea"],
    furniture: ["pantry", "cupboard", "counter", "shelf"],
    rooms: ["kitchen", "pantry"],
  },
  {
    things: ["tablecloth", "table runner", "placemat", "napkin", "centerpiece", "candle", "candles", "candlestick", "shaker", "shakers"],
    furniture: ["dining table", "sideboard"],
    rooms: ["dining"],
  },
  {
    things: ["dumbbell", "barbell", "kettlebell", "weight", "weights", "yoga mat", "jump rope", "exercise ball", "boxing gloves"],
    furniture: ["dumbbell", "weight", "sport", "sports", "gym", "exercise", "locker"],
    rooms: ["gym", "fitness", "exercise"],
  },
  {
    things: ["fins", "flippers", "goggles", "life ring", "snorkel", "swimsuit", "life vest", "swim cap", "pool noodle"],
    furniture: ["pool", "swimming"],
    rooms: ["pool", "swimming"],
  },
  { things: ["chlorine", "pool cleaner"], furniture: ["chemicals", "chemical"], rooms: ["pool"] },
  {
    things: ["toy", "doll", "teddy", "toy car", "toy sword", "blocks", "puzzle", "lego", "teddy bear", "rattle"],
    furniture: ["toy", "toys", "playpen"],
    rooms: ["kids", "kid", "children", "nursery", "playroom"],
  },
  {
    things: ["notebook", "notebooks", "pen", "pens", "pencil", "pencils", "ruler", "eraser", "homework", "stapler"],
    furniture: ["study", "desk", "office"],
    rooms: ["study", "office", "kids", "kid", "children"],
  },
  {
    things: ["book", "novel", "encyclopedia", "magazine", "atlas", "dictionary"],
    furniture: ["bookcase", "bookshelf", "book"],
    rooms: ["library", "study"],
  },
  { things: ["reading glasses", "bookmark"], furniture: ["reading"], rooms: ["library", "study"] },
  {
    things: [
      "suit",
      "dress",
      "shirt",
      "trousers",
      "coat",
      "jacket",
      "skirt",
      "sweater",
      "tie",
      "blouse",
      "jeans",
      "pants",
      "tuxedo",
      "gown",
    ],
    furniture: ["wardrobe", "closet", "dresser", "hanger"],
    rooms: ["bedroom", "dressing"],
  },
  { things: ["shoe", "shoes", "boots", "umbrella"], furniture: ["shoe", "umbrella"], rooms: ["hall", "hallway", "entrance", "foyer"] },
  {
    things: ["bed lamp", "sleeping lamp", "night lamp", "alarm clock", "nightlight", "sleeping mask"],
    furniture: ["bedside", "nightstand", "night"],
    rooms: ["bedroom"],
  },
  { things: ["blanket", "bedsheet", "quilt", "duvet", "mattress"], furniture: ["bed"], rooms: ["bedroom"] },
  { things: ["decorative pillow", "cushion", "throw pillow"], furniture: ["sofa", "couch", "armchair"], rooms: ["living", "lounge"] },
  { things: ["pillow"], furniture: ["bed", "sofa", "couch"], rooms: ["bedroom", "living"] },
  {
    things: ["tv", "television", "remote", "remote control", "dvd", "gaming console", "console", "consol", "speaker", "stereo"],
    furniture: ["tv", "television", "console", "consol", "media"],
    rooms: ["living", "lounge"],
  },
  {
    things: ["hammer", "screwdriver", "wrench", "drill", "saw", "pliers", "nail", "nails"],
    furniture: ["toolbox", "workbench", "tool"],
    rooms: ["shed", "garage", "workshop"],
  },
  {
    things: ["rake", "shovel", "hose", "watering can", "lawnmower", "flowerpot"],
    furniture: ["shed", "garden"],
    rooms: ["shed", "garden", "garage"],
  },
  {
    things: ["detergent", "laundry", "clothespin", "iron"],
    furniture: ["washing machine", "washer", "dryer", "laundry"],
    rooms: ["laundry"],
  },
  {
    things: ["mop", "broom", "bucket", "duster", "vacuum cleaner"],
    furniture: ["closet", "broom"],
    rooms: ["utility", "storage", "laundry"],
  },
];
