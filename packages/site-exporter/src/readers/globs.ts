import type { SourceFolder } from '@docket/sources/source-folder'

/** Matches a path against `*`, `?` and `**`, in bounded time for any pattern from a source. */
export const matchesGlob = (path: string, pattern: string): boolean =>
  matchesPattern(path.split('/'), pattern.split('/'), '**', (segment, part) =>
    matchesPattern(
      segment.split(''),
      part.split(''),
      '*',
      (character, wanted) => wanted === '?' || wanted === character,
    ),
  )

/** Rules of a file like .gitignore. */
export const readIgnoreRules = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, 500)

export const matchesIgnoreRules = (patterns: readonly string[], file: string): boolean => {
  let ignored = false
  for (const line of patterns) {
    const isException = line.startsWith('!')
    const text = line.slice(isException ? 1 : 0).replace(/\/+$/, '')
    const place = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`
    if (text !== '' && (matchesGlob(file, place) || matchesGlob(file, `${place}/**`))) ignored = !isException
  }
  return ignored
}

/** Handles one kind of wildcard, so one backtracking point suffices. */
const matchesPattern = <T>(
  items: readonly T[],
  pattern: readonly T[],
  many: T,
  one: (item: T, wanted: T) => boolean,
) => {
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

/** The first file in the folder `base` with a name of a pattern, such as `mkdocs.{yml,yaml}`. */
export const findFile = ({ files }: Pick<SourceFolder, 'files'>, base: string, pattern: string): string | undefined =>
  expandBraces(pattern)
    .map((name) => base + name)
    .find((file) => files.has(file))

const maxPatterns = 200

/** Expands `{a,b}` in a pattern into a limited number of patterns. */
export const expandBraces = (pattern: string): string[] => {
  let patterns = [pattern.slice(0, 1_000)]
  for (let step = 0; step < 8; step++) {
    const next = patterns.flatMap((text) => {
      const [whole, inner] = /\{([^{}]*)\}/.exec(text) ?? []
      if (whole === undefined) return [text]
      const [before, after] = [text.slice(0, text.indexOf(whole)), text.slice(text.indexOf(whole) + whole.length)]
      return inner!.split(',').map((part) => before + part + after)
    })
    if (next.length === patterns.length || next.length > maxPatterns) return next.slice(0, maxPatterns)
    patterns = next
  }
  return patterns
}
