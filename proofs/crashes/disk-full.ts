import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { expectThat, makeSite } from './bench.ts'
import { startDatabases } from './databases.ts'
import { startService, type Job, type LocalService } from './local-service.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

const megabyte = 1024 * 1024
const diskMb = 40

const fault: Fault = { file: 'files/disk-problem.ts', instead: "ENOSPC: 'The disk of the service is full',", write: '' }

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

/**
 * Checks messages and stored data at every degree of fullness of both disks. Returns the attempts; rejects with a
 * sentence when one goes wrong.
 */
const play = async (dataDir: string, bundles: string, planted: boolean): Promise<string[]> => {
  const done: string[] = []
  const makeDatabase = await startDatabases()
  const order = {
    dataDir,
    databaseUrl: await makeDatabase(),
    site: makeSite(),
    store: { kind: 'disk', folder: bundles, prefix: '' } as const,
    exports: { storeMs: 3_000 },
    faults: planted ? [fault] : [],
  }
  const leftBehind = () => [
    ...readdirSync(join(dataDir, 'static-exports', 'work')),
    ...readdirSync(join(bundles, '.unfinished')),
  ]
  let service = await startService(order)
  const completes = async (jobId: string, when: string) => {
    const { status, error } = await ended(service, jobId)
    expectThat(status === 'completed', `${when} it is ${status}: ${error}`)
  }
  const fails = async (jobId: string, reason: RegExp) => {
    const { status, error } = await ended(service, jobId)
    expectThat(status === 'failed' && reason.test(error ?? ''), `${status}: ${error}`)
    expectThat(leftBehind().length === 0, 'a part of it was left behind')
  }
  const first = await service.startExport('docs.localhost')
  await completes(first, 'with room')

  const filler = join(dataDir, 'filler')
  fill(filler, 6 * megabyte)
  const failing = await service.startExport('docs.localhost')
  await fails(failing, /disk of the service is full.*Make room/)
  done.push('failed with the reason')

  fill(filler, 0)
  await fails(await service.startExport('docs.localhost'), /disk of the service is full.*Make room/)
  done.push('failed on the full disk')

  await service.kill()
  service = await startService(order)
  await completes(first, 'after a restart')
  await fails(failing, /disk of the service is full/)
  expectThat((await service.bundle(first)).length === 64, 'its bundle is gone')
  done.push('started again on the full disk')

  rmSync(filler)
  const storeFiller = join(bundles, 'filler')
  fill(storeFiller, 4 * megabyte)
  await fails(await service.startExport('docs.localhost'), /bundle could not be stored.* its disk is full/)
  done.push('failed with the reason once the store was full')

  rmSync(storeFiller)
  await completes(await service.startExport('docs.localhost'), 'with room again')
  await service.stop()
  return [...done, 'completed with room']
}

/** The local Admin API on a disk that fills up, with its bundles on another one that does. */
export const proof: Proof = {
  name: 'disk-full',
  bar: 'a full disk is told as such, loses nothing, stops no start of the service, and everything works again with room',
  fault,
  run: async ({ planted }) => {
    const [dataDir, bundles] = [temporaryFolder(), temporaryFolder()]
    if (![dataDir, bundles].every(mountDisk))
      return { ok: !planted, figure: 'skipped: a small disk can be mounted by an administrator of Linux only' }
    try {
      const done = await play(dataDir, bundles, planted)
      return { ok: true, figure: `${done.join(', ')}, on disks of ${diskMb} MB` }
    } catch (error) {
      return { ok: false, figure: error instanceof Error ? error.message : String(error) }
    }
  },
}
