// AssemblyScript. What it compiles to lies in quantised-scan.wasm.ts; LAB_SLOW=1 deno test tests/retrieval/quantised-scan_test.ts compares the two, and prints the new one.

/**
 * Finds the rows of a block whose product with a query can reach `cutoff`. A row of numbers in [0, 255] lies as two halves of 4 bits each, the lower
 * ones `block` rows after the upper ones: each takes `stride` bytes, a multiple of 16, whose i-th sixteen hold numbers 32·i to 32·i + 15 in
 * their lower and the sixteen after them in their upper 4 bits. After both halves stand 32-bit floats: of `block` rows the scale, then as many of `lost`.
 * The query's numbers, in [−127, 127], lie at address 0. Of each row the upper half is read, and the lower one of those with
 * (32·upper − offset) · scale · unit + lost ≥ cutoff, where upper is the dot product of the upper half with the query. Writes to `out` the upper dot
 * of each row and, of a row found, that of the whole; after `block` of them the index of each row found, 32 bits each; and gives their number.
 *
 * Eight rows an eighth of `count` apart are read side by side: memory answers several streams at once sooner than one. As many as seven rows after
 * the last may be read, and three of them found. Dots are exact on every processor: what "relaxed" leaves open are rows with numbers above 127, and
 * sums of two products beyond 16 bits.
 */
export function scan(rows: usize, out: usize, count: u32, block: u32, stride: u32, offset: i32, unit: f32, cutoff: f32): u32 {
  const below: usize = block * stride;
  const scales = rows + 2 * below;
  const part = (count + 7) >> 3;
  const step: usize = part * stride;
  const low = i8x16.splat(15);
  for (let row: u32 = 0; row < part; row++) {
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let s2 = i32x4.splat(0);
    let s3 = i32x4.splat(0);
    let s4 = i32x4.splat(0);
    let s5 = i32x4.splat(0);
    let s6 = i32x4.splat(0);
    let s7 = i32x4.splat(0);
    let from = rows + row * stride;
    for (let i: usize = 0; i < stride; i += 16) {
      const even = v128.load(2 * i);
      const odd = v128.load(2 * i, 16);
      let at = from + i;
      s0 = plus(s0, v128.load(at), even, odd, low);
      at += step;
      s1 = plus(s1, v128.load(at), even, odd, low);
      at += step;
      s2 = plus(s2, v128.load(at), even, odd, low);
      at += step;
      s3 = plus(s3, v128.load(at), even, odd, low);
      at += step;
      s4 = plus(s4, v128.load(at), even, odd, low);
      at += step;
      s5 = plus(s5, v128.load(at), even, odd, low);
      at += step;
      s6 = plus(s6, v128.load(at), even, odd, low);
      at += step;
      s7 = plus(s7, v128.load(at), even, odd, low);
    }
    let at = out + (row << 2);
    store<i32>(at, sumOf(s0));
    at += part << 2;
    store<i32>(at, sumOf(s1));
    at += part << 2;
    store<i32>(at, sumOf(s2));
    at += part << 2;
    store<i32>(at, sumOf(s3));
    at += part << 2;
    store<i32>(at, sumOf(s4));
    at += part << 2;
    store<i32>(at, sumOf(s5));
    at += part << 2;
    store<i32>(at, sumOf(s6));
    at += part << 2;
    store<i32>(at, sumOf(s7));
  }
  let found: u32 = 0;
  for (let row: u32 = 0; row < count; row += 4) {
    const dots = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shl(v128.load(out + (row << 2)), 5), i32x4.splat(offset)));
    const product = f32x4.mul(f32x4.mul(dots, v128.load(scales + (row << 2))), f32x4.splat(unit));
    const most = f32x4.add(product, v128.load(scales + ((block + row) << 2)));
    let lanes = i32x4.bitmask(f32x4.ge(most, f32x4.splat(cutoff)));
    for (; lanes != 0; lanes &= lanes - 1) store<u32>(out + ((block + found++) << 2), row + ctz(lanes));
  }
  for (let i: u32 = 0; i < found; i++) {
    const row = load<u32>(out + ((block + i) << 2));
    const lower = rows + below + row * stride;
    let sum = i32x4.splat(0);
    for (let i: usize = 0; i < stride; i += 16) {
      sum = plus(sum, v128.load(lower + i), v128.load(2 * i), v128.load(2 * i, 16), low);
    }
    const at = out + (row << 2);
    store<i32>(at, (load<i32>(at) << 4) + sumOf(sum));
  }
  return found;
}

/** A sum with the products of 32 numbers of 4 bits with the query's. */
@inline
function plus(sum: v128, bits: v128, even: v128, odd: v128, low: v128): v128 {
  sum = i32x4.relaxed_dot_i8x16_i7x16_add_s(even, v128.and(bits, low), sum);
  return i32x4.relaxed_dot_i8x16_i7x16_add_s(odd, v128.and(i16x8.shr_u(bits, 4), low), sum);
}

/** The sum of the numbers in a vector. */
@inline
function sumOf(a: v128): i32 {
  return i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1) + i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3);
}
