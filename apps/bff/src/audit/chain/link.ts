import { createHash } from 'node:crypto'

/** The hash before the first row. */
export const firstHash = '0'.repeat(64)

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** An event of the audit without its hash. */
type Unsealed = Readonly<Record<string, unknown>>

/** An event as one line of JSON: keys sorted at every depth, no blanks. Equals the output of `jq -cS 'del(.hash)'` for an exported line. */
export const canonicalLine = (event: Unsealed): string => JSON.stringify(event, sortKeys)

/** The hash of a row: SHA-256, in hex, over the hash before it and its canonical line, each with a line feed. Documented in docs/operating.md. */
export const hashLink = (previousHash: string, event: Unsealed): string =>
  createHash('sha256')
    .update(`${previousHash}\n${canonicalLine(event)}\n`)
    .digest('hex')
