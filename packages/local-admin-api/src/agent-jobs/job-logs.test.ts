import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAgentJobStore } from '#agent-jobs/agent-job-store.ts'
import { createTurn } from '#agent-jobs/agent-job.ts'
import { agentJobOutput, agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { createJobLogs } from '#agent-jobs/job-logs.ts'
import type { Database } from '#database/database.ts'
import { silentLog } from '#log.ts'
import { testDatabase } from '#testing/database.ts'

/** A job that an attempt works on. */
const begin = async (db: Database) => {
  const store = createAgentJobStore(db)
  const turn = createTurn('page', new Date())
  const none = { codeHost: null, pullRequest: null, archivedAt: null, branchRemoved: false }
  const job = { id: 'a', projectId: 'docs', status: 'active', model: 'x', createdAt: turn.sentAt, ...none } as const
  if ((await store.find('a')) === null) await store.add({ ...job, turns: [turn] })
  const attempt = { id: 'a', attemptId: randomUUID() }
  await store.begin(attempt, 0)
  return attempt
}

type Logs = ReturnType<typeof createJobLogs>

/** Reads everything from `offset` in parts. */
const readAll = async (logs: Logs, id: string, offset = 0) => {
  const parts = [await logs.read(id, offset)]
  while (!parts.at(-1)!.isAtEnd) parts.push(await logs.read(id, parts.at(-1)!.nextOffset))
  return { text: parts.map(({ text }) => text).join(''), nextOffset: parts.at(-1)!.nextOffset, parts }
}

test('a log is read in parts that never split a character, even from an offset inside a character', async () => {
  const db = await testDatabase()
  const logs = createJobLogs(db, silentLog, { partBytes: 7, everyMs: 0 })
  const output = logs.open(await begin(db))
  const text = 'Prüfe 文档 \0 👩‍🚀 now\n'.repeat(5)
  for (let at = 0; at < text.length; at += 1) {
    // Pieces may end within a character.
    output.append(text[at]!)
    if (at % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await output.end()
  const { text: read, nextOffset, parts } = await readAll(logs, 'a')
  expect([read, nextOffset]).toEqual([text, Buffer.byteLength(text)])
  expect(await logs.lastLine('a')).toBe('Prüfe 文档 👩‍🚀 now')
  expect(parts.every((part) => !part.isCut && !part.text.includes('\ufffd'))).toBe(true)
  expect((await logs.read('a', 7)).text).not.toContain('\ufffd')
  expect(await logs.read('a', 10_000)).toMatchObject({ text: '', isAtEnd: true })
  expect(await logs.read('nobody', 5)).toEqual({ text: '', nextOffset: 5, isCut: false, isAtEnd: true })
})

test('a long log keeps its end and its offsets, is continued by another attempt, and is removed with its job', async () => {
  const db = await testDatabase()
  const logs = createJobLogs(db, silentLog, { keptBytes: 1000 })
  const lines = Array.from({ length: 300 }, (_, number) => `line ${number}\n`)
  const first = await begin(db)
  for (let at = 0; at < lines.length; at += 20) {
    const output = logs.open(first)
    output.append(lines.slice(at, at + 20).join(''))
    await output.end()
  }
  const whole = lines.join('')
  const { text, nextOffset, parts } = await readAll(logs, 'a')
  expect([whole.endsWith(text), nextOffset, parts[0]!.isCut]).toEqual([true, whole.length, true])
  expect(text).toMatch(/^line/)
  expect(text.length).toBeGreaterThan(900)
  expect(text.length).toBeLessThan(2100)
  const [lost, next] = [logs.open(first), logs.open(await begin(db))]
  next.append('more\n')
  lost.append('from one that has lost the job\n')
  await Promise.all([next.end(), lost.end()])
  expect((await readAll(logs, 'a', nextOffset)).text).toBe('more\n')
  await db.delete(agentJobs).where(eq(agentJobs.id, 'a'))
  expect(await db.select().from(agentJobOutput)).toEqual([])
})

test('output waits while the database is unavailable, and is stored only once after a lost response', async () => {
  const db = await testDatabase()
  const attempt = await begin(db)
  const warnings: string[] = []
  let [failures, isKept] = [1, false]
  const flaky = new Proxy(db, {
    get: (target, name: keyof Database) => {
      if (name !== 'transaction') return target[name]
      const run: Database['transaction'] = async (...order) => {
        const answer = isKept ? await target.transaction(...order) : undefined
        if ((failures -= 1) >= 0) throw new Error('The connection is lost.')
        return answer ?? target.transaction(...order)
      }
      return run
    },
  })
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) }
  const logs = createJobLogs(flaky, log, { everyMs: 10 })
  const output = logs.open(attempt)
  output.append('one\n')
  await output.end()
  ;[failures, isKept] = [1, true]
  const more = logs.open(attempt)
  more.append('two\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  more.append('three\n')
  await more.end()
  expect((await logs.read('a', 0)).text).toBe('one\ntwo\nthree\n')
  ;[failures, isKept] = [99, false]
  const lost = logs.open(attempt)
  lost.append('four\n')
  await lost.end()
  expect(warnings).toEqual(Array.from({ length: 3 }, () => 'the output of an agent job could not be kept yet'))
})
