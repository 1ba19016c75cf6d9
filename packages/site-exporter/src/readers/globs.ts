/**
 * Tells whether a path such as `a/b.md` matches a pattern with `*`, `?` and `**`. Takes time in proportion to both lengths,
 * whatever the pattern: patterns come from the source.
 */
export const matchesGlob = (path: string, pattern: string): boolean =>
  matches(path.split('/'), pattern.split('/'), '**', (segment, part) =>
    matches(segment.split(''), part.split(''), '*', (character, wanted) => wanted === '?' || wanted === character),
  )

/** Whether a pattern as in a `.gitignore` leaves a file out: a name at any depth, with `/` a place, with `/` at its end all that is in a folder. */
export const ignores = (patterns: readonly string[], file: string): boolean => {
  let ignored = false
  for (const line of patterns) {
    const isException = line.startsWith('!')
    const text = line.slice(isException ? 1 : 0).replace(/\/+$/, '')
    const place = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`
    if (text !== '' && (matchesGlob(file, place) || matchesGlob(file, `${place}/**`))) ignored = !isException
  }
  return ignored
}

/** One kind of wildcard at a time, so going back to the last one is enough. */
const matches = <T>(items: readonly T[], pattern: readonly T[], many: T, one: (item: T, wanted: T) => boolean) => {
  let [at, wanted, retryAt, retryWanted] = [0, 0, 0, -1]
  while (at < items.length) {
    if (wanted < pattern.length && pattern[wanted] === many) [retryAt, retryWanted] = [at, wanted++]
    else if (wanted < pattern.length && one(items[at]!, pattern[wanted]!)) [at, wanted] = [at + 1, wanted + 1]
    else if (retryWanted >= 0) [at, wanted, retryAt] = [retryAt + 1, retryWanted + 1, retryAt + 1]
    else return false
  }
  while (pattern[wanted] === many) wanted++
  return wanted === pattern.length
}
