/**
 * The policy for NetHack's skills: answer questions, pray near death, fight, eat, go down, pick up,
 * explore, and at last try what is locked or hidden.
 */

import {
  type CallMade,
  type DungeonView,
  plainSight as plain,
  type Sight,
} from "../reading/nethack-text.ts";
import { capitalised } from "../../core/text/capitalised.ts";
import type { Goal } from "./goals.ts";

export interface DungeonSituation {
  readonly view: DungeonView;
  readonly task: string;
  readonly made: readonly CallMade[];
  readonly news?: readonly Sight[];
  /** Places on this level where memory knows a way down: `in room 3`. */
  readonly knownWaysDown?: readonly string[];
  readonly unexplored?: readonly Pick<Sight, "x" | "y">[];
}

export interface SkillChoice {
  readonly call: string;
  readonly reason: string;
}

const NEAR = 6;
const FETCH = 12;
const PRAYER = 1000;

const KICKS = 8;

export function chooseSkill(situation: DungeonSituation): SkillChoice {
  const { view } = situation;
  if (view.question !== "") return answer(view);
  for (const rule of RULES) {
    const step = rule(situation);
    if (step && !isFutile(step.call, situation.made)) return step;
  }
  return { call: "explore_level()", reason: "There is nothing better to do than to look around." };
}

/** The goals in a dungeon, most pressing first; never empty. */
export function dungeonGoals(
  { view, task, news = [], knownWaysDown = [] }: DungeonSituation,
): Goal[] {
  const add = (kind: Goal["kind"], thing: string, text: string, reason: string): void =>
    void found.push({ kind, thing, text, reason });
  const found: Goal[] = [];
  for (const foe of foesOf(view).filter(near)) {
    add("take", foe.name, `Defeat the ${plain(foe.name)} at ${at(foe)}.`, "It is near.");
  }
  if (isHungry(view)) add("eat", "food", "Eat the food that is carried.", "Hunger kills.");
  if (wantsDown(task)) {
    const [down] = waysDown(view, news);
    const place = down ? `at ${at(down)}` : knownWaysDown[0];
    if (place === undefined) {
      add(
        "find",
        "way down",
        "Find the stairs down.",
        "The task is to go down, and no way is known yet.",
      );
    } else add("explore", "way down", `Take the stairs down ${place}.`, "The task is to go down.");
  }
  add(
    "explore",
    "",
    "Explore the exits of this level that were not passed yet.",
    "What is needed may lie behind them.",
  );
  return found;
}

type Rule = (situation: DungeonSituation) => SkillChoice | undefined;

const RULES: readonly Rule[] = [
  ({ view }) =>
    isDying(view) || /weak|faint/.test(view.state) && !foodOf(view) ? pray(view) : undefined,
  ({ view, made }) => fight(view, made, 1),
  ({ view }) => {
    const food = isHungry(view) ? foodOf(view) : undefined;
    return food &&
      {
        call: `eat(item_letter="${food.letter}")`,
        reason: `The ${plain(food.name)} stills the hunger.`,
      };
  },
  ({ view, made }) => fight(view, made, NEAR),
  ({ view, made }) =>
    isHurt(view) && !view.harmed &&
      made.slice(-3).filter(({ call }) => call.startsWith("rest(")).length < 3
      ? { call: "rest(count=20)", reason: "Nobody is near, and wounds need time." }
      : undefined,
  ({ view, task, news = [] }) =>
    wantsDown(task) && waysDown(view, news).length > 0
      ? { call: "down()", reason: "There is a way down, and the task is to go down." }
      : undefined,
  ({ view }) =>
    carriedUnpaid(view) &&
    { call: "pay()", reason: "What is not paid for belongs to somebody else." },
  ({ view }) => {
    const unpaid = carriedUnpaid(view);
    return unpaid &&
      { call: `drop(item_letter="${unpaid.letter}")`, reason: "It cannot be paid for." };
  },
  ({ view }) => {
    const [thing] = [...view.here].filter((sight) =>
      isUseful(sight.name, view) && (sight.steps ?? Infinity) <= FETCH
    )
      .sort((a, b) => (a.steps ?? 0) - (b.steps ?? 0));
    return thing &&
      {
        call: `pickup(x=${thing.x}, y=${thing.y})`,
        reason: `${capitalised(plain(thing.name))} may be of use.`,
      };
  },
  ({ view, made }) => {
    const inVain = made.length >= KICKS &&
      made.slice(-KICKS).every(({ call }) => call.startsWith("kick("));
    const door = isExhausted(made) && !inVain
      ? lockedDoors(view).find((one) => !isFutile(kick(one).call, made))
      : undefined;
    return door && kick(door);
  },
  ({ view, unexplored = [], made }) => {
    if (!isExhausted(made)) return undefined;
    const locked = lockedDoors(view);
    const here = [
      ...view.exits.filter(({ passed, steps }) => passed === false && steps !== undefined),
      ...unexplored,
    ]
      .filter(({ x, y }) => !locked.some((door) => door.x === x && door.y === y));
    const way = here.find(({ x, y }) =>
      !made.some(({ call }) => call === `move_to(x=${x}, y=${y})`)
    );
    return way &&
      { call: `move_to(x=${way.x}, y=${way.y})`, reason: "That way was not taken yet." };
  },
  ({ task, knownWaysDown = [] }) => {
    const [known] = knownWaysDown;
    return wantsDown(task) && known !== undefined
      ? { call: "down()", reason: `Memory tells of stairs down ${known}.` }
      : undefined;
  },
  ({ made }) =>
    failedLately("explore_level", made)
      ? undefined
      : { call: "explore_level()", reason: "What is not known yet may help." },
  ({ made }) =>
    made.slice(-2).every(({ call }) => call.startsWith("search("))
      ? { call: "explore_level()", reason: "Perhaps something was found." }
      : { call: "search(count=15)", reason: "What is not seen may be hidden." },
];

