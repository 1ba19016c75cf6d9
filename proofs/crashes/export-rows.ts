import type { Fault } from '#proofs/harness/plant.ts'
import { expectThat, type CrashBench } from './bench.ts'
import { allGone, type Job, type LocalService } from './local-service.ts'
import { killedAfter, type CrashRow } from './row.ts'

const slow = 'slow-4.sentinel.test'
const queueFile = 'static-exports/export-queue.ts'
const storeFile = 'static-exports/export-store.ts'

const atWork = ({ status, pageCount }: Job) => status === 'running' && pageCount > 2

/** Kills the worker of the running export, and waits until that one is gone. */
const killWorker = async (service: LocalService) => {
  const workers = await service.workers()
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  expectThat(workers.length === 1 && (await allGone(workers, 20_000)), `there were ${workers.length} workers to kill`)
}

/** Checks that the export is complete, with the bytes of an undisturbed export, and that no attempt left files. */
const completesAsUndisturbed = async (bench: CrashBench, service: LocalService, jobId: string) => {
  const job = await bench.ended(service, jobId)
  expectThat(job.status === 'completed' && job.pageCount === 21, `it is ${job.status}: ${job.error}`)
  const undisturbed = await service.startExport(slow)
  await bench.ended(service, undisturbed)
  const [one, other] = [await service.bundle(jobId), await service.bundle(undisturbed)]
  expectThat(one === other, 'its bundle differs from that of an export nobody disturbed')
  expectThat(bench.leftBehind().length === 0, `left behind: ${bench.leftBehind().join(', ')}`)
}

const failsWith = async (bench: CrashBench, service: LocalService, jobId: string, reason: RegExp) => {
  const { status, error } = await bench.ended(service, jobId)
  expectThat(status === 'failed' && reason.test(error ?? ''), `it is ${status}: ${error}`)
}

/** What began once is never begun again. */
export const neverResumed: Fault = { file: storeFile, instead: "['queued', 'running']", write: "['queued']" }
const maxLosses = 10
/** Files and compression are outside the heap. 200 MB a second leave time for the guard. */
const greedyAtAPage: Fault = {
  file: 'writer/write-site.ts',
  instead: 'await onPage(++count, site.pages.size)',
  write: `await onPage(++count, site.pages.size)
    const taken: Buffer[] = []
    while (taken.length < 150) {
      taken.push(Buffer.alloc(10_000_000, 1))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }`,
}
/** A parser that never comes back, at the third page. */
const stuckAtAPage: Fault = {
  file: 'writer/write-site.ts',
  instead: 'await onPage(++count, site.pages.size)',
  write: 'await onPage(++count, site.pages.size); if (count === 3) for (;;);',
}
/** The service is killed when a part of the bundle is on the disk; the worker goes on for as long as it may. */
const killedWhilePacking: Fault = {
  file: 'src/pack-folder.ts',
  instead: 'createWriteStream(archive, { flush: true }),',
  write: `async function* (source: AsyncIterable<Uint8Array>) {
        let bytes = 0
        for await (const chunk of source) {
          yield chunk
          bytes += chunk.length
          if (bytes > 1_000_000) process.kill(process.ppid, 'SIGKILL')
        }
      },
      createWriteStream(archive, { flush: true }),`,
}
const killedBeforeNoted = killedAfter(queueFile, 'const { end, isLost } = await follow(job, attempt, signal)')
const killedBeforeQueued = killedAfter(queueFile, 'const job = await store.add(randomUUID(), request, places)')
/** Right after the cancel is noted, before the work is stopped. */
const killedAfterCancel = killedAfter(queueFile, 'const asked = await store.askCancel(jobId, cancelledReason)')

