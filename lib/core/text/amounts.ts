/** Durations and large counts in a few characters, for progress and pages. */

/** Writes a time span in seconds: `40 s`, `5 min`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** Writes a count: `950`, `12 k`, `1.2 M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  return n < 1e6 ? `${Math.round(n / 1000)} k` : `${(n / 1e6).toFixed(1)} M`;
}
