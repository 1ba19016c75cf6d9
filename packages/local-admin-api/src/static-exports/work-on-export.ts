import { writeFile } from 'node:fs/promises'
import { exportSite } from '@docket/site-exporter/export-site'
import { openSource } from '@docket/site-exporter/open-source'
import { writeArchive } from './archive.ts'
import type { ExportOrder, WorkerReport } from './export-process.ts'
import { pausing, portions } from './progress-shares.ts'

/** Rejects once nobody wants the work any more. */
type Report = (message: WorkerReport) => Promise<void>

const sayEveryMs = 5_000

/** Reports progress in percent, which never falls, and repeats nothing. A number between 0 and 1 could be read as a fraction. */
const teller = (report: Report) => {
  let [lastProgress, pages] = [-1, -1]
  return async (progress: number, pageCount: number) => {
    const next = Math.max(lastProgress, progress < 1 ? 0 : Math.round(progress * 10) / 10)
    if (next === lastProgress && pageCount === pages) return
    ;[lastProgress, pages] = [next, pageCount]
    await report({ kind: 'progress', progress: next, pageCount })
  }
}

/** Waits for no answer: work that nobody wants any more ends with a report that it waits for. */
const soon = (report: Promise<void>) => void report.catch(() => {})

/** Reads the source, writes the site, packs it. Resolves with the number of pages. */
export const workOnExport = async (order: ExportOrder, report: Report): Promise<number> => {
  const { opening, reading, writing } = portions(order.source.kind)
  const pause = pausing(order.pauseMs)
  const tell = teller(report)
  const stillThere = () => report({ kind: 'alive' })
  const opened = await whileSayingSo(
    stillThere,
    openSource(order.source, order.scratch, (read, found) => tell(opening(read, found), 0)),
  )
  let [done, total] = [0, 0]
  const pages = await exportSite(
    opened,
    { ...order, target: order.site, onCached: (used) => writeFile(order.usedFile, JSON.stringify(used)) },
    {
      onRead: (read, files) => soon(tell(reading(read, files), 0)),
      onSite: async (pageCount) => {
        total = pageCount
        await tell(writing(0, 1), 0)
      },
      onRequest: () => soon(stillThere()),
      onBegin: () => soon(tell(writing(done + 0.5, total), done)),
      onPage: async (pagesWritten) => {
        if (order.failWith && pagesWritten * 2 >= total) throw new Error(order.failWith)
        done = pagesWritten
        await pause(total, (part) => tell(writing(pagesWritten - (1 - part) / 2, total), pagesWritten))
      },
    },
  )
  await whileSayingSo(stillThere, writeArchive(order.site, order.archive))
  return pages
}

/** Copying and packing may be slow without being stuck: each has limits of its own. */
const whileSayingSo = async <T>(say: () => Promise<void>, work: Promise<T>): Promise<T> => {
  const saying = setInterval(() => soon(say()), sayEveryMs)
  try {
    return await work
  } finally {
    clearInterval(saying)
  }
}
