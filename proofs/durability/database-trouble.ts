import { execFile } from 'node:child_process'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startEmbeddedPostgres } from '#packages/embedded-postgres/src/embedded-postgres.ts'
import { findRunningServer } from '#packages/embedded-postgres/src/server.ts'
import { findSurvivors } from '#packages/embedded-postgres/src/survivors.ts'
import { type RunningDocket, startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { exportRows, halves } from './database-rows.ts'
import { exportService, type ExportService } from './export-service.ts'
import { startTraffic, type Traffic } from './traffic.ts'

const run = promisify(execFile)
const recoverWithinMs = 60_000
/** Limit while the database hangs. */
const answerWithinMs = 3_000

// The call comes before its record.
const fault: Fault = {
  file: 'bff/src/records/static-exports/start-export.ts',
  instead: '  const { row, granted } = await writeStartIntent(\n',
  write:
    '  await here.adminApi.startStaticExport({ domain, version: undefined, paths: undefined }).catch(() => {})\n  const { row, granted } = await writeStartIntent(\n',
}

const formatAnswers = (answers: Map<number, number>) =>
  [...answers].map(([status, times]) => `${times} × ${status === 0 ? 'no answer' : status}`).join(', ')

/** Statuses that are allowed in a phase, and those that must occur. */
const expectAnswers = (
  traffic: Traffic,
  phase: string,
  kind: 'read' | 'write',
  { may, must }: { may: number[]; must: number },
): string[] => {
  const answers = traffic.answers(phase, kind)
  const wrong = [...answers.keys()].filter((status) => !may.includes(status))
  if (wrong.length > 0) return [`${phase}: ${kind}s were answered ${formatAnswers(answers)}`]
  return answers.has(must)
    ? []
    : [`${phase}: no ${kind} was answered ${must} (${formatAnswers(answers) || 'none came'})`]
}

const probesSay = async ({ client }: RunningDocket, ready: number): Promise<string[]> => {
  const [live, able] = await Promise.all([client.get('/livez'), client.get('/readyz')])
  return live.status === 200 && able.status === ready
    ? []
    : [`/livez said ${live.status} and /readyz ${able.status} instead of ${ready}`]
}

const judge = async (
  config: Parameters<typeof exportRows>[0],
  service: ExportService,
  traffic: Traffic,
): Promise<string[]> => {
  const domains = new Set((await exportRows(config)).map(({ domain }) => domain))
  const unrecorded = [...service.starts.keys()].filter((domain) => !domains.has(domain))
  const forgotten = traffic.acknowledged().filter((domain) => !domains.has(domain))
  const twice = [...service.starts].filter(([, times]) => times > 1)
  return [
    ...(unrecorded.length > 0 ? [`${unrecorded.length} starts upstream without a record`] : []),
    ...(forgotten.length > 0 ? [`${forgotten.length} acknowledged starts are gone`] : []),
    ...(twice.length > 0 ? [`${twice.length} exports were started twice`] : []),
    ...(await halves(config)),
  ]
}

const settings = (service: ExportService) => ({
  ADMIN_API_URL: service.url,
  ADMIN_API_KEY: 'prove_key-0123456789',
  ADMIN_API_CALLS_PER_HOUR: '1000000',
  LOG_LEVEL: 'error',
})

/** A database of the operator's own that is stopped, and that hangs. */
const stoppedAndHung = async (planted: boolean): Promise<{ wrong: string[]; summary: string }> => {
  const service = await exportService()
  const dataDir = temporaryFolder()
  let postgres = await startEmbeddedPostgres({ dataDir })
  onEnd(() => postgres.stop())
  const { host, port, user, database } = postgres.connection
  const url = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  const docket = await startDocket({ ...settings(service), DATABASE_URL: url }, planted ? [fault] : [])
  const traffic = startTraffic(docket.client)
  const wrong: string[] = []
  await delay(2_000)

  traffic.phase('stopped')
  await postgres.stop()
  await delay(5_000)
  wrong.push(...(await probesSay(docket, 503)))
  traffic.phase('back')
  postgres = await startEmbeddedPostgres({ dataDir })
  if (!(await traffic.recovered(recoverWithinMs))) wrong.push('no write was possible after the database was back')
  wrong.push(...(await probesSay(docket, 200)))

  traffic.phase('hung')
  const pids = await findSurvivors(join(dataDir, 'postgres'))
  const all = (signal: NodeJS.Signals) => pids.forEach((pid) => process.kill(pid, signal))
  all('SIGSTOP')
  // A stopped process ignores other signals, so it continues first.
  const wake = onEnd(() => all('SIGCONT'))
  await delay(30_000)
  wrong.push(...(await probesSay(docket, 503)))
  traffic.phase('awake')
  await wake()
  if (!(await traffic.recovered(recoverWithinMs))) wrong.push('no write was possible after the database woke up')
  wrong.push(...(await probesSay(docket, 200)))
  await traffic.stop()

  for (const phase of ['stopped', 'hung'])
    for (const kind of ['read', 'write'] as const)
      wrong.push(...expectAnswers(traffic, phase, kind, { may: [200, 201, 503], must: 503 }))
  const slowestMs = traffic.slowestMs('hung')
  const slowest = `the slowest answer while it hung took ${(slowestMs / 1000).toFixed(2)} s`
  if (slowestMs > answerWithinMs) wrong.push(slowest)
  wrong.push(...(await judge({ connectionString: url }, service, traffic)))
  const code = await docket.stop()
  if (code !== 0) wrong.push(`Docket ended with ${code}`)
  return {
    wrong,
    summary: `stopped: ${formatAnswers(traffic.answers('stopped', 'write'))}; hung: ${formatAnswers(traffic.answers('hung', 'write'))} (${slowest})`,
  }
}

/** A file system of its own that is small. Throws where this user may not mount one. */
const smallDisk = async (): Promise<string> => {
  const folder = join(temporaryFolder(), 'disk')
  await mkdir(folder)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'docket-prove', folder]).catch((error: unknown) => {
    throw new Error('A full disk can only be played by a user who may mount one.', { cause: error })
  })
  onEnd(() => run('umount', ['--lazy', folder]).then(() => {}))
  return folder
}

