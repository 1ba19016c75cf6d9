import { readHostname } from '#lib/address/hostname.ts'

const splitText = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** True when every word of `text` begins a word of `names`, as in the server's search. */
export const matchesText = (text: string, names: readonly (string | null)[]): boolean => {
  const known = names.flatMap((name) => splitText(name ?? ''))
  return splitText(text).every((word) => known.some((own) => own.startsWith(word)))
}

export type PaletteRequest = {
  verb: 'export' | 'download' | 'publish' | 'roll back' | null
  /** `''` when the typed text contains nothing searchable. */
  search: string
}

export const isSiteVerb = (verb: PaletteRequest['verb']): verb is 'publish' | 'roll back' =>
  verb === 'publish' || verb === 'roll back'

/** Parses what was typed: `export docs` asks to export a domain with the word `docs`. */
export const parseRequest = (typed: string): PaletteRequest => {
  const text = typed.trim().slice(0, 200)
  const [, verb, rest] =
    /^(export|download|publish|roll back)\s+(?:the latest (?:bundle )?of\s+)?(.+)$/iu.exec(text) ?? []
  const search = rest ?? text
  return {
    verb: verb === undefined ? null : (verb.toLowerCase() as PaletteRequest['verb']),
    search: splitText(search).length === 0 ? '' : search,
  }
}

export type KnownDomain = { domain: string; label: string; isKnown: boolean }

const maxDomains = 3

/** Domains to act on: the typed one first, then those of matching exports, then other known domains that match; at most three. */
export const findDomains = (
  search: string,
  found: readonly { domain: string; domainUnicode: string | null }[],
  known: readonly string[],
): KnownDomain[] => {
  if (search === '') return []
  const domains = new Map<string, KnownDomain>()
  const typed = readHostname(search)
  const isExported = typed !== null && (known.includes(typed) || found.some(({ domain }) => domain === typed))
  if (typed !== null) domains.set(typed, { domain: typed, label: typed, isKnown: isExported })
  for (const { domain, domainUnicode } of found)
    if (matchesText(search, [domain, domainUnicode]))
      domains.set(domain, { domain, label: domainUnicode ?? domain, isKnown: true })
  for (const domain of known)
    if (!domains.has(domain) && matchesText(search, [domain]))
      domains.set(domain, { domain, label: domain, isKnown: true })
  return [...domains.values()].slice(0, maxDomains)
}
