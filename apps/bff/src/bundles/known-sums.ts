const mostKept = 1000

/**
 * Which bundles this process has sent whole before, and in which version: their SHA-256 is recorded, and working it out costs more
 * than sending them. A bundle without an entity tag is never known.
 */
export const knownSums = () => {
  const tags = new Map<string, string>()
  return {
    has: (exportId: string, tag: string | null): boolean => tag !== null && tags.get(exportId) === tag,
    add: (exportId: string, tag: string | null): void => {
      if (tag === null) return
      tags.delete(exportId)
      tags.set(exportId, tag)
      const [oldest] = tags.keys()
      if (tags.size > mostKept && oldest !== undefined) tags.delete(oldest)
    },
  }
}
