import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startScript } from '#bench/harness/processes.ts'
import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, type RunningDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const maxGrowthMb = 120
const slowestMs = 5_000
const warmMs = 10_000
const lastsMs = 25_000
const callers = 32
const readers = 16

const fault: Fault = {
  file: 'service/admin-api/http-admin-api.ts',
  instead: 'const maxBytes = 1_048_576',
  write: 'const maxBytes = 1_048_576_000',
}

/** Resident memory of a process in megabytes. */
const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const completedExports = async (client: DocketClient, bundles: 'honest' | 'trap'): Promise<string[]> => {
  const exportIds: string[] = []
  for (let index = 0; index < 8; index += 1) {
    const started = await client.post('/api/static-exports', {
      requestId: crypto.randomUUID(),
      domain: `${bundles}${index}.example.com`,
    })
    const {
      export: { exportId },
    } = (await started.json()) as { export: { exportId: string } }
    await client.post(`/api/static-exports/${exportId}/check`)
    exportIds.push(exportId)
  }
  return exportIds
}

/** Everything a person can do that asks the service, over and over. What is named honest is answered honestly. */
const call = async (client: DocketClient, number: number, what: 'honest' | 'bomb'): Promise<Response> => {
  const requestId = crypto.randomUUID()
  if (number % 3 === 0) return client.post('/api/static-exports', { requestId, domain: `${what}${number}.example.com` })
  if (number % 3 === 1) return client.post('/api/agent-jobs', { jobs: [{ projectId: 'p', id: `${what}-${number}` }] })
  return client.post('/api/static-exports/import', { jobId: `${what}-${number}`, domain: `${what}.example.com` })
}

/** Reads a download for some seconds, every third one not at all. */
const read = async ({ client, cookie }: RunningDocket, exportId: string, isSlow: boolean): Promise<number | null> => {
  const end = AbortSignal.timeout(4_000)
  const response = await fetch(`${client.url}/api/static-exports/${exportId}/download`, {
    headers: { cookie },
    redirect: 'manual',
    signal: end,
  }).catch(() => null)
  if (response === null) return null
  if (isSlow) await new Promise((resolve) => end.addEventListener('abort', resolve))
  else await response.body?.pipeTo(new WritableStream())
  return response.status
}

/**
 * Huge, hanging, dripping, packed and nested answers of the service and its storage, many at once, against a whole
 * Docket.
 */
export const proof: Proof = {
  name: 'bombs',
  bar: `memory grows by less than ${maxGrowthMb} MB, Docket answers within ${slowestMs / 1000} s all the time, and no answer is an unexpected 5xx`,
  fault,
  run: async ({ planted }) => {
    const service = await startScript(join(import.meta.dirname, 'service.ts'))
    const docket = await startDocket(
      {
        ADMIN_API_URL: service.address,
        ADMIN_API_KEY: 'adm_of-the-bombs',
        ADMIN_API_CALLS_PER_HOUR: '1000000',
        ADMIN_API_TIMEOUT_MS: '2000',
        LOG_LEVEL: 'info',
      },
      planted ? [fault] : [],
    )
    const { client, pid } = docket
    const traps = await completedExports(client, 'trap')
    const bundles = await completedExports(client, 'honest')
    let number = 1_000
    let until = performance.now() + warmMs
    const during = async (work: () => Promise<void>) => {
      while (performance.now() < until) await work()
    }
    const unexpected: string[] = []
    let slowest = 0
    const asking = () =>
      during(async () => {
        for (const path of ['/livez', '/api/status', '/api/static-exports?limit=10']) {
          const startMs = performance.now()
          const response = await client.get(path)
          await response.text()
          slowest = Math.max(slowest, performance.now() - startMs)
          if (response.status !== 200) unexpected.push(`${response.status} of ${path}`)
        }
        await delay(100)
      })
    const reading = (exportIds: readonly string[]) => (at: number) =>
      during(async () => {
        const status = await read(docket, exportIds[(number += 1) % exportIds.length]!, at % 3 === 0).catch(() => null)
        if (status === 500) unexpected.push('a download is a 500')
      })
    const runAll = (count: number, work: (at: number) => Promise<void>) =>
      Promise.all(Array.from({ length: count }, (_, at) => work(at)))
    // The same work with honest answers and whole bundles first: what that costs, in memory and in time, is no bomb's.
    // Calls alone are not enough: sixteen downloads have 18 MB of buffers, and only their traffic makes the young
    // generation as large as it gets.
    await Promise.all([
      runAll(callers, () => during(async () => void (await (await call(client, (number += 1), 'honest')).text()))),
      runAll(readers, reading(bundles)),
      asking(),
    ])
    const honestSlowest = slowest
    slowest = 0
    await delay(1_000)
    const beforeMb = residentMb(pid)
    let [answers, peakMb] = [0, beforeMb]
    until = performance.now() + lastsMs
    const calling = () =>
      during(async () => {
        const response = await call(client, (number += 1), 'bomb')
        const body = await response.text()
        answers += 1
        // What the service does may be said as its fault, and in no other way.
        if (response.status >= 500 && !/"code":"(upstream_\w+|busy)"/.test(body))
          unexpected.push(`${response.status} ${body.slice(0, 100)}`)
      })
    const watching = () =>
      during(async () => {
        peakMb = Math.max(peakMb, residentMb(pid))
        await delay(50)
      })
    await Promise.all([runAll(callers, calling), runAll(readers, reading(traps)), watching(), asking()])
    await delay(3_000)
    const afterMb = residentMb(pid)
    await docket.stop()
    const counts = (await (await fetch(`${service.address}/sent`)).json()) as Record<string, number>
    const growthMb = peakMb - beforeMb
    const requests = Object.entries(counts)
    const bombs = requests.reduce((sum, [, times]) => sum + times, 0)
    const unsent = requests.filter(([, times]) => times === 0).map(([name]) => name)
    return {
      ok: growthMb < maxGrowthMb && slowest < slowestMs && unexpected.length === 0 && unsent.length === 0,
      figure: `memory grew by ${growthMb.toFixed(0)} MB at most (${beforeMb.toFixed(0)} → ${peakMb.toFixed(0)} MB, ${afterMb.toFixed(0)} MB afterwards) under ${bombs} bombs of ${requests.length} kinds; slowest answer ${slowest.toFixed(0)} ms (${honestSlowest.toFixed(0)} ms before); ${unexpected.length} of ${answers} answers unexpected${unexpected.length > 0 ? ` (${[...new Set(unexpected)].slice(0, 3).join(', ')})` : ''}${unsent.length > 0 ? `; never sent: ${unsent.join(', ')}` : ''}`,
    }
  },
}
