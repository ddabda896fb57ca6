/**
 * Invented names. Nothing here is meant to exist.
 *
 * @module
 */

import type { Draw } from "../../random.ts";

/** Makes names of each sort, no name twice. */
export interface Namer {
  person(sex: "f" | "m"): string;
  town(): string;
  country(): string;
  river(): string;
  currency(): string;
  work(): string;
}

/** A namer over a stream of draws. */
export function createNamer(draw: Draw): Namer {
  const used = new Set<string>();
  function unused(make: () => string): string {
    for (let tries = 0; tries < 1000; tries++) {
      const name = make();
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
    throw new RangeError("there are no names left; make a smaller encyclopedia");
  }
  const joined = (...parts: (readonly string[])[]): string => parts.map((part) => draw.pick(part)).join("");

  return {
    person: (sex) => unused(() => `${joined(GIVEN, sex === "f" ? WOMEN : MEN)} ${joined(FAMILY, FAMILY_ENDS)}`),
    town: () => unused(() => joined(PLACES, TOWN_ENDS)),
    country: () => unused(() => joined(PLACES, COUNTRY_ENDS)),
    river: () => unused(() => joined(PLACES, RIVER_ENDS)),
    currency: () => unused(() => joined(COINS, COIN_ENDS)),
    work: () =>
      unused(() => draw.next() < 0.7 ? `The ${draw.pick(QUALITIES)} ${draw.pick(THINGS)}` : `${draw.pick(THINGS)} of ${draw.pick(STUFFS)}`),
  };
}

function split(text: string): string[] {
  return text.split(" ");
}

const GIVEN = split("Al Bren Cor Dal El Fen Gar Hel Is Jor Kal Lor Mar Nel Or Per Ros Sil Tam Ul Ver Wil");
const WOMEN = split("da ena ia issa otta une elle");
const MEN = split("ard en ic o und us wyn");
const FAMILY = split("Ash Bel Car Dun Ever Far Gil Hol Ing Kel Lam Mer Nor Pel Quil Ren Sand Thorn Um Vas Wend");
const FAMILY_ENDS = split("bury croft den er ing ley mark ow sen ton wick");
const PLACES = split("Ar Bas Cel Dor Em Fal Gren Hal Il Kor Lun Mel Nar Os Pra Rhen Sar Tev Ur Vel Wes Yar Zel");
const TOWN_ENDS = split("bridge by dal field gate haven holm mouth port stad");
const COUNTRY_ENDS = split("avia entia isia ondia otria urland");
const RIVER_ENDS = split("e in ma ra ven");
const COINS = split("cor dram fer grel lis mon or pel tal vin");
const COIN_ENDS = split("in ka lo na ren");
const QUALITIES = split(
  "Amber Blue Broken Distant Early Frozen Golden Hidden Hollow Last Lonely Narrow Painted Quiet Silver Sunken Tall White",
);
const THINGS = split(
  "Bell Bridge Candle Garden Harbour Lantern Letter Mirror Mountain Orchard Road Shore Song Staircase Tower Voyage Window Winter",
);
const STUFFS = split("Ashes Dust Glass Iron Ivory Oak Paper Rain Salt Sand Silk Smoke Snow Stone Water");
