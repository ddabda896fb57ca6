/** Readings of a list that grows by one from step to step, as an episode's truths do. */

/**
 * Makes the reading of a growing list: `create` gives the reading of none, `takeIn` adds an item. A
 * longer list goes on from the reading of its beginning; any other begins again.
 * @param keyOf what an item is known by, which decides all that `takeIn` reads of it
 */
export function readGrowing<Item, Reading>(
  { create, takeIn, keyOf }: {
    readonly create: () => Reading;
    readonly takeIn: (reading: Reading, item: Item) => void;
    readonly keyOf: (item: Item) => object;
  },
): (items: readonly [Item, ...Item[]]) => Reading {
  const latest = new WeakMap<object, { readonly keys: object[]; readonly reading: Reading }>(); // by the first item
  return (items) => {
    const keys = items.map(keyOf);
    const known = latest.get(keyOf(items[0]));
    const isBeginning = known?.keys.every((key, index) => key === keys[index]) ?? false;
    const { reading, keys: taken } = known && isBeginning ? known : { reading: create(), keys: [] };
    for (const item of items.slice(taken.length)) takeIn(reading, item);
    latest.set(keyOf(items[0]), { reading, keys });
    return reading;
  };
}
