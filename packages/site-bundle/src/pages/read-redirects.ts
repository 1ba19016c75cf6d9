/** Redirects that a bundle describes in files of its own. `matches` takes an address without a host. */
export type Redirects = { list: { from: string; to: string }[]; matches: (address: string) => boolean }

const maxRedirects = 10_000

const readLines = (text: string) =>
  text.split('\n').flatMap((line) => {
    const [from = '', ...rest] = line.trim().split(/\s+/)
    const to = rest.find((part) => /^(\/|https?:)/.test(part))
    return from.startsWith('/') && to !== undefined ? [{ from, to }] : []
  })

const readVercel = (text: string) => {
  try {
    const { redirects } = JSON.parse(text) as { redirects?: unknown }
    return (Array.isArray(redirects) ? (redirects as unknown[]) : []).flatMap((one) => {
      const { source, destination } = (one ?? {}) as Record<string, unknown>
      return typeof source === 'string' && typeof destination === 'string' ? [{ from: source, to: destination }] : []
    })
  } catch {
    return []
  }
}

const removeEndSlash = (address: string) => address.replace(/(.)\/$/, '$1')

/** Part of a pattern before its first wildcard or name; null for a plain address. */
const readFixedPart = (pattern: string) => /^(.*?)[*:(]/.exec(pattern)?.[1] ?? null

/** A pattern that matches every address is a fallback and redirects nothing. */
export const readRedirects = (files: { redirects: string | null; vercel: string | null }): Redirects => {
  const list = [...readLines(files.redirects ?? ''), ...readVercel(files.vercel ?? '')].slice(0, maxRedirects)
  const plain = new Set(list.filter(({ from }) => readFixedPart(from) === null).map(({ from }) => removeEndSlash(from)))
  const fixed = new Set(list.flatMap(({ from }) => readFixedPart(from) ?? []).filter((prefix) => prefix.length > 1))
  // Without those that another one covers, only the last prefix before an address can begin it.
  const prefixes: string[] = []
  for (const prefix of [...fixed].toSorted()) if (!prefix.startsWith(prefixes.at(-1) ?? '\n')) prefixes.push(prefix)
  const hasPrefix = (address: string) => {
    let [low, high] = [0, prefixes.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (prefixes[middle]! <= address) low = middle + 1
      else high = middle
    }
    return address.startsWith(prefixes[low - 1] ?? '\n')
  }
  return { list, matches: (address) => plain.has(removeEndSlash(address)) || hasPrefix(address) }
}
