import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { exportRows, readRows } from '#proofs/durability/database-rows.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import { exportsPerWorker, openMachines, type Machines, type Replica, type Worker } from './machines.ts'
import { describeTimes, findSlower, measure } from './response-times.ts'

const killEveryMs = 10_000
const restMs = 20_000
const timeFactor = 1.5
/** Status calls for an export, compared with one process that does everything. */
const callFactor = 1.5

// A lost worker then counts as the fault of its export.
const fault: Fault = {
  file: 'local-admin-api/src/static-exports/export-queue.ts',
  instead: 'const maxLosses = 10',
  write: 'const maxLosses = 1',
}

/** Reserved domains whose exports take 2 to 17 s: 40 names, because a site has one export at a time. */
const domains: readonly string[] = [
  ...[2, 3, 4, 5, 6, 7, 8, 9].flatMap((s) => [`${s}`, `0${s}`, `00${s}`]),
  ...[10, 11, 12, 13, 14, 15, 16, 17].flatMap((s) => [`${s}`, `0${s}`]),
].map((seconds) => `slow-${seconds}.sentinel.test`)

type Ended = { exportId: string; domain: string; jobId: string | null }

/** Starts one export of each domain, through the replicas in turn, and resolves when all have ended. */
const exportAll = async (
  machines: Machines,
  replicas: readonly Replica[],
  asked: readonly string[],
  wrong: string[],
) => {
  const ids = new Set<string>()
  for (const [n, domain] of asked.entries()) {
    const { client } = replicas[n % replicas.length]!
    const response = await client.post('/api/static-exports', { requestId: randomUUID(), domain })
    const text = await response.text()
    if (response.status === 201) ids.add((JSON.parse(text) as { export: { exportId: string } }).export.exportId)
    else wrong.push(`the start of ${domain} was answered ${response.status} ${text}`)
  }
  for (;;) {
    const rows = (await exportRows({ connectionString: machines.databaseUrl })).filter((row) => ids.has(row.exportId))
    if (rows.every(({ state }) => state !== 'starting' && state !== 'accepted')) {
      for (const { domain, state } of rows) if (state !== 'completed') wrong.push(`${domain} is ${state}`)
      return rows satisfies Ended[]
    }
    await delay(1_000)
  }
}

/** Downloads through both replicas, and compares with `known`, which gets what is new. */
const compareBytes = async (
  replicas: readonly Replica[],
  ended: readonly Ended[],
  known: Map<string, string>,
  wrong: string[],
) => {
  for (const { exportId, domain } of ended)
    for (const [n, { client }] of replicas.entries()) {
      const response = await client.get(`/api/static-exports/${exportId}/download`)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.status !== 200) {
        wrong.push(
          `the bundle of ${domain} was answered ${response.status} through replica ${n + 1}: ${bytes.toString()}`,
        )
        continue
      }
      const hash = createHash('sha256').update(bytes).digest('hex')
      if ((known.get(domain) ?? hash) !== hash) wrong.push(`the bundle of ${domain} differs through replica ${n + 1}`)
      known.set(domain, hash)
    }
}

/** Kills a random worker every ten seconds, and starts another one, until it is stopped. Returns how many were killed. */
const killWorkers = (machines: Machines, workers: Worker[], everyMs: number) => {
  const stopped = new AbortController()
  const killing = (async () => {
    for (let kills = 0; ; kills += 1) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {})
      if (stopped.signal.aborted) return kills
      const alive = workers.slice(-2)
      const victim = alive[Math.floor(Math.random() * alive.length)]!
      await victim.kill('SIGKILL')
      workers.splice(workers.indexOf(victim), 1)
      // The dead are first.
      workers.unshift(victim)
      workers.push(await machines.startWorker())
    }
  })()
  return async () => {
    stopped.abort()
    return killing
  }
}

const sumCalls = async (replicas: readonly Replica[]) => {
  const sums = new Map<string, number>()
  for (const replica of replicas)
    for (const [operation, count] of await replica.countCalls()) sums.set(operation, (sums.get(operation) ?? 0) + count)
  return { reads: sums.get('getStaticExport') ?? 0, starts: sums.get('startStaticExport') ?? 0 }
}

type JobRow = { jobId: string; status: string; losses: number; crashes: number; attemptId: string | null }

