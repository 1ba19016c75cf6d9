import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { verifyExport } from '#ground/audit/verify-export.ts'
import { verifyAuditOn } from '#ground/audit/verify.ts'
import { openForBackup } from '#process/backup/database.ts'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import type { Call, Command } from './command.ts'
import type { AuditVerification } from '@docket/api-types/audit'

type Head = { auditId: number; hash: string }

/** Reads `<id>-<hash>`; null for any other text. */
const parseHead = (text: string): Head | null => {
  const [, id, hash = ''] = /^(\d{1,15})-([\da-f]{64})$/i.exec(text.trim()) ?? []
  return id === undefined ? null : { auditId: Number(id), hash: hash.toLowerCase() }
}

const problems: Readonly<Record<NonNullable<AuditVerification['broken']>['problem'], string>> = {
  changed: 'the row does not fit: it or its hash was changed, or rows right before it were removed with their hashes',
  removed: 'the row is missing',
  inserted: 'the row is not part of the chain: it was inserted, or its hash was removed',
}

const formatRowCount = (rows: number, kind = ''): string => `${rows} ${kind}${rows === 1 ? 'row' : 'rows'}`

const describeRow = ({ auditId, at }: { auditId: number; at: string | null }) =>
  at === null ? `row ${auditId}` : `row ${auditId} (${at})`

const describeVerification = ({ rows, purged, through, broken, unsealed }: AuditVerification): string[] => [
  broken === null
    ? `The audit is whole: ${formatRowCount(rows, 'sealed ')}.`
    : `The audit is broken at ${describeRow(broken)}: ${problems[broken.problem]}.`,
  ...(purged === null
    ? []
    : [
        `It begins after row ${purged.throughId}: the retention deleted ${formatRowCount(purged.rows)} at ${purged.at}.`,
      ]),
  ...(through === null
    ? []
    : [`${broken === null ? 'Head' : 'Whole up to'}: ${describeRow(through)}, ${through.auditId}-${through.hash}`]),
  ...(unsealed === null || unsealed.oldestAt === null
    ? []
    : [`Not sealed yet: ${formatRowCount(unsealed.rows)}, the oldest from ${unsealed.oldestAt}.`]),
]

/** Checks that an earlier head is still part of the chain. Returns the result as a readable message. */
const describeKnownHead = (
  head: Head,
  found: string | undefined,
  { purged }: AuditVerification,
): { fits: boolean; sentence: string } => {
  const name = `The head you know, row ${head.auditId},`
  if (found === head.hash) return { fits: true, sentence: `${name} has the same hash.` }
  if (found !== undefined)
    return { fits: false, sentence: `${name} has another hash now: the audit was rewritten, ${found}.` }
  if (purged !== null && head.auditId < purged.throughId)
    return { fits: true, sentence: `${name} was deleted by the retention, so it says nothing about the rows since.` }
  return { fits: false, sentence: `${name} is missing: rows were removed from the end, or the audit was rewritten.` }
}

const verifyFile = async (file: string, head: Head | undefined) => {
  let knownHash: string | undefined
  const input = createReadStream(file)
  const verification = await verifyExport(createInterface({ input, crlfDelay: Infinity }), (seal) => {
    if (seal.auditId === head?.auditId) knownHash = seal.hash
  })
  return { verification, knownHash }
}

const verifyDatabase = async ({ env, warn }: Call, head: Head | undefined) => {
  const reached = await openForBackup(toDatabasePlace(await readConfig(env, warn)))
  try {
    return await verifyAuditOn(reached.config, head?.auditId)
  } finally {
    await reached.close()
  }
}

const parseCommand = ({ args, usage }: Call) => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { head: { type: 'string' } } })
  const head = values.head === undefined ? undefined : parseHead(values.head)
  if (positionals.length > 1 || head === null) throw new Error(usage)
  return { file: positionals[0], head }
}

export const auditVerify: Command = async (call) => {
  const { file, head } = parseCommand(call)
  const { verification, knownHash } = await (file === undefined
    ? verifyDatabase(call, head)
    : verifyFile(resolve(call.from, file), head))
  const known = head && describeKnownHead(head, knownHash, verification)
  call.print([...describeVerification(verification), ...(known ? [known.sentence] : [])].join('\n'))
  return verification.broken !== null || known?.fits === false ? 1 : 0
}
