/** Returns a random pause below a ceiling that doubles with every failure. Milliseconds. */
export const fullJitter = (
  failures: number,
  { baseMs, capMs, random = Math.random }: { baseMs: number; capMs: number; random?: () => number },
): number => random() * Math.min(capMs, baseMs * 2 ** Math.min(30, Math.max(0, failures - 1)))
