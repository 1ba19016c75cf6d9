declare global {
  /** Reads that `preload.js` began, by their path. Undefined: not allowed, or failed. */
  var preloadedReads: Map<string, Promise<Response | undefined>> | undefined
}

/** The answer to a read that began before the app did; each is given away once. */
export const takePreloaded = (path: string): Promise<Response | undefined> | undefined => {
  const read = globalThis.preloadedReads?.get(path)
  globalThis.preloadedReads?.delete(path)
  return read
}

/** Forgets the reads that the first page did not ask for. */
export const dropPreloaded = (): void => globalThis.preloadedReads?.clear()
