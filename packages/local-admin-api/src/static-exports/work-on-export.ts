import { writeFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportSite } from '@docket/site-exporter/export-site'
import { openSource } from '@docket/site-exporter/open-source'
import { packFolder } from '@docket/site-exporter/pack-folder'
import type { OrderedSource } from '@docket/sources/site-source'
import type { ExportOrder, WorkerReport } from './export-process.ts'

/** Rejects once the work is no longer wanted. */
type Report = (message: WorkerReport) => Promise<void>

const aliveEveryMs = 5_000

/** Progress is in percent and never falls. A number between 0 and 1 could be read as a fraction. */
const createProgressReporter = (report: Report) => {
  let [lastProgress, pages] = [-1, -1]
  return async (progress: number, pageCount: number) => {
    const next = Math.max(lastProgress, progress < 1 ? 0 : Math.round(progress * 10) / 10)
    if (next === lastProgress && pageCount === pages) return
    ;[lastProgress, pages] = [next, pageCount]
    await report({ kind: 'progress', progress: next, pageCount })
  }
}

/** Does not wait for a response. Unwanted work ends with the next report that it waits for. */
const ignoreFailure = (report: Promise<void>) => void report.catch(() => {})

export const workOnExport = async (order: ExportOrder, report: Report): Promise<number> => {
  const { opening, reading, writing } = createPortions(order.source)
  const pause = pausing(order.pauseMs)
  const reportProgress = createProgressReporter(report)
  const reportAlive = () => report({ kind: 'alive' })
  const opened = await whileReportingAlive(
    reportAlive,
    openSource(order.source, order.scratch, (read, found) => reportProgress(opening(read, found), 0)),
  )
  let [done, total] = [0, 0]
  const pages = await exportSite(
    opened,
    { ...order, target: order.site, onCached: (used) => writeFile(order.usedFile, JSON.stringify(used)) },
    {
      onRead: (read, files) => ignoreFailure(reportProgress(reading(read, files), 0)),
      onSite: async (pageCount) => {
        total = pageCount
        await reportProgress(writing(0, 1), 0)
      },
      onRequest: () => ignoreFailure(reportAlive()),
      onBegin: () => ignoreFailure(reportProgress(writing(done + 0.5, total), done)),
      onPage: async (pagesWritten) => {
        if (order.failWith && pagesWritten * 2 >= total) throw new Error(order.failWith)
        done = pagesWritten
        await pause(total, (part) => reportProgress(writing(pagesWritten - (1 - part) / 2, total), pagesWritten))
      },
    },
  )
  await whileReportingAlive(reportAlive, writeArchive(order.site, order.archive))
  return pages
}

/** Copying and packing have limits of their own, so they may be slow without being stuck. */
const whileReportingAlive = async <T>(reportAlive: () => Promise<void>, work: Promise<T>): Promise<T> => {
  const timer = setInterval(() => ignoreFailure(reportAlive()), aliveEveryMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** The file is written completely or not at all. */
const writeArchive = async (folder: string, archive: string): Promise<void> => {
  await mkdir(dirname(archive), { recursive: true })
  const temporary = `${archive}.${process.pid}.tmp`
  try {
    await packFolder(folder, temporary)
    await rename(temporary, archive)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A mirrored site takes most of its time to be opened; files on this machine take almost none. */
const openingEnds = { folder: 0, git: 5, mirror: 55, archive: 5 }
const readingTakes = 5
const writingEnds = 95
/** Pages assumed to be still unknown while links are followed: the first pages are not most of a site. */
const unforeseen = 50

/** Progress (0 to 100) while a source is opened, its pages are looked at, and they are written. Only grows; the rest is packing. */
const createPortions = (source: OrderedSource) => {
  const opened = openingEnds[source.kind === 'built' ? source.of.kind : source.kind]
  const begins = opened + readingTakes
  return {
    opening: (read: number, found: number) => (opened * read) / (Math.max(read, found) + unforeseen),
    // Some files are looked at more than once.
    reading: (read: number, files: number) => opened + readingTakes * Math.min(1, read / Math.max(1, files)),
    writing: (pagesWritten: number, total: number) => begins + ((writingEnds - begins) * pagesWritten) / total,
  }
}

const minSteps = 60

/** Reports the finished part of the current page (0 to 1) after each step. */
const pausing =
  (pauseMs: number) =>
  async (total: number, reportAlive: (part: number) => Promise<void>): Promise<void> => {
    const steps = pauseMs > 0 ? Math.ceil(minSteps / total) : 0
    for (let step = 0; step < steps; step += 1) {
      await reportAlive(step / steps)
      await sleep(pauseMs / total / steps)
    }
    await reportAlive(1)
  }
