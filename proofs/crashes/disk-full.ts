import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { expectThat, makeSite } from './bench.ts'
import { startService, type Job, type LocalService } from './local-service.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const megabyte = 1024 * 1024
const diskMb = 40

const faults: Fault[] = [
  { file: 'files/disk-problem.ts', instead: "ENOSPC: 'The disk of the service is full',", write: '' },
]

/** A small disk of its own; false where this process may not mount one. */
const mountDisk = (folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  onEnd(() => void execFileSync('umount', [folder]))
  return true
}

/** Takes room on the disk until that much is left, in bytes. */
const fill = (filler: string, left: number): void => {
  try {
    writeFileSync(filler, '')
    for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024))
  } catch {
    // Fills the disk to the last page.
  }
  const { size } = statSync(filler)
  truncateSync(filler, Math.max(0, size - left))
}

const ended = async (service: LocalService, jobId: string): Promise<Job> => {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const job = await service.export(jobId)
    if (job.status === 'completed' || job.status === 'failed') return job
    await delay(100)
  }
  throw new Error('the export did not end in two minutes')
}

const readRefusal = (service: LocalService) =>
  service.startExport('docs.localhost').then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/**
 * Checks messages and stored data at every degree of fullness. Returns the attempts; rejects with a sentence when one
 * goes wrong.
 */
const play = async (dataDir: string, planted: boolean): Promise<string[]> => {
  const done: string[] = []
  const order = { dataDir, site: makeSite(), faults: planted ? faults : [] }
  const filler = join(dataDir, 'filler')
  const jobs = () => readdirSync(join(dataDir, 'static-exports', 'jobs')).length
  let service = await startService(order)
  const first = await service.startExport('docs.localhost')
  expectThat((await ended(service, first)).status === 'completed', 'with room it did not complete')

  fill(filler, 6 * megabyte)
  const failing = await service.startExport('docs.localhost')
  const { status, error } = await ended(service, failing)
  expectThat(status === 'failed' && /disk of the service is full.*Make room/.test(error ?? ''), `${status}: ${error}`)
  expectThat(readdirSync(join(dataDir, 'static-exports', 'work')).length === 0, 'a part of it was left behind')
  done.push('failed with the reason')

  fill(filler, 0)
  const before = jobs()
  const refusal = await readRefusal(service)
  expectThat(/answered 507.*disk of the service is full, so nothing was started/.test(refusal), refusal)
  expectThat(jobs() === before, 'a refused start left a record')
  expectThat((await service.export(failing)).status === 'failed', 'what was known is not told any more')
  done.push('a start refused with 507')

  await service.kill()
  service = await startService(order)
  expectThat((await service.export(first)).status === 'completed', 'after a restart the first export is not known')
  expectThat((await service.bundle(first)).length === 64, 'its bundle is gone')
  done.push('started again on the full disk')

  rmSync(filler)
  const last = await ended(service, await service.startExport('docs.localhost'))
  expectThat(last.status === 'completed', `with room again it is ${last.status}: ${last.error}`)
  await service.stop()
  return [...done, 'completed with room']
}

/** The local Admin API on a disk that fills up. */
export const proof: Proof = {
  name: 'disk-full',
  bar: 'a full disk is told as such, loses nothing, stops no start of the service, and everything works again with room',
  faults,
  run: async ({ planted }) => {
    const dataDir = temporaryFolder()
    if (!mountDisk(dataDir))
      return { ok: !planted, figure: 'skipped: a small disk can be mounted by an administrator of Linux only' }
    try {
      const done = await play(dataDir, planted)
      return { ok: true, figure: `${done.join(', ')}, on a disk of ${diskMb} MB` }
    } catch (error) {
      return { ok: false, figure: error instanceof Error ? error.message : String(error) }
    }
  },
}
