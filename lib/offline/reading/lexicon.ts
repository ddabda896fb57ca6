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

/**
 * Where things of a household usually belong. The entry whose word ends the item's name (or else stands in it) counts. Things are named by
 * single common nouns, as a dictionary of the house would have them; what a game calls its things in full is none of the reader's business.
 */
export const HOUSEHOLD: readonly Household[] = [
  {
    things: ["toothbrush", "toothpaste", "soap", "shampoo", "deodorant", "razor", "comb", "hairbrush", "perfume", "lotion", "mouthwash"],
    furniture: ["washbasin", "basin", "sink", "vanity", "shower", "bathtub"],
    rooms: ["bathroom", "washroom", "restroom"],
  },
  { things: ["tissue", "plunger"], furniture: ["toilet"], rooms: ["bathroom", "washroom", "restroom"] },
  { things: ["towel", "bathrobe", "washcloth", "sponge"], furniture: ["hook", "rack", "rail"], rooms: ["bathroom", "washroom", "laundry"] },
  {
    things: [
      "milk",
      "cheese",
      "meat",
      "butter",
      "egg",
      "eggs",
      "yogurt",
      "fish",
      "chicken",
      "sausage",
      "cream",
      "beef",
      "pork",
      "ham",
      "juice",
    ],
    furniture: ["refrigerator", "fridge", "freezer"],
    rooms: ["kitchen", "pantry"],
  },
  {
    things: ["plate", "dish", "bowl", "cup", "mug", "saucer", "glass", "cutlery"],
    furniture: ["dishwasher", "cupboard", "sideboard"],
    rooms: ["kitchen", "dining"],
  },
  {
    things: ["pan", "pot", "kettle", "spatula", "ladle", "knife", "cookbook"],
    furniture: ["counter", "cupboard", "drawer", "stove"],
    rooms: ["kitchen"],
  },
  {
    things: ["flour", "sugar", "rice", "pasta", "cereal", "oil", "bread", "onion", "potato", "apple", "banana", "spice", "coffee", "tea"],
    furniture: ["cupboard", "counter", "shelf"],
    rooms: ["kitchen", "pantry"],
  },
  {
    things: ["tablecloth", "placemat", "napkin", "candle", "candles", "candlestick"],
    furniture: ["sideboard", "table"],
    rooms: ["dining"],
  },
  {
    things: ["dumbbell", "barbell", "kettlebell", "weight", "weights", "racket", "ball", "gloves"],
    furniture: ["rack", "locker", "bench"],
    rooms: ["gym", "fitness", "sports"],
  },
  {
    things: ["toy", "doll", "blocks", "puzzle", "teddy", "rattle", "kite"],
    furniture: ["box", "chest", "cabinet"],
    rooms: ["kids", "children", "nursery", "playroom"],
  },
  {
    things: ["notebook", "pen", "pens", "pencil", "pencils", "crayon", "crayons", "ruler", "eraser", "homework", "stapler"],
    furniture: ["desk", "study"],
    rooms: ["study", "office", "kids", "children"],
  },
  {
    things: ["book", "novel", "encyclopedia", "magazine", "atlas", "dictionary", "bookmark"],
    furniture: ["bookcase", "bookshelf"],
    rooms: ["library", "study"],
  },
  { things: ["glasses", "spectacles"], furniture: ["desk", "nightstand"], rooms: ["study", "library", "bedroom"] },
  {
    things: ["suit", "dress", "shirt", "trousers", "coat", "jacket", "skirt", "sweater", "tie", "blouse", "jeans", "pants", "gown"],
    furniture: ["wardrobe", "closet", "dresser"],
    rooms: ["bedroom", "dressing"],
  },
  { things: ["shoe", "shoes", "boots", "umbrella"], furniture: ["rack", "stand"], rooms: ["hall", "hallway", "entrance", "foyer"] },
  { things: ["lamp", "clock", "nightlight"], furniture: ["nightstand", "bedside", "desk"], rooms: ["bedroom", "study", "living"] },
  { things: ["blanket", "sheet", "quilt", "duvet"], furniture: ["bed"], rooms: ["bedroom"] },
  { things: ["pillow", "cushion"], furniture: ["bed", "sofa", "couch", "armchair"], rooms: ["bedroom", "living", "lounge"] },
  {
    things: ["television", "remote", "console", "controller", "speaker", "stereo"],
    furniture: ["television", "tv", "cabinet"],
    rooms: ["living", "lounge"],
  },
  {
    things: ["hammer", "screwdriver", "wrench", "drill", "saw", "pliers", "nail", "nails"],
    furniture: ["toolbox", "workbench"],
    rooms: ["shed", "garage", "workshop"],
  },
  { things: ["rake", "shovel", "hose", "lawnmower", "flowerpot"], furniture: ["shed"], rooms: ["shed", "garden", "garage"] },
  { things: ["detergent", "clothespin", "iron"], furniture: ["washer", "dryer"], rooms: ["laundry"] },
  { things: ["mop", "broom", "bucket", "duster", "vacuum"], furniture: ["closet"], rooms: ["utility", "storage", "laundry"] },
];
