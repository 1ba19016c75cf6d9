import { writeArchive } from './archive.ts'
import { failureReason } from '#files/disk-problem.ts'
import { findPath } from '#source/page-paths.ts'
import { onlyPaths, readSite } from '#source/read-site.ts'
import type { SourceFolder } from '@docket/sources/source-folder'
import { openSource } from '#sources/open-source.ts'
import { endWithParent } from '#static-exports/end-with-parent.ts'
import { hidePages } from '#static-exports/hide-pages.ts'
import { pausing } from '#static-exports/pausing.ts'
import { portions } from '#static-exports/portions.ts'
import { noPages } from '#static-exports/unknown-pages.ts'
import type { ExportOrder, WorkerReport } from '#static-exports/worker-messages.ts'
import { writeSite } from '#writer/write-site.ts'

const [parent, memoryMb] = process.argv.slice(2).map(Number)

const sayEveryMs = 5_000

const report = (message: WorkerReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

/** Says how far the work is. Progress never falls, and nothing is said twice. */
const teller = () => {
  let [shown, pages] = [-1, -1]
  return async (progress: number, pageCount: number) => {
    const next = Math.max(shown, Math.round(progress * 10) / 10)
    if (next === shown && pageCount === pages) return
    ;[shown, pages] = [next, pageCount]
    await report({ kind: 'progress', progress: next, pageCount })
  }
}

/** The same files; `onRead` hears of each page that is read. */
const watched = (folder: SourceFolder, onRead: () => void): SourceFolder => ({
  ...folder,
  read: (file, maxBytes) => {
    if (/\.mdx?$/i.test(file)) onRead()
    return folder.read(file, maxBytes)
  },
})

/** Reads the source, writes the site, packs it. */
const run = async (order: ExportOrder) => {
  const { opening, reading, writing } = portions(order.source.kind)
  const pause = pausing(order.pauseMs)
  const tell = teller()
  const stillThere = () => report({ kind: 'alive' })
  const { folder, name, leftOut } = await whileSayingSo(
    stillThere,
    openSource(order.source, order.scratch, (read, found) => tell(opening(read, found), 0)),
  )
  const files = [...folder.files].filter((file) => /\.mdx?$/i.test(file)).length
  let read = 0
  const whole = await readSite(
    watched(folder, () => void tell(reading(++read, files), 0)),
    name,
  )
  whole.leftOut.push(...leftOut)
  const unknown = order.paths?.filter((path) => !findPath(path, (candidate) => whole.pages.has(candidate))) ?? []
  if (unknown.length > 0) throw new Error(noPages(unknown))
  const site = order.paths ? onlyPaths(whole, order.paths) : whole
  const total = site.pages.size
  if (total === 0) throw new Error('The source holds no pages to export')
  await tell(writing(0, 1), 0)

  let done = 0
  const pages = await writeSite({
    folder: hidePages(folder, whole, site),
    site,
    domain: order.domain,
    version: order.version,
    deploymentKind: order.deploymentKind,
    target: order.site,
    onBegin: () => void tell(writing(done + 0.5, total), done),
    onPage: async (written) => {
      if (order.failWith && written * 2 >= total) throw new Error(order.failWith)
      done = written
      await pause(total, (part) => tell(writing(written - (1 - part) / 2, total), written))
    },
  })
  await whileSayingSo(stillThere, writeArchive(order.site, order.archive))
  return pages
}

/** Copying and packing may be slow without being stuck: each has limits of its own. */
const whileSayingSo = async <T>(say: () => Promise<void>, work: Promise<T>): Promise<T> => {
  const saying = setInterval(() => void say(), sayEveryMs)
  try {
    return await work
  } finally {
    clearInterval(saying)
  }
}

endWithParent(parent!, memoryMb!)
process.once('message', (order: ExportOrder) => {
  run(order)
    .then((pageCount) => report({ kind: 'completed', pageCount }))
    .catch((error: unknown) => report({ kind: 'failed', reason: failureReason(error) }))
    .finally(() => process.exit())
})
