import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchProcess } from '#bench/harness/processes.ts'
import { cpuSeconds, maxMemoryMb, listTree } from '#bench/harness/usage.ts'

/** Observations of a client that polls an export. */
export type WatchedExport = {
  jobId: string
  seconds: number
  /** CPU time of the service and its worker. Seconds. */
  cpuSeconds: number
  pages: number
  /** Most memory of the worker process. MB. */
  workerMb: number
  /** Longest time a status answer took. Milliseconds. */
  slowestAnswerMs: number
  /** Different pairs of `progress` and `pageCount` that were answered. */
  steps: number
  /** Answers whose `progress` or `pageCount` was lower than before. */
  falls: number
}

type Job = { jobId: string; status: string; progress: number; pageCount: number; error: string | null }

const pollMs = 20
/** Looking for the worker reads all of /proc, which would slow down what is measured. Polls. */
const lookEvery = 10

/** Starts an export of `domain` and polls it to its end. */
export const watchedExport = async (service: BenchProcess, key: string, domain: string): Promise<WatchedExport> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const jobs = `${service.address}/v1/static-export/jobs`
  const used = () => cpuSeconds(service.pid, { tree: true })
  const [startMs, usedBefore] = [performance.now(), used()]
  const { jobId } = (await (
    await fetch(jobs, { method: 'POST', headers, body: JSON.stringify({ domain }) })
  ).json()) as Job
  const states = new Set<string>()
  const watched = { workerMb: 0, slowestAnswerMs: 0, falls: 0 }
  let last = { progress: 0, pageCount: 0 }
  for (let polls = 0; ; polls++) {
    const requestMs = performance.now()
    const job = (await (await fetch(`${jobs}/${jobId}`, { headers })).json()) as Job
    watched.slowestAnswerMs = Math.max(watched.slowestAnswerMs, performance.now() - requestMs)
    states.add(`${job.progress} ${job.pageCount}`)
    if (job.progress < last.progress || job.pageCount < last.pageCount) watched.falls += 1
    last = job
    if (job.status === 'failed') throw new Error(`The export failed: ${job.error}`)
    if (job.status === 'completed') {
      const seconds = (performance.now() - startMs) / 1000
      return { jobId, seconds, cpuSeconds: used() - usedBefore, pages: job.pageCount, steps: states.size, ...watched }
    }
    if (polls % lookEvery === 0) {
      const [, ...workers] = listTree(service.pid)
      watched.workerMb = Math.max(watched.workerMb, ...workers.map(maxMemoryMb))
    }
    await delay(pollMs)
  }
}

/** Size of the pages of a written site, per page. Kilobytes. */
export const kilobytesPerPage = (site: string): number => {
  const pages = readdirSync(site, { recursive: true })
    .map((name) => join(site, String(name)))
    .filter((file) => file.endsWith('.html'))
  return pages.reduce((sum, file) => sum + statSync(file).size, 0) / pages.length / 1000
}
