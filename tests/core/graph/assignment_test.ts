import assert from "node:assert/strict";
import { assign } from "../../../lib/core/graph/assignment.ts";
import { numbers } from "./random.ts";

/** The cheapest of all ways to give each row its own column. */
function cheapest(
  costs: Float64Array,
  rows: number,
  columns: number,
  row = 0,
  taken: ReadonlySet<number> = new Set(),
): number {
  if (row === rows) return 0;
  let least = Infinity;
  for (let column = 0; column < columns; column++) {
    if (taken.has(column)) continue;
    const rest = cheapest(costs, rows, columns, row + 1, new Set([...taken, column]));
    least = Math.min(least, (costs[row * columns + column] ?? NaN) + rest);
  }
  return least;
}

Deno.test("assign() finds the cheapest of all assignments, with prices that prove it", () => {
  for (let seed = 0; seed < 400; seed++) {
    const draw = numbers(seed);
    const rows = Math.floor(draw() * 6);
    const columns = rows + Math.floor(draw() * 3);
    const costs = Float64Array.from(
      { length: rows * columns },
      () => seed % 2 ? Math.floor(draw() * 7) - 5 : draw() * 10 - 5,
    );
    const { cost, columnOf, rowPrice, columnPrice } = assign({ rows, columns, costs });
    close(cost, cheapest(costs, rows, columns), `seed ${seed}`);
    assert.equal(new Set(columnOf).size, rows);
    close(
      [...columnOf].reduce((sum, column, row) => sum + (costs[row * columns + column] ?? NaN), 0),
      cost,
    );
    close([...rowPrice, ...columnPrice].reduce((sum, price) => sum + price, 0), cost);
    for (const price of columnPrice) assert.ok(price <= 0);
    for (const [index, value] of costs.entries()) {
      const slack = value - (rowPrice[Math.floor(index / columns)] ?? NaN) -
        (columnPrice[index % columns] ?? NaN);
      assert.ok(slack > -1e-9, `seed ${seed}: the price of ${index} is ${-slack} too high`);
    }
  }
});

Deno.test("assign() refuses more rows than columns", () => {
  assert.throws(() => assign({ rows: 2, columns: 1, costs: new Float64Array(2) }), RangeError);
});

function close(value: number, wanted: number, message?: string): void {
  assert.ok(Math.abs(value - wanted) < 1e-9, `${message ?? ""}: ${value} for ${wanted}`);
}
