import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuditVerification, type AuditEvent } from '@docket/api-types/audit'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { purgeAudit } from '#ground/audit/purge.ts'
import { auditVerify } from '#process/commands/audit-verify.ts'
import { testActor } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { canonicalLine, hashLink, sealAudit } from '#ground/audit/seal.ts'
import { verifyExport } from '#ground/audit/verify-export.ts'

const root = join(import.meta.dirname, '../../../../..')
const old = new Date(Date.now() - 400 * 86_400_000)
const app = await testApp()
const folder = await mkdtemp(join(tmpdir(), 'docket-audit-'))
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})
const write = (name: string, at = new Date()) =>
  recordAudit(app.db, testActor(name), { action: 'user.renamed', at, details: { to: name, n: 1.5, b: true, a: null } })

for (let n = 0; n < 3; n += 1) await write(`old ${n}`, old)
for (const name of ['Zoë "Z" O’Hara', 'a\tb\\c', '日本', 'last']) await write(name)
await sealAudit(app.db)

const exportLines = async () => (await (await app.get('/api/audit/export?format=jsonl')).text()).trimEnd().split('\n')
const verify = (lines: readonly string[]) =>
  verifyExport(
    (async function* () {
      yield* lines
    })(),
  )
const parse = (line: string) => JSON.parse(line) as AuditEvent
const whole = await exportLines()
await purgeAudit(app.db, Date.now(), 365)
await write('the end')
await sealAudit(app.db)
const purged = await exportLines()

test("an audit export verifies without Docket, even after the retention, and ends with the database's head hash", async () => {
  expect(await verify(whole)).toMatchObject({ rows: 7, purged: null, broken: null, unsealed: { rows: 1 } })
  const found = await verify(purged)
  expect(found).toMatchObject({ rows: 7, purged: { rows: 3 }, broken: null, unsealed: { rows: 1 } })
  const answer = AuditVerification.parse(await (await app.get('/api/audit/verify')).json())
  expect({ ...found, unsealed: answer.unsealed }).toEqual(answer)
})

const at = (lines: readonly string[], index: number, change: (event: AuditEvent) => unknown) =>
  lines.map((line, place) => (place === index ? JSON.stringify(change(parse(line))) : line))

test.for<[string, (lines: readonly string[]) => string[]]>([
  ['a changed name', (lines) => at(lines, 2, (event) => ({ ...event, actor: { ...event.actor, name: 'Mallory' } }))],
  ['changed details', (lines) => at(lines, 2, (event) => ({ ...event, details: { ...event.details, n: 2 } }))],
  ['one more field', (lines) => at(lines, 2, (event) => ({ ...event, more: 1 }))],
  ['a changed hash', (lines) => at(lines, 2, (event) => ({ ...event, hash: 'ab'.repeat(32) }))],
  ['a missing hash', (lines) => at(lines, 2, (event) => ({ ...event, hash: null }))],
  ['a missing row', (lines) => lines.toSpliced(2, 1)],
  ['an inserted row', (lines) => lines.toSpliced(2, 0, lines[4]!)],
  ['two swapped rows', (lines) => lines.toSpliced(2, 2, lines[3]!, lines[2]!)],
  ['a missing beginning', (lines) => lines.slice(0, -1)],
])('in an audit export, %s breaks the chain', async ([, change]) => {
  for (const lines of [whole, purged]) expect((await verify(change(lines))).broken).not.toBeNull()
})

test('the verification example in the documentation works', async () => {
  const docs = await readFile(join(root, 'docs/operating.md'), 'utf8')
  const [, previous = '', line = '', hash = ''] =
    /printf '%s\\n' \\\n {2}([\da-f]{64}) \\\n {2}'(\{.*\})' \| sha256sum\n# ([\da-f]{64})/.exec(docs) ?? []
  const event = JSON.parse(line) as Record<string, unknown>
  expect(canonicalLine(event)).toBe(line)
  expect(hashLink(previous, event)).toBe(hash)
  expect(createHash('sha256').update(`${previous}\n${line}\n`).digest('hex')).toBe(hash)
})

/** What `docket audit-verify` answers. */
const command = async (...args: string[]) => {
  const stdout: string[] = []
  const stderr: string[] = []
  const code = await auditVerify({
    args,
    env: { DATABASE_URL: app.databaseUrl, DATA_DIR: folder },
    from: folder,
    usage: '',
    print: (line) => void stdout.push(line),
    warn: (line) => void stderr.push(line),
  })
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') }
}

const tamper = (statement: string) =>
  app.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql.raw(statement))
  })

test('docket audit-verify fails at a break, and detects a removed end if the head hash is known', async () => {
  await writeFile(join(folder, 'export.jsonl'), `${purged.join('\n')}\n`)
  const { auditId, hash } = parse(purged[1]!)
  const file = await command('export.jsonl', '--head', `${auditId}-${hash}`)
  expect(file).toMatchObject({ code: 0, stderr: '' })
  expect(file.stdout).toMatch(
    /^The audit is whole: 7 sealed rows\.\nIt begins after row 3: .* deleted 3 rows at .*\nHead: row .*\nNot sealed yet: 1 rows?.*\nThe head you know, .* has the same hash/,
  )
  await tamper(
    `delete from audit_events where audit_id >= ${auditId}; delete from audit_seals where audit_id >= ${auditId}`,
  )
  const database = await command('--head', `${auditId}-${hash}`)
  // The database alone cannot know.
  expect(database.stdout).toMatch(/^The audit is whole: 6 sealed rows\.[^]*The head you know, .* is missing/)
  expect(database).toMatchObject({ code: 1, stderr: '' })
  await tamper(`delete from audit_events where audit_id = 5`)
  expect(await command()).toMatchObject({ code: 1, stdout: expect.stringContaining('broken at row 5') })
})