function answer({ question, state }: DungeonView): SkillChoice {
  if (/\beat\b/i.test(question) && /hungry|weak|faint/.test(state) && /\[.*y.*\]/.test(question)) {
    return { call: 'press_key(key="y")', reason: "Food is wanted." };
  }
  if (/\bpay\b/i.test(question)) return { call: 'press_key(key="y")', reason: "It is owed." };
  return { call: 'press_key(key="ESC")', reason: "Nothing of that is wanted now." };
}

function pray(view: DungeonView): SkillChoice | undefined {
  return view.prayed < PRAYER ? undefined : { call: "pray()", reason: "Nothing else helps now." };
}

function fight(
  view: DungeonView,
  made: readonly CallMade[],
  within: number,
): SkillChoice | undefined {
  const foe = foesOf(view).find((one) =>
    (one.steps ?? Infinity) <= within && !isFutile(`melee_attack(x=${one.x}, y=${one.y})`, made)
  );
  return foe &&
    { call: `melee_attack(x=${foe.x}, y=${foe.y})`, reason: `The ${plain(foe.name)} is near.` };
}

function foesOf({ creatures }: DungeonView): readonly Sight[] {
  return creatures.filter(({ name }) => !/\b(?:tame|peaceful|friendly)\b/.test(name));
}

function near({ steps }: Sight): boolean {
  return (steps ?? Infinity) <= NEAR;
}

function isDying({ health }: DungeonView): boolean {
  return health !== undefined && (health.now < 6 || health.now * 7 <= health.most) &&
    health.now < health.most;
}

function isHurt({ health }: DungeonView): boolean {
  return health !== undefined && health.now * 2 < health.most;
}

function isHungry({ state }: DungeonView): boolean {
  return /hungry|weak|faint|starv/.test(state);
}

const FOOD =
  /\b(?:food|rations?|bread|meat|apples?|oranges?|pears?|bananas?|melons?|carrots?|eggs?|pancakes?|cookies?|cakes?|cand(?:y|ies)|pies?|fruits?|wafers?)\b/;

function foodOf({ carried }: DungeonView): DungeonView["carried"][number] | undefined {
  return carried.find(({ name }) => FOOD.test(name));
}

function carriedUnpaid({ carried }: DungeonView): DungeonView["carried"][number] | undefined {
  return carried.find(({ name }) => name.includes("unpaid"));
}

const SELLER = /keeper|merchant|trader|vendor|seller/;
const USEFUL = /\b(?:gold|coins?|gems?|jewels?|rings?|amulets?|potions?|scrolls?|wands?)\b/;

function isUseful(name: string, { creatures }: DungeonView): boolean {
  if (
    /for sale|unpaid|\bcosts?\b|\(\d+ [a-z]+\)/.test(name) ||
    creatures.some((creature) => SELLER.test(creature.name))
  ) return false;
  return (USEFUL.test(name) || FOOD.test(name)) && !/corpse|statue/.test(name);
}

function wantsDown(task: string): boolean {
  return /\b(?:down(?:wards?)?|deep(?:er|est)?|descend(?:ing)?|depths?|bottom|lower(?:most)?|below|beneath)\b/i
    .test(task);
}

function waysDown({ here, elsewhere, ...view }: DungeonView, news: readonly Sight[]): Sight[] {
  const shown = [...here, ...[...elsewhere.values()].flat()];
  const seen = [...view.news, ...news].filter(({ x, y }) =>
    !shown.some((sight) => sight.x === x && sight.y === y)
  );
  return [...shown.filter(({ steps }) => steps !== undefined), ...seen].filter(({ name }) =>
    WAY_DOWN.test(name)
  );
}

export const WAY_DOWN =
  /\b(?:stairs?|staircase|stairway|steps|ladder)\b[\w ]*\bdown(?:wards?)?\b|\bdown(?:wards?|ward)? (?:stairs?|staircase|stairway|ladder)\b/i;

function lockedDoors({ exits, exploration }: DungeonView): Pick<Sight, "x" | "y">[] {
  const told = [...exploration.matchAll(/\blocked [\w ]+? at \((\d+), (\d+)\)/g)].map((
    [, x, y],
  ) => ({ x: Number(x), y: Number(y) }));
  const shown = exits.filter(({ name }) => /\blocked\b/.test(name));
  return [
    ...shown,
    ...told.filter(({ x, y }) => !shown.some((door) => door.x === x && door.y === y)),
  ];
}

function kick({ x, y }: Pick<Sight, "x" | "y">): SkillChoice {
  return { call: `kick(x=${x}, y=${y})`, reason: "A locked door gives way to a kick." };
}

/** Whether the same call failed the last time or was made four times, among the last six. */
function isFutile(call: string, made: readonly CallMade[]): boolean {
  const same = made.slice(-6).filter((one) => bare(one.call) === bare(call));
  return same.at(-1)?.outcome === "failed" || same.length >= 4 && !call.startsWith("explore_level");
}

function isExhausted(made: readonly CallMade[]): boolean {
  const last = made.findLast(({ call }) => call.startsWith("explore_level"));
  return last !== undefined && (last.outcome === "failed" || /turns have passed/.test(last.result));
}

function failedLately(name: string, made: readonly CallMade[]): boolean {
  return made.slice(-3).some(({ call, outcome }) =>
    call.startsWith(`${name}(`) && outcome === "failed"
  );
}

function bare(call: string): string {
  return call.replaceAll(/\s/g, "");
}

function at({ x, y }: Sight): string {
  return `(${x}, ${y})`;
}