/** Crash rows of exports: each attempt, and the loss of everything it depends on. */
export const exportRows: readonly CrashRow[] = [
  {
    name: 'queued when the service is killed: runs after the restart',
    play: async (bench) => {
      const first = await bench.start()
      const [running, queued] = [await first.startExport(slow), await first.startExport('docs.localhost')]
      await bench.until(first, running, atWork)
      await first.kill()
      const second = await bench.start()
      const job = await bench.ended(second, queued)
      expectThat(job.status === 'completed', `it is ${job.status}: ${job.error}`)
    },
  },
  {
    name: 'running for the first time when the service is killed: resumed, same bytes',
    play: async (bench) => {
      const first = await bench.start()
      const jobId = await first.startExport(slow)
      await bench.until(first, jobId, atWork)
      const workers = await first.workers()
      await first.kill()
      expectThat(await allGone(workers, 10_000), 'the worker outlived the service')
      await completesAsUndisturbed(bench, await bench.start(), jobId)
    },
  },
  {
    name: 'accepted and not yet in the queue when the service is killed: runs after the restart',
    crash: killedBeforeQueued,
    play: async (bench) => {
      const first = await bench.start({}, [killedBeforeQueued])
      await first.startExport('docs.localhost').catch(() => null)
      await first.gone()
      const [jobId] = await bench.listExports()
      expectThat(jobId !== undefined, 'it was not accepted')
      const second = await bench.start()
      const { status } = await bench.ended(second, jobId!)
      expectThat(status === 'completed', `it is ${status}`)
    },
  },
  {
    name: 'running whenever the service is killed, ten times: resumed, then failed, and the next one runs',
    play: async (bench) => {
      let service = await bench.start()
      const jobId = await service.startExport(slow)
      for (let losses = 0; losses < maxLosses; losses += 1) {
        // Before that, the next try has not begun.
        while ((await service.workers()).length === 0)
          await bench.until(service, jobId, ({ status }) => status !== 'failed')
        await service.kill()
        service = await bench.start()
      }
      const next = await service.startExport('docs.localhost')
      await failsWith(bench, service, jobId, /Ten workers ended while this export ran/)
      const { status } = await bench.ended(service, next)
      expectThat(status === 'completed', `the next one is ${status}`)
    },
  },
  {
    name: 'killed right after a cancel: cancelled, and the next one runs',
    crash: killedAfterCancel,
    play: async (bench) => {
      const first = await bench.start({}, [killedAfterCancel])
      const [jobId, next] = [await first.startExport(slow), await first.startExport('docs.localhost')]
      await bench.until(first, jobId, atWork)
      await first.cancelExport(jobId).catch(() => null)
      await first.gone()
      const second = await bench.start()
      await failsWith(bench, second, jobId, /^cancelled$/)
      const { status } = await bench.ended(second, next)
      expectThat(status === 'completed', `the next one is ${status}`)
    },
  },
  {
    name: 'worker killed once: resumed, same bytes',
    play: async (bench) => {
      const service = await bench.start()
      const jobId = await service.startExport(slow)
      await bench.until(service, jobId, atWork)
      await killWorker(service)
      await completesAsUndisturbed(bench, service, jobId)
    },
  },
  {
    name: 'worker killed twice: failed with the reason, and the next one runs',
    play: async (bench) => {
      const service = await bench.start()
      const jobId = await service.startExport(slow)
      await bench.until(service, jobId, atWork)
      await killWorker(service)
      await bench.until(service, jobId, () => true)
      while ((await service.workers()).length === 0)
        await bench.until(service, jobId, ({ status }) => status !== 'failed')
      await killWorker(service)
      const next = await service.startExport('docs.localhost')
      await failsWith(bench, service, jobId, /ended from outside \(SIGKILL\).*This happened twice/)
      const { status } = await bench.ended(service, next)
      expectThat(status === 'completed', `the next one is ${status}`)
    },
  },
  {
    name: 'worker out of memory: failed with the limit, the service goes on',
    play: async (bench) => {
      const small = await bench.start({ memoryMb: 12 })
      await failsWith(bench, small, await small.startExport('docs.localhost'), /out of memory: .* the 12 MB/)
      await small.stop()
      const second = await bench.start()
      const { status } = await bench.ended(second, await second.startExport('docs.localhost'))
      expectThat(status === 'completed', `with more memory it is ${status}`)
      expectThat(bench.leftBehind().length === 0, `left behind: ${bench.leftBehind().join(', ')}`)
    },
  },
  {
    name: 'worker with far more memory than its heap: ended by its guard, failed with the limit',
    crash: greedyAtAPage,
    play: async (bench) => {
      const service = await bench.start({ memoryMb: 200 }, [greedyAtAPage])
      await failsWith(bench, service, await service.startExport('docs.localhost'), /out of memory: .* the 200 MB/)
    },
  },
  {
    name: 'worker silent (stopped as a whole): ended by the watchdog and resumed, same bytes',
    play: async (bench) => {
      const service = await bench.start({ silenceMs: 20_000 })
      const jobId = await service.startExport(slow)
      await bench.until(service, jobId, atWork)
      const workers = await service.workers()
      for (const pid of workers) process.kill(pid, 'SIGSTOP')
      try {
        expectThat(await allGone(workers, 40_000), 'the worker was not ended')
        await completesAsUndisturbed(bench, service, jobId)
      } finally {
        if (!(await allGone(workers, 0))) for (const pid of workers) process.kill(pid, 'SIGKILL')
      }
    },
  },
  {
    name: 'service killed while its worker is stuck in a loop: the worker ends by itself, the export is resumed',
    crash: stuckAtAPage,
    play: async (bench) => {
      const first = await bench.start({}, [stuckAtAPage])
      const jobId = await first.startExport('docs.localhost')
      await bench.until(first, jobId, ({ pageCount }) => pageCount >= 3)
      const workers = await first.workers()
      await first.kill()
      const ended = await allGone(workers, 15_000)
      if (!ended) for (const pid of workers) process.kill(pid, 'SIGKILL')
      expectThat(ended && workers.length === 1, 'the worker outlived the service')
      const second = await bench.start()
      const { status } = await bench.ended(second, jobId)
      expectThat(status === 'completed', `it is ${status}`)
    },
  },
  {
    name: 'bundle half written when the service is killed: resumed, same bytes, nothing left',
    crash: killedWhilePacking,
    play: async (bench) => {
      const first = await bench.start({}, [killedWhilePacking])
      const jobId = await first.startExport(slow)
      await first.gone()
      expectThat(bench.leftBehind().length > 0, 'nothing was half written, so nothing was tried')
      await completesAsUndisturbed(bench, await bench.start(), jobId)
    },
  },
  {
    name: 'bundle whole and not yet noted when the service is killed: made again, same bytes, nothing left',
    crash: killedBeforeNoted,
    play: async (bench) => {
      const first = await bench.start({}, [killedBeforeNoted])
      const jobId = await first.startExport(slow)
      await first.gone()
      await completesAsUndisturbed(bench, await bench.start(), jobId)
    },
  },
]
