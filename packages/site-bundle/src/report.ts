/** `breaks`: a reader meets an error. `leaks`: opening the page sends a request to another host. `notes`: worth knowing. */
export type Level = 'breaks' | 'leaks' | 'notes'

export type Place = {
  /** Null for a file that is not a page. */
  page: string | null
  path: string
  /** The piece of markup or style, at most 200 characters; null for none. */
  excerpt: string | null
  line: number | null
}

export type Finding = {
  /** Names the same cause in another bundle of the site: SHA-256 of level, rule and target, cut to 32 hexadecimal digits. */
  fingerprint: string
  level: Level
  rule: string
  sentence: string
  target: string | null
  /** At most 1,000. */
  places: Place[]
  total: number
  seenBy: 'check' | 'report'
}

/** Result of a check. Stored as gzipped JSON beside the bundle. Never without findings only because it did not finish. */
export type Report = {
  version: 1
  /** Null when the check finished; else the reason why not. */
  unfinished: string | null
  findings: Finding[]
}
