// AssemblyScript. What it compiles to lies in quantised-scan.wasm.ts; LAB_SLOW=1 deno test tests/retrieval/quantised-scan_test.ts compares the two, and prints the new one.

/**
 * Finds the rows whose product with a query can reach `cutoff`: those with (dot − offset) · scale · unit + lost ≥ cutoff, where dot is the dot
 * product of a row of numbers in [0, 127] with the query's numbers in [−127, 127]. `stride` is the length of a row in numbers, a multiple of 32;
 * `scales` holds a 32-bit float a row, and after `block` of them as many of `lost`. Writes the dots to `out`, and after `block` of them the index of each
 * row found, 32 bits each, and gives their number.
 *
 * Rows are read in pairs, so that each part of the query is loaded once for both, and compared by four; after the last of `count` up to three more may
 * be among the found. Dots are exact on every processor: what "relaxed" leaves open are rows with numbers above 127, and sums of two products beyond
 * 16 bits.
 */
export function scan(
  rows: usize, scales: usize, query: usize, out: usize, count: u32, block: u32, stride: u32, offset: i32, unit: f32, cutoff: f32,
): u32 {
  for (let row: u32 = 0; row < count; row += 2) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    const other = rows + stride;
    for (let i: usize = 0; i < stride; i += 32) {
      const low = v128.load(query + i);
      const high = v128.load(query + i, 16);
      a = i32x4.relaxed_dot_i8x16_i7x16_add_s(low, v128.load(rows + i), a);
      b = i32x4.relaxed_dot_i8x16_i7x16_add_s(high, v128.load(rows + i, 16), b);
      c = i32x4.relaxed_dot_i8x16_i7x16_add_s(low, v128.load(other + i), c);
      d = i32x4.relaxed_dot_i8x16_i7x16_add_s(high, v128.load(other + i, 16), d);
    }
    store<i32>(out + (row << 2), sumOf(i32x4.add(a, b)));
    store<i32>(out + (row << 2), sumOf(i32x4.add(c, d)), 4);
    rows += 2 * stride;
  }
  let found: u32 = 0;
  for (let row: u32 = 0; row < count; row += 4) {
    const dots = f32x4.convert_i32x4_s(i32x4.sub(v128.load(out + (row << 2)), i32x4.splat(offset)));
    const product = f32x4.mul(f32x4.mul(dots, v128.load(scales + (row << 2))), f32x4.splat(unit));
    const most = f32x4.add(product, v128.load(scales + ((block + row) << 2)));
    let lanes = i32x4.bitmask(f32x4.ge(most, f32x4.splat(cutoff)));
    for (; lanes != 0; lanes &= lanes - 1) store<u32>(out + ((block + found++) << 2), row + ctz(lanes));
  }
  return found;
}

/** The sum of the numbers in a vector. */
@inline
function sumOf(a: v128): i32 {
  return i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1) + i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3);
}
