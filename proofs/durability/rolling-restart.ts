import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  databaseDeadlineMs,
  docketClient,
  isDatabaseLate,
  type DocketClient,
} from '#apps/bff/src/testing/docket-client.ts'
import { startBalancer, type Balancer } from './balancer.ts'
import { exportRows, halves } from './database-rows.ts'
import { exportService } from './export-service.ts'
import { openReplicas } from './replicas.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import type { RunningDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const readers = 6
const drain = { SHUTDOWN_DRAIN_MS: '2000' }

// Reports itself ready until its port closes.
const fault: Fault = {
  file: 'ground/http/health.ts',
  instead: "if (draining()) return c.text('stopping\\n', 503, { 'Retry-After': '5' })",
  write: 'void draining',
}

/** Reads and writes without a pause until it is told to end. Answers with what was asked, and what failed. */
const load = (client: DocketClient, ended: () => boolean) => {
  const failed: string[] = []
  let [requestCount, late] = [0, 0]
  const paths = ['/api/static-exports', '/api/agent-jobs', '/api/status', '/api/activity']
  const ask = async (what: string, make: () => Promise<Response>, expected: number): Promise<Response | undefined> => {
    requestCount += 1
    const startMs = performance.now()
    try {
      const response = await make()
      if (response.status === expected) return response
      const body = (await response.text()).trim()
      // At once, it would be a Docket whose database is gone too early.
      if (isDatabaseLate(response.status, body) && performance.now() - startMs > databaseDeadlineMs) late += 1
      else failed.push(`${what}: ${response.status} ${body}`)
    } catch (error) {
      failed.push(`${what}: ${String(error)}`)
    }
    return undefined
  }
  const read = async (nth: number) => {
    for (let n = nth; !ended(); n += 1) {
      const path = paths[n % paths.length]!
      const response = await ask(path, () => client.get(path), 200)
      await response?.arrayBuffer()
    }
  }
  const write = async () => {
    for (let n = 0; !ended(); n += 1) {
      const body = { requestId: randomUUID(), domain: `docs-${n}.example.com` }
      const response = await ask('a start', () => client.post('/api/static-exports', body), 201)
      if (response === undefined) continue
      const { export: started } = (await response.json()) as { export: { exportId: string } }
      await ask('a removal', () => client.delete(`/api/static-exports/${started.exportId}`), 204)
    }
  }
  const done = Promise.all([...Array.from({ length: readers }, (_, nth) => read(nth)), write()])
  return done.then(() => ({ requestCount, late, failed }))
}

const allReady = async (balancer: Balancer, count: number) => {
  while (balancer.ready() !== count) await delay(20)
}

/** Both replicas are replaced, one after the other, as one does for an upgrade, while people work. */
export const proof: Proof = {
  name: 'rolling-restart',
  bar: '0 failed requests while both replicas are replaced under load, behind a balancer that looks at /readyz',
  fault,
  run: async ({ planted }) => {
    const service = await exportService()
    const replicas = await openReplicas(service.url, { callsPerHour: 1_000_000, faults: planted ? [fault] : [] })
    const balancer = await startBalancer({ repeatsPosts: false })
    const dockets: RunningDocket[] = [await replicas.start(drain), await replicas.start(drain)]
    const use = () => balancer.use(dockets.map(({ client }) => client.url))
    use()
    await allReady(balancer, 2)
    let ended = false
    const loading = load(docketClient(balancer.url, replicas.cookie()), () => ended)
    const codes: (number | null)[] = []
    for (const nth of [0, 1]) {
      await delay(1_000)
      codes.push(await dockets[nth]!.stop())
      dockets[nth] = await replicas.start(drain)
      use()
      await allReady(balancer, 2)
    }
    await delay(1_000)
    ended = true
    const { requestCount, late, failed } = await loading
    const config = { connectionString: replicas.databaseUrl }
    const rows = await exportRows(config)
    const wrong = [
      ...failed,
      ...(await halves(config)),
      ...codes.filter((code) => code !== 0).map((code) => `exit ${code}`),
    ]
    if (rows.length !== service.starts.size) wrong.push(`${rows.length} records of ${service.starts.size} starts`)
    return {
      ok: wrong.length === 0 && requestCount - late > 100,
      figure: `${failed.length} of ${requestCount} requests failed in a rolling restart${late === 0 ? '' : `, ${late} missed the deadline of the database`}${wrong.length === 0 ? '' : ` (${wrong.slice(0, 3).join('; ')})`}`,
    }
  },
}
