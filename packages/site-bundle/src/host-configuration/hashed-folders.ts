const token = /[.-]([\w-]{8,})\.[a-z\d]+$/

/** A hash and not a word or a date: hexadecimal with letters, or letters and digits or cases mixed as no word has them. */
const isHash = (text: string) =>
  /^(?=.*[a-f])(?=.*\d)[\da-f]+$/.test(text) ||
  (/[a-z]/.test(text) && /[A-Z]/.test(text.slice(1)) && /^\w+$/.test(text))

const hasHash = (path: string) => {
  const text = token.exec(path)?.[1]
  return (
    text !== undefined && (isHash(text) || isHash(text.split('-').at(-1)!.padStart(8, '-')) || isHash(text.slice(-8)))
  )
}

/**
 * Topmost folders in which every file, at least two, has a hash in its name: only what a build names by content may be kept forever. Their
 * names have letters, digits, `.`, `_` and `-` only.
 */
export const findHashedFolders = (paths: Iterable<string>): string[] => {
  const folders = new Map<string, { hashed: number; others: number }>()
  for (const path of paths) {
    const kind = hasHash(path) ? 'hashed' : 'others'
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end + 1)
      const counts = folders.get(folder) ?? { hashed: 0, others: 0 }
      counts[kind] += 1
      folders.set(folder, counts)
    }
  }
  const hashed = [...folders].flatMap(([folder, counts]) =>
    counts.others === 0 && counts.hashed > 1 && /^([\w.-]+\/)+$/.test(folder) ? [folder] : [],
  )
  const all = new Set(hashed)
  const isTopmost = (folder: string) => !all.has(folder.replace(/[^/]+\/$/, ''))
  return hashed.filter(isTopmost).toSorted()
}
