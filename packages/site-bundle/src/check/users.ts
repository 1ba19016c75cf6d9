/** Which pages load a file, through other files as well. Keys are paths. */
export const createUsers = () => {
  const loads = new Map<string, Set<string>>()
  const loaded = new Map<string, string[]>()
  return {
    /** `from` loads `path`. */
    add: (from: string, path: string) => {
      const users = loads.get(path)
      if (users?.has(from)) return
      if (users === undefined) loads.set(path, new Set([from]))
      else users.add(from)
      const own = loaded.get(from)
      if (own === undefined) loaded.set(from, [path])
      else own.push(path)
    },
    /** Files that a page names itself. */
    listLoaded: (page: string): readonly string[] => loaded.get(page) ?? [],
    /** Pages that load a file, in order. */
    find: (path: string, isPage: (path: string) => boolean): string[] => {
      const seen = new Set([path])
      const pages = new Set<string>()
      for (const one of seen)
        for (const user of loads.get(one) ?? []) {
          if (isPage(user)) pages.add(user)
          else seen.add(user)
        }
      return [...pages].toSorted()
    },
  }
}

/** Which pages load a file. */
export type Users = ReturnType<typeof createUsers>
