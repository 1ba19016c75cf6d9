/** Limits the steps of all walks together, so that many files that load each other stay cheap. */
const maxSteps = 5_000_000

export const createUsers = () => {
  const loads = new Map<string, Set<string>>()
  const loaded = new Map<string, string[]>()
  let left = maxSteps
  return {
    add: (from: string, path: string) => {
      const users = loads.get(path)
      if (users?.has(from)) return
      if (users === undefined) loads.set(path, new Set([from]))
      else users.add(from)
      const own = loaded.get(from)
      if (own === undefined) loaded.set(from, [path])
      else own.push(path)
    },
    listLoaded: (page: string): readonly string[] => loaded.get(page) ?? [],
    /** Files that are loaded, directly or through other files, by those that `isLoading` accepts. */
    reach: (isLoading: (path: string) => boolean): ReadonlySet<string> => {
      const reached = new Set([...loaded.keys()].filter(isLoading))
      for (const one of reached) for (const path of loaded.get(one) ?? []) reached.add(path)
      return reached
    },
    /** Pages are in order. Incomplete once the walks have taken too many steps. */
    find: (path: string, isPage: (path: string) => boolean): string[] => {
      const seen = new Set([path])
      const pages = new Set<string>()
      for (const one of seen)
        for (const user of loads.get(one) ?? []) {
          if ((left -= 1) < 0) return [...pages].toSorted()
          if (isPage(user)) pages.add(user)
          else seen.add(user)
        }
      return [...pages].toSorted()
    },
  }
}

export type Users = ReturnType<typeof createUsers>