const fill = async (file: string): Promise<void> => {
  for (const size of [1 << 20, 1 << 14, 1 << 10])
    for (;;)
      try {
        await appendFile(file, Buffer.alloc(size))
      } catch {
        break
      }
}

/** The embedded database on a disk that is full for a while. */
const fullDisk = async (planted: boolean): Promise<{ wrong: string[]; summary: string }> => {
  const service = await exportService()
  const disk = await smallDisk()
  const dataDir = join(disk, 'data')
  const docket = await startDocket({ ...settings(service), DATA_DIR: dataDir }, planted ? [fault] : [])
  const traffic = startTraffic(docket.client, { large: true })
  const wrong: string[] = []
  await delay(2_000)
  traffic.phase('full')
  await fill(join(disk, 'filler'))
  await delay(8_000)
  traffic.phase('room again')
  await rm(join(disk, 'filler'))
  if (!(await traffic.recovered(recoverWithinMs))) wrong.push('no write was possible after there was room again')
  await traffic.stop()
  wrong.push(
    ...expectAnswers(traffic, 'full', 'write', { may: [201, 503], must: 503 }),
    ...expectAnswers(traffic, 'full', 'read', { may: [200], must: 200 }),
    ...(await judge((await findRunningServer(dataDir))!, service, traffic)),
  )
  const code = await docket.stop()
  if (code !== 0) wrong.push(`Docket ended with ${code}`)
  return { wrong, summary: `full: ${formatAnswers(traffic.answers('full', 'write'))}` }
}

/** PostgreSQL stopped, hung, and back, and a full disk, all while people work. */
export const proof: Proof = {
  name: 'database-trouble',
  bar: 'with the database stopped, hung or out of room writes are answered 503, within 3 s while it hangs, nothing is called without a record, nothing acknowledged is lost, and all works again by itself',
  fault,
  run: async ({ planted }) => {
    const parts = [await stoppedAndHung(planted), await fullDisk(planted)]
    const wrong = parts.flatMap((part) => part.wrong)
    return {
      ok: wrong.length === 0,
      figure: `${wrong.length} things went wrong${wrong.length === 0 ? '' : ` (${wrong.slice(0, 4).join('; ')})`}; writes while ${parts.map(({ summary }) => summary).join('; ')}`,
    }
  },
}
