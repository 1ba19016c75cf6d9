import { AuditList } from '@docket/api-types/audit'
import { expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '#ground/audit/audit.ts'
import { createLog } from '#ground/log/log.ts'
import { testDatabase } from '#testing/database.ts'
import { testActor } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import type { Timer } from '#ground/clock.ts'
import { createAuditSealing } from '#ground/audit/seal.ts'

/** A timer that fires when `pass` is called, and records the delays it was given. */
const manualTimer = () => {
  const waiting = new Map<() => void, number>()
  const timer: Timer = (run, ms) => {
    waiting.set(run, ms)
    return () => void waiting.delete(run)
  }
  const pass = () => {
    const due = [...waiting.keys()]
    waiting.clear()
    for (const run of due) run()
  }
  return { timer, pass, waits: () => [...waiting.values()] }
}

const sealing = async () => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const clock = manualTimer()
  const write = () => recordAudit(db, testActor(), { action: 'user.renamed', at: new Date() })
  const heads = () => lines.map((line) => (JSON.parse(line) as { auditId?: number }).auditId)
  return { ...createAuditSealing({ db, log, timer: clock.timer }), clock, write, heads }
}

test('rows written within a second request one sealing run, and rows after the stop request none', async () => {
  const { start, stop, clock, write } = await sealing()
  let requests = 0
  start(async () => void (requests += 1))
  clock.pass()
  expect(requests).toBe(1)
  for (let n = 0; n < 5; n += 1) await write()
  expect(clock.waits()).toEqual([1_000])
  clock.pass()
  expect(requests).toBe(2)
  stop()
  await write()
  expect(clock.waits()).toEqual([])
})

test('a new head hash is logged at once, then at most once a minute, and a last time before the stop', async () => {
  const { run, stop, clock, write, heads } = await sealing()
  const grow = async () => {
    await write()
    await run()
  }
  await run()
  expect(heads()).toEqual([])
  for (let n = 0; n < 3; n += 1) await grow()
  expect(heads()).toEqual([1])
  expect(clock.waits()).toEqual([60_000])
  clock.pass()
  expect(heads()).toEqual([1, 3])
  clock.pass()
  await grow()
  await grow()
  expect(heads()).toEqual([1, 3, 4])
  stop()
  expect(heads()).toEqual([1, 3, 4, 5])
  expect(clock.waits()).toEqual([])
})

test('background work seals a person’s action and logs its hash', async () => {
  const app = await testApp({ watch: true })
  onTestFinished(app.close)
  app.services.background.start()
  expect((await app.post('/api/tokens', { name: 'CI', scope: 'read', expiresInDays: 30 })).status).toBe(201)
  const newest = async () => AuditList.parse(await (await app.get('/api/audit?limit=1')).json()).items[0]
  await expect.poll(async () => (await newest())?.hash, { interval: 100 }).toMatch(/^[\da-f]{64}$/)
  const { auditId, hash } = (await newest())!
  expect(app.logged()).toContain(`"auditId":${auditId},"hash":"${hash}"`)
})
