export const statuses = [200, 301, 302, 303, 307, 308, 404, 410] as const

/** What a bundle wants an address to lead to. Addresses are below the mount. Stored in the manifest. */
export type Rule = {
  /** Decoded: an address, or a pattern such as `/blog/:year/:post(number)` or `/v1/*`. */
  from: string
  /** What the query must have. `:name` stands for any value. */
  query?: Record<string, string>
  /** Encoded, with `:name` for a part of the address and `:splat` for all that `*` stands for. Null for the nearest 404 page. */
  to: string | null
  status: (typeof statuses)[number]
  /** Counts even where the site has a file. */
  isForced?: true
  file: string
}

export type LeftOutRule = { from: string; to: string; why: string; file: string }

/** `after` is null for an address; else any text may be between `before` and `after`. */
export type HeaderRule = { before: string; after: string | null; headers: [name: string, value: string][] }

export type BundleRules = { rules: Rule[]; leftOut: LeftOutRule[]; headers: HeaderRule[] }

/** A rule as a file has it. `condition` is why only some readers would get it. */
export type WrittenRule = Pick<Rule, 'from' | 'to' | 'query' | 'file'> & {
  status: number
  isForced?: boolean
  condition?: string | null
}
export type WrittenHeaders = {
  from: string
  headers: [name: string, value: string][]
  file: string
  condition: string | null
}
