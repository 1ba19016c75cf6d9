type Area = { title: string; entries: string[] }

/** A heading of the changelog, such as `1.0.0 – 2026-11-24` or `Unreleased`, and its content. */
export type Release = {
  /** Null for unreleased changes. */
  version: string | null
  date: string | null
  areas: Area[]
}

const findMatch = (pattern: RegExp, text: string): string | null => pattern.exec(text)?.[0] ?? null

/** Reads the releases of a changelog, in its order. Omits text above the first release. */
export const parseChangelog = (markdown: string): Release[] => {
  const releases: Release[] = []
  let wraps = false
  for (const line of markdown.split('\n').map((text) => text.trimEnd())) {
    const [, marks, title = ''] = /^(#{2,3}) (.+)$/.exec(line) ?? []
    const release = releases.at(-1)
    const area = release?.areas.at(-1)
    const entry = /^(?:[-*] )?(.+)$/.exec(line.trim())?.[1]
    if (marks === '##')
      releases.push({
        version: findMatch(/\d+\.\d+\.\d+(?:-[\w.]+)?/, title),
        date: findMatch(/\d{4}-\d{2}-\d{2}/, title),
        areas: [],
      })
    else if (marks === '###') release?.areas.push({ title, entries: [] })
    else if (release && entry !== undefined) {
      const { entries } = area ?? release.areas[release.areas.push({ title: 'Changes', entries: [] }) - 1]!
      if (wraps && !/^\s*[-*] /.test(line)) entries.push(`${entries.pop()} ${entry}`)
      else entries.push(entry)
    }
    wraps = marks === undefined && entry !== undefined
  }
  return releases
}

/** Number of releases newer than `lastRead`; all of them if that version is not listed. */
export const countNewReleases = (releases: readonly Release[], lastRead: string | null): number => {
  if (lastRead === null) return 0
  const known = releases.findIndex(({ version }) => version === lastRead)
  return known === -1 ? releases.length : known
}

export type Piece = { text: string; look: 'plain' | 'strong' | 'emphasis' | 'code' }

const marked = /\*\*([^*]+)\*\*|`([^`]+)`|(?<!\w)_([^_]+)_(?!\w)|\[([^\]]+)\]\([^)]*\)/g

/** Parses bold, emphasised and code text of one line. Links become plain text, because the page links to no other site. */
export const parseTextPieces = (line: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: all, index, ...groups } of line.matchAll(marked)) {
    pieces.push({ text: line.slice(from, index), look: 'plain' })
    const looks = ['strong', 'code', 'emphasis', 'plain'] as const
    looks.forEach((look, n) => {
      const text = (groups as Record<number, string | undefined>)[n + 1]
      if (text !== undefined) pieces.push({ text, look })
    })
    from = index + all.length
  }
  return [...pieces, { text: line.slice(from), look: 'plain' } as const].filter(({ text }) => text !== '')
}
