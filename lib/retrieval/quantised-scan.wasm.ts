/** The compiled form of `quantised-scan.as`, in base64; a slow test compiles that anew and compares. */

/** A module of WebAssembly that imports its memory as `env.memory` and exports `scan`. */
export const WASM =
  "AGFzbQEAAAABCgFgBn9/f39/fwACDwEDZW52Bm1lbW9yeQIAAAMCAQAHEQIEc2NhbgAABm1lbW9yeQIACosCAYgCAgR7BH8DQCAEIAxLBED9DAAAAAAAAAAAAAAAAAAAAAAhBv0MAAAAAAAAAAAAAAAAAAAAACEHQQAhCgNAIAUgCksEQCAGIAAgCmoiDf0ABAAiCP2HASACIApBAXRqIgv9AAQA/boB/a4BIA39AAQQIgn9hwEgC/0ABCD9ugH9rgEhBiAHIAj9iAEgC/0ABBD9ugH9rgEgCf2IASAL/QAEMP26Af2uASEHIApBIGohCgwBCwsgAyAG/ccBIAb9yAH9zgEgB/3HASAH/cgB/c4B/c4BIgb9HQAgBv0dAXy0IAEqAgCUOAIAIAAgBWohACABQQRqIQEgA0EEaiEDIAxBAWohDAwBCwsL";
