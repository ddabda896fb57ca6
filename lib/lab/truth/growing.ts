/**
 * Readings of a list that grows by one from step to step, as the truths of an episode do: what was
 * taken in is not taken in again.
 */

/**
 * Makes the reading of a growing list: `create` gives the reading of none, and `takeIn` adds an
 * item to it. The reading of a longer list goes on from that of its beginning; of any other list it
 * begins anew, so that it is the same in whatever order lists are read. It holds until the next
 * one.
 *
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
