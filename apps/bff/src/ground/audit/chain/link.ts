import { createHash } from 'node:crypto'

/** The hash before the first row. */
export const firstHash = '0'.repeat(64)

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** An event of the audit without its hash. */
type Unsealed = Readonly<Record<string, unknown>>

/** An event as one line of JSON, keys sorted at every depth, without blanks; equals `jq -cS 'del(.hash)'` of an exported line. */
export const canonicalLine = (event: Unsealed): string => JSON.stringify(event, sortKeys)

/** Hash of a row: hex SHA-256 over the previous hash and the canonical line, each with a line feed. See docs/operating.md. */
export const hashLink = (previousHash: string, event: Unsealed): string =>
  createHash('sha256')
    .update(`${previousHash}\n${canonicalLine(event)}\n`)
    .digest('hex')
