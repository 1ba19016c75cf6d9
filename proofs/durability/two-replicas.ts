import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { docketClient } from '#apps/bff/src/testing/docket-client.ts'
import { startBalancer } from './balancer.ts'
import { exportRows, halves } from './database-rows.ts'
import { exportService } from './export-service.ts'
import { openReplicas } from './replicas.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const clicks = 40
/** Small, so that a doubled budget is visible. */
const callsPerHour = 900
/** Long enough to read every record after the bucket has what it keeps for clicks again. */
const watchMs = 100_000
const twoHoursMs = 7_200_000

const fault: Fault = {
  file: 'bff/src/records/static-exports/start-export.ts',
  instead: 'if (earlier !== undefined) return { row: earlier, granted: null }',
  write: 'if (earlier !== undefined) return { row: earlier, granted: await grantCall(tx) }',
}

/** Two Dockets with clocks two hours apart, behind a load balancer that repeats every POST. */
const repeatedPosts = async (planted: boolean) => {
  const wrong: string[] = []
  const service = await exportService()
  const replicas = await openReplicas(service.url, { callsPerHour, faults: planted ? [fault] : [] })
  const balancer = await startBalancer({ repeatsPosts: true })
  const dockets = [await replicas.start(), await replicas.start({}, { clockShiftMs: twoHoursMs })]
  balancer.use(dockets.map(({ client }) => client.url))
  while (balancer.ready() < dockets.length) await delay(50)
  const client = docketClient(balancer.url, replicas.cookie())
  const beganMs = performance.now()
  const requests: string[] = []
  const clickOne = async () => {
    const domain = `docs-${requests.length}.example.com`
    requests.push(domain)
    const response = await client.post('/api/static-exports', { requestId: randomUUID(), domain })
    if (response.status === 201) return
    // The budget may refuse, and does so before anything is written.
    if (response.status !== 429) wrong.push(`a start was answered ${response.status} ${await response.text()}`)
    requests.splice(requests.indexOf(domain), 1)
    requests.push('')
  }
  for (let n = 0; n < clicks; n += 1) {
    await clickOne()
    await delay(300)
  }
  await delay(watchMs)
  const config = { connectionString: replicas.databaseUrl }
  const rows = await exportRows(config)
  for (const domain of requests.filter((name) => name !== '')) {
    const times = service.starts.get(domain) ?? 0
    if (times !== 1) wrong.push(`${domain} was started ${times} times`)
    const own = rows.filter((row) => row.domain === domain)
    if (own.length !== 1 || own[0]?.state !== 'accepted')
      wrong.push(`${domain} is ${own.map(({ state }) => state).join()}`)
  }
  wrong.push(...(await halves(config)))
  const reads = [...service.reads.values()].reduce((sum, times) => sum + times, 0)
  if (service.reads.size < 4) wrong.push(`only ${service.reads.size} records were read`)
  // Calls allowed so far: a full bucket, and the hourly rate since.
  const allowed =
    Math.ceil(callsPerHour / 60 + callsPerHour / 180 + ((performance.now() - beganMs) / 3_600_000) * callsPerHour) + 1
  if (service.calls() > allowed) wrong.push(`${service.calls()} calls where the budget allows ${allowed}`)
  for (const docket of dockets) {
    const code = await docket.stop()
    if (code !== 0) wrong.push(`a replica ended with ${code}`)
  }
  return { wrong, started: service.starts.size, reads, calls: service.calls(), allowed }
}

export const proof: Proof = {
  name: 'two-replicas',
  bar: 'no start is lost or doubled behind a balancer that repeats POSTs, the budget holds and records are watched, with clocks two hours apart',
  fault,
  run: async ({ planted }) => {
    const { wrong, started, reads, calls, allowed } = await repeatedPosts(planted)
    return {
      ok: wrong.length === 0,
      figure: `${wrong.length} things went wrong${wrong.length === 0 ? '' : ` (${wrong.slice(0, 3).join('; ')})`}: ${started} started, ${reads} reads, ${calls} calls of ${allowed} allowed`,
    }
  },
}
