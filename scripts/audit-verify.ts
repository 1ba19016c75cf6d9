import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { verifyExport } from '#apps/bff/src/audit/chain/verify-file.ts'
import { verifyAuditOn } from '#apps/bff/src/audit/chain/verify.ts'
import { openForBackup } from '#apps/bff/src/backup/database.ts'
import { readConfig } from '#apps/bff/src/config/config.ts'
import { describeKnownHead, describeVerification, parseHead, type Head } from './audit/words.ts'
import { fail } from './backup/say.ts'

// `pnpm audit:verify [export.jsonl] [--head <id>-<hash>]`: whether the audit of this environment's Docket, or an
// exported one, is whole.
const usage = 'Use: pnpm audit:verify [export.jsonl] [--head <id>-<hash>]'

const verifyFile = async (file: string, head: Head | undefined) => {
  let knownHash: string | undefined
  // Relative to where the person is, not to where pnpm runs scripts.
  const input = createReadStream(resolve(process.env['INIT_CWD'] ?? '.', file))
  const verification = await verifyExport(createInterface({ input, crlfDelay: Infinity }), (seal) => {
    if (seal.auditId === head?.auditId) knownHash = seal.hash
  })
  return { verification, knownHash }
}

const verifyDatabase = async (head: Head | undefined) => {
  const { databaseUrl, databaseDirectUrl, dataDir } = await readConfig(process.env, (problem) => console.error(problem))
  const reached = await openForBackup({
    databaseUrl: (databaseDirectUrl ?? databaseUrl)?.() ?? null,
    dataDir: resolve(dataDir),
  })
  try {
    return await verifyAuditOn(reached.config, head?.auditId)
  } finally {
    await reached.close()
  }
}

const parseCommand = () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { head: { type: 'string' } } })
  const head = values.head === undefined ? undefined : parseHead(values.head)
  if (positionals.length > 1 || head === null) throw new Error(usage)
  return { file: positionals[0], head }
}

try {
  const { file, head } = parseCommand()
  const { verification, knownHash } = await (file === undefined ? verifyDatabase(head) : verifyFile(file, head))
  const known = head && describeKnownHead(head, knownHash, verification)
  console.log([...describeVerification(verification), ...(known ? [known.sentence] : [])].join('\n'))
  if (verification.broken !== null || known?.fits === false) process.exitCode = 1
} catch (error) {
  fail(error, usage)
}