const readJobs = (machines: Machines) =>
  readRows<JobRow>(
    { connectionString: machines.databaseUrl },
    `select job_id as "jobId", status, losses, crashes, attempt_id as "attemptId" from embedded_service.static_exports`,
  )

/** Status calls when one process serves and works. */
const countCallsOfOne = async (asked: readonly string[], wrong: string[]): Promise<number> => {
  const machines = await openMachines([])
  const one = await machines.startReplica([], { LOCAL_EXPORTS_AT_ONCE: String(2 * exportsPerWorker) })
  await exportAll(machines, [one], asked, wrong)
  const { reads } = await sumCalls([one])
  await one.stop()
  return reads
}

export const proof: Proof = {
  name: 'several-machines',
  bar: 'two replicas and two workers complete each of 40 exports once, with equal bytes from both, and each of 60 while workers are killed, and their pages wait for nothing',
  fault,
  run: async ({ planted, quick }) => {
    const wrong: string[] = []
    const first = quick || planted ? domains.slice(12, 18) : domains
    const second = quick || planted ? first.slice(0, 3) : domains.slice(0, 20)
    const machines = await openMachines(planted ? [fault] : [])
    const replicas = [await machines.startReplica(['--no-workers']), await machines.startReplica(['--no-workers'])]
    const workers = [await machines.startWorker(), await machines.startWorker()]
    const hashes = new Map<string, string>()

    const calmTimes = measure(replicas)
    const calm = await exportAll(machines, replicas, first, wrong)
    const atWork = await calmTimes.end()
    const calls = await sumCalls(replicas)
    if (calls.starts !== first.length) wrong.push(`${calls.starts} starts for ${first.length} clicks`)
    await compareBytes(replicas, calm, hashes, wrong)

    const killTimes = measure(replicas)
    const stopKilling = killWorkers(machines, workers, quick || planted ? 5_000 : killEveryMs)
    const disturbed = await exportAll(machines, replicas, first, wrong)
    disturbed.push(...(await exportAll(machines, replicas, second, wrong)))
    const kills = await stopKilling()
    const underFire = await killTimes.end()
    await compareBytes(replicas, disturbed, hashes, wrong)

    const jobs = await readJobs(machines)
    const ends = workers.flatMap((worker) => worker.completed())
    for (const { jobId, status, attemptId, crashes } of jobs) {
      const times = ends.filter((id) => id === jobId).length
      if (status !== 'completed' || attemptId !== null || crashes > 0) wrong.push(`job ${jobId} ended as ${status}`)
      if (times !== 1) wrong.push(`job ${jobId} was worked on to its end ${times} times`)
    }
    const losses = jobs.reduce((sum, job) => sum + job.losses, 0)
    if (losses === 0) wrong.push('no export lost its worker')
    const count = calm.length + disturbed.length
    if (jobs.length !== count) wrong.push(`${jobs.length} jobs for ${count} exports`)

    // At rest with the same records, so that the lists are as long.
    for (const worker of workers.slice(-2)) if ((await worker.kill('SIGTERM')) !== 0) wrong.push('a worker did not end')
    const restTimes = measure(replicas)
    await delay(restMs)
    const rest = await restTimes.end()
    if (!quick && !planted) for (const times of [atWork, underFire]) wrong.push(...findSlower(times, rest, timeFactor))
    for (const replica of replicas) if ((await replica.stop()) !== 0) wrong.push('a replica did not end')
    const callsOfOne = quick || planted ? calls.reads : await countCallsOfOne(first, wrong)
    if (calls.reads > callsOfOne * callFactor) wrong.push(`${calls.reads} status calls, with one process ${callsOfOne}`)
    const lines = [
      `${count} exports with ${kills} workers killed and ${losses} exports taken over`,
      `${calls.reads} status calls for the first ${calm.length}, with one process ${callsOfOne}`,
      `median/95 %: at work ${describeTimes(atWork)}; with kills ${describeTimes(underFire)}; at rest ${describeTimes(rest)}`,
    ]
    return {
      ok: wrong.length === 0,
      figure: `${wrong.length} things went wrong${wrong
        .slice(0, 4)
        .map((one) => `\n  ${one}`)
        .join('')}\n  ${lines.join('\n  ')}\n `,
    }
  },
}
