/** Dot product, summed in the plain order. */
export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [i, value] of (a ?? new Float32Array()).entries()) sum += value * (b?.[i] ?? 0);
  return sum;
}
