type FirstRead = { response: Promise<Response>; askedMs: number }

const reads = () => (globalThis as { firstReads?: Map<string, FirstRead> }).firstReads

/** Later than this an answer is too old to be the first. */
const lifeMs = 10_000

/** The answer that `public/first.js` asked for while the app was loading; undefined when there is none. Each is given out once. */
export const takeFirstRead = (path: string): Promise<Response> | undefined => {
  const found = reads()?.get(path)
  reads()?.delete(path)
  return found !== undefined && performance.now() - found.askedMs < lifeMs ? found.response : undefined
}

/** Drops the answers that nobody took, because they may be for another person than the one signed in now. */
export const forgetFirstReads = (): void => reads()?.clear()
