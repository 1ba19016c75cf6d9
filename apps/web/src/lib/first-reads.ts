type FirstRead = { response: Promise<Response>; askedMs: number }

/** Later than this an answer is too old to be the first. */
const lifeMs = 10_000

/** The answer that `public/first.js` asked for while the app was loading; undefined when there is none. Each is given out once. */
export const takeFirstRead = (path: string): Promise<Response> | undefined => {
  const { firstReads } = globalThis as { firstReads?: Map<string, FirstRead> }
  const found = firstReads?.get(path)
  firstReads?.delete(path)
  return found !== undefined && performance.now() - found.askedMs < lifeMs ? found.response : undefined
}
