/** Rewrite of page files, such as `packages/:name/docs/(.*)` to `:name/(.*)`. */
export type Rewrite = { from: string; to: string }

const maxParameters = 6

/** Creates a function that returns the rewritten file. The first pattern that matches wins. */
export const createRewrite = (rewrites: readonly Rewrite[]): ((file: string) => string) => {
  const patterns = rewrites.flatMap(({ from, to }) => {
    const pattern = toPattern(from)
    return pattern ? [{ pattern, to }] : []
  })
  return (file) => {
    for (const { pattern, to } of patterns) {
      const values = pattern(file.split('/'))
      if (values) return fillPattern(to, values)
    }
    return file
  }
}

type Values = ReadonlyMap<string, string>

/** Matches segments: fixed ones, `:name`, and `:name*`, `:name(.*)` or `(.*)` for the rest. */
const toPattern = (from: string): ((segments: readonly string[]) => Values | null) | null => {
  const parts = from.split('/')
  const wild = parts.findIndex((part) => rest.test(part))
  // Only the last part of a pattern can match the rest of a path.
  if ((wild >= 0 && wild < parts.length - 1) || parts.filter((part) => /[:(]/.test(part)).length > maxParameters)
    return null
  return (segments) => {
    if (wild < 0 ? segments.length !== parts.length : segments.length < wild) return null
    const values = new Map<string, string>()
    for (const [index, part] of parts.entries()) {
      if (index === wild) values.set(rest.exec(part)?.[1] ?? '0', segments.slice(index).join('/'))
      else if (/^:\w+(\.md)?$/.test(part)) values.set(/\w+/.exec(part)![0], segments[index]!.replace(/\.md$/, ''))
      else if (part !== segments[index]) return null
    }
    return values
  }
}

const rest = /^(?::(\w+))?(?:\*|\(\.\*\)\*?|\(\.\+\)\*?)$/

const fillPattern = (to: string, values: Values) =>
  to
    .split('/')
    .map((part) => {
      const name = rest.test(part) ? (rest.exec(part)![1] ?? '0') : (/^:(\w+)/.exec(part)?.[1] ?? null)
      const value = name === null ? undefined : values.get(name)
      return value === undefined ? part : part.endsWith('.md') && !value.endsWith('.md') ? `${value}.md` : value
    })
    .filter((part) => part !== '')
    .join('/')
