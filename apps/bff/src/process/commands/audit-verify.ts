import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { verifyExport } from '#ground/audit/chain/verify-file.ts'
import { verifyAuditOn } from '#ground/audit/chain/verify.ts'
import { openForBackup } from '#process/backup/database.ts'
import { readConfig, toPlace } from '#ground/config/config.ts'
import { describeKnownHead, describeVerification, parseHead, type Head } from './describe-audit.ts'
import type { Call, Command } from './command.ts'

const verifyFile = async (file: string, head: Head | undefined) => {
  let knownHash: string | undefined
  const input = createReadStream(file)
  const verification = await verifyExport(createInterface({ input, crlfDelay: Infinity }), (seal) => {
    if (seal.auditId === head?.auditId) knownHash = seal.hash
  })
  return { verification, knownHash }
}

const verifyDatabase = async ({ env, warn }: Call, head: Head | undefined) => {
  const reached = await openForBackup(toPlace(await readConfig(env, warn)))
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

/** Verifies the audit of this environment's Docket, or an exported one. */
export const auditVerify: Command = async (call) => {
  const { file, head } = parseCommand(call)
  const { verification, knownHash } = await (file === undefined
    ? verifyDatabase(call, head)
    : verifyFile(resolve(call.from, file), head))
  const known = head && describeKnownHead(head, knownHash, verification)
  call.print([...describeVerification(verification), ...(known ? [known.sentence] : [])].join('\n'))
  return verification.broken !== null || known?.fits === false ? 1 : 0
}
