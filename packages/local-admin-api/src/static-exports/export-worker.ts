import { setTimeout as sleep } from 'node:timers/promises'
import { writeArchive } from '#bundles/archive.ts'
import { failureReason } from '#files/disk-problem.ts'
import { findPath } from '#source/page-paths.ts'
import { onlyPaths, readSite } from '#source/read-site.ts'
import { openSource } from '#sources/open-source.ts'
import { endWithParent } from '#static-exports/end-with-parent.ts'
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

/** Reads the source, writes the site, packs it. */
const run = async (order: ExportOrder) => {
  const { reading, writing } = portions(order.source.kind)
  const tell = (progress: number, pageCount: number) =>
    report({ kind: 'progress', progress: Math.round(progress * 10) / 10, pageCount })
  const { folder, name, leftOut } = await whileSayingSo(
    () => tell(reading(0, 0), 0),
    openSource(order.source, order.scratch, (read, found) => tell(reading(read, found), 0)),
  )
  const whole = await readSite(folder, name)
  whole.leftOut.push(...leftOut)
  const unknown = order.paths?.filter((path) => !findPath(path, (candidate) => whole.pages.has(candidate))) ?? []
  if (unknown.length > 0) throw new Error(noPages(unknown))
  const site = order.paths ? onlyPaths(whole, order.paths) : whole
  if (site.pages.size === 0) throw new Error('The source holds no pages to export')
  await tell(writing(0, 1), 0)

  const pages = await writeSite({
    folder,
    site,
    domain: order.domain,
    version: order.version,
    deploymentKind: order.deploymentKind,
    target: order.site,
    onPage: async (written, total) => {
      if (order.failWith && written * 2 >= total) throw new Error(order.failWith)
      await tell(writing(written, total), written)
      if (order.pauseMs > 0) await sleep(order.pauseMs / total)
    },
  })
  await whileSayingSo(() => tell(writing(1, 1), pages), writeArchive(order.site, order.archive))
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
