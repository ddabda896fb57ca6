import assert from "node:assert/strict";

/** Asserts that a number is within a tolerance of another one. */
export function close(actual?: number, expected?: number, tolerance = 0): void {
  assert.ok(
    Math.abs((actual ?? NaN) - (expected ?? NaN)) <= tolerance,
    `${actual} is not within ${tolerance} of ${expected}`,
  );
}
