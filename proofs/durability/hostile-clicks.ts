import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { docketClient, type DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import { startBalancer } from './balancer.ts'
import { exportRows, halves } from './database-rows.ts'
import { exportService, type ExportService, type StartManner } from './export-service.ts'
import { openReplicas } from './replicas.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import type { RunningDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const clicks = 60
const settledWithinMs = 60_000

// Retries when no answer comes, as some HTTP clients do.
const fault: Fault = {
  file: 'bff/src/records/static-exports/start-export.ts',
  instead: 'await granted.call(() => adminApi.startStaticExport(request))',
  write:
    'await granted.call(() => adminApi.startStaticExport(request).catch(() => adminApi.startStaticExport(request)))',
}

type Click = { domain: string; requestId: string; manner: StartManner; impatient: boolean; twice: boolean }

/**
 * Repeats a start until an answer comes, as people and browsers do; impatient ones do not wait for it. True when Docket
 * accepted it.
 */
const insist = async (client: DocketClient, { domain, requestId, impatient, twice }: Click): Promise<boolean> => {
  const once = async (waitMs: number) => {
    const response = client.post('/api/static-exports', { requestId, domain }).then(
      ({ status }) => status === 201,
      () => false,
    )
    return Promise.race([response, delay(waitMs, false)])
  }
  for (let tries = 0; tries < 40; tries += 1) {
    const waitMs = impatient && tries < 3 ? 150 : 20_000
    const answers = await Promise.all(twice ? [once(waitMs), once(waitMs)] : [once(waitMs)])
    // Sends the same start again after its acceptance.
    if (answers.includes(true)) return once(20_000)
    await delay(100)
  }
  return false
}

const judge = async (databaseUrl: string, service: ExportService, done: readonly Click[]): Promise<string[]> => {
  const wrong: string[] = []
  const config = { connectionString: databaseUrl }
  const deadline = performance.now() + settledWithinMs
  let rows = await exportRows(config)
  for (
    ;
    rows.some(({ state }) => state === 'starting') && performance.now() < deadline;
    rows = await exportRows(config)
  )
    await delay(500)
  for (const { domain, requestId } of done) {
    const times = service.starts.get(domain) ?? 0
    if (times > 1) wrong.push(`${domain} was started ${times} times`)
    const own = rows.filter((row) => row.requestId === requestId)
    if (own.length !== 1) wrong.push(`${domain} has ${own.length} records`)
    const state = own[0]?.state ?? 'forgotten'
    if (!['accepted', 'refused', 'unknown'].includes(state)) wrong.push(`${domain} is ${state}`)
    if (state === 'accepted' && times === 0) wrong.push(`${domain} is said to run`)
    if (state === 'refused' && times > 0) wrong.push(`${domain} is said to have been refused`)
  }
  return [...wrong, ...(await halves(config))]
}

export const proof: Proof = {
  name: 'hostile-clicks',
  bar: `${clicks} hostile clicks start at most ${clicks} exports, and each request at most one`,
  fault,
  run: async ({ planted }) => {
    const service = await exportService()
    const replicas = await openReplicas(service.url, { callsPerHour: 1_000_000, faults: planted ? [fault] : [] })
    const env = { ADMIN_API_TIMEOUT_MS: '2000' }
    const balancer = await startBalancer({ repeatsPosts: true })
    const dockets: RunningDocket[] = [await replicas.start(env), await replicas.start(env)]
    const use = () => balancer.use(dockets.map(({ client }) => client.url))
    use()
    while (balancer.ready() < 2) await delay(20)
    const client = docketClient(balancer.url, replicas.cookie())
    const manners: StartManner[] = ['answer', 'lose', 'fail', 'late', 'late', 'refuse']
    const done: Click[] = Array.from({ length: clicks }, (_, n) => ({
      domain: `docs-${n}.example.com`,
      requestId: randomUUID(),
      manner: manners[n % 6]!,
      impatient: n % 6 === 3,
      twice: n % 2 === 0,
    }))
    const mannerByDomain = new Map(done.map(({ domain, manner }) => [domain, manner]))
    service.manner((domain) => mannerByDomain.get(domain) ?? 'answer')
    const wrong: string[] = []
    let crashes = 0
    for (let first = 0; first < clicks; first += 6) {
      const insisting = Promise.all(
        done.slice(first, first + 6).map(async (click) => {
          if (!(await insist(client, click))) wrong.push(`nobody took ${click.domain}`)
        }),
      )
      await delay(50 + Math.random() * 300)
      // The service and one of the two Dockets are killed in turn.
      if (first % 12 === 0) await service.crash(300)
      else {
        const nth = (first / 6) % 4 === 1 ? 0 : 1
        await dockets[nth]!.stop('SIGKILL')
        dockets[nth] = await replicas.start(env)
        use()
      }
      crashes += 1
      await insisting
    }
    wrong.push(...(await judge(replicas.databaseUrl, service, done)))
    const started = [...service.starts.values()].reduce((sum, times) => sum + times, 0)
    return {
      ok: wrong.length === 0 && started <= clicks,
      figure: `${clicks} hostile clicks with ${crashes} crashes started ${started} exports of ${service.starts.size} requests${wrong.length === 0 ? '' : `; ${wrong.length} things went wrong: ${wrong.slice(0, 4).join('; ')}`}`,
    }
  },
}
