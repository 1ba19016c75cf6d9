import type { AuditVerification } from '@docket/api-types/audit'
import { z } from 'zod'
import { firstHash, hashLink, type Seal } from '#ground/audit/seal.ts'

/** Fields of an exported line that verifying reads; the hash covers all the others too. */
const Line = z.looseObject({
  auditId: z.int(),
  at: z.iso.datetime(),
  action: z.string(),
  details: z.looseObject({}),
  hash: z.string().nullable(),
})
type Line = z.infer<typeof Line>
const Purge = z.object({ throughId: z.int(), throughHash: z.string(), rows: z.int() })
type Purged = NonNullable<AuditVerification['purged']> & { throughHash: string }

/** A line of the file is not an audit event. */
export class NoAuditExport extends Error {
  override readonly name = 'NoAuditExport'
}

const parseLine = (text: string, number: number): Line => {
  try {
    return Line.parse(JSON.parse(text))
  } catch {
    throw new NoAuditExport(`Line ${number} is not an event of the audit. Name a file exported as JSON lines.`)
  }
}

const matchesChain = (previousHash: string, { hash, ...event }: Line): boolean => hash === hashLink(previousHash, event)

/**
 * Verifies a whole export as JSON lines, newest first. A filtered export looks like one with removed rows. Rejects with `NoAuditExport`.
 */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  onSeal: (seal: Seal) => void = () => {},
): Promise<AuditVerification> => {
  const unsealed = { rows: 0, oldestAt: null as string | null }
  const purges: Purged[] = []
  let broken: AuditVerification['broken'] = null
  let through: AuditVerification['through'] = null
  let newer: Line | undefined
  let [rows, number] = [0, 0]
  const breakAt = ({ auditId, at }: Line, problem: 'changed' | 'inserted') => {
    // The lowest break is the first one, so the count restarts below it.
    broken = { auditId, at, problem }
    through = null
    rows = 0
  }
  const keepWhole = ({ auditId, at, hash }: Line) => {
    through ??= { auditId, at, hash: hash! }
    rows += 1
  }

  for await (const text of lines) {
    number += 1
    if (text === '') continue
    const line = parseLine(text, number)
    const purge = line.action === 'audit.purged' ? Purge.safeParse(line.details).data : undefined
    if (purge !== undefined) purges.push({ ...purge, at: line.at })
    if (line.hash === null) {
      if (newer !== undefined) breakAt(line, 'inserted')
      unsealed.rows += 1
      unsealed.oldestAt = line.at
      continue
    }
    onSeal({ auditId: line.auditId, hash: line.hash })
    if (newer !== undefined && line.auditId < newer.auditId && matchesChain(line.hash, newer)) keepWhole(newer)
    else if (newer !== undefined) breakAt(newer, 'changed')
    newer = line
  }
  const oldest = newer
  const purged = oldest && purges.find(({ throughHash }) => matchesChain(throughHash, oldest))
  if (oldest !== undefined && (purged !== undefined || matchesChain(firstHash, oldest))) keepWhole(oldest)
  else if (oldest !== undefined) breakAt(oldest, 'changed')
  return {
    rows,
    purged: purged === undefined ? null : { throughId: purged.throughId, rows: purged.rows, at: purged.at },
    through,
    broken,
    unsealed,
    nextCursor: null,
  }
}
