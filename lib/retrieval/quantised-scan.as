// AssemblyScript. What it compiles to lies in quantised-scan.wasm.ts; LAB_SLOW=1 deno test tests/retrieval/quantised-scan_test.ts compares the two, and prints the new one.

/**
 * Writes to `out` the dot product of each of `count` rows of 8-bit numbers with a query of 16-bit numbers, times the row's scale.
 * `stride` is the length of a row in numbers, a multiple of 32; `scales` and `out` hold one 32-bit float a row. All are addresses.
 */
export function scan(rows: usize, scales: usize, query: usize, out: usize, count: u32, stride: u32): void {
  for (let row: u32 = 0; row < count; row++) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    for (let i: usize = 0; i < stride; i += 32) {
      const low = v128.load(rows + i);
      const high = v128.load(rows + i, 16);
      const at = query + (i << 1);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(low), v128.load(at)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(low), v128.load(at, 16)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(high), v128.load(at, 32)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(high), v128.load(at, 48)));
    }
    const c = i64x2.add(i64x2.extend_low_i32x4_s(a), i64x2.extend_high_i32x4_s(a));
    const d = i64x2.add(i64x2.extend_low_i32x4_s(b), i64x2.extend_high_i32x4_s(b));
    const sum = i64x2.add(c, d);
    const total = i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
    store<f32>(out, <f32>total * load<f32>(scales));
    rows += stride;
    scales += 4;
    out += 4;
  }
}
