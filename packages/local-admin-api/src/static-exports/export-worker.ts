import { setTimeout as sleep } from 'node:timers/promises'
import { writeArchive } from '#bundles/archive.ts'
import { onlyPaths, readSite } from '#source/read-site.ts'
import { openSource } from '#sources/open-source.ts'
import type { ExportOrder, WorkerReport } from '#static-exports/worker-messages.ts'
import { writeSite } from '#writer/write-site.ts'

const report = (message: WorkerReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

// Whoever ordered the export is gone, so nobody wants it any more.
process.on('disconnect', () => process.exit(1))

/** Reads the source, writes the site, packs it. Reading is 5 % of the progress, packing the last 5 %. */
const run = async (order: ExportOrder) => {
  const { folder, name, leftOut } = await openSource(order.source, order.scratch, () => Promise.resolve())
  const whole = await readSite(folder, name)
  whole.leftOut.push(...leftOut)
  const site = order.paths ? onlyPaths(whole, order.paths) : whole
  if (site.pages.size === 0) throw new Error('The source holds no pages to export')
  await report({ kind: 'progress', progress: 5, pageCount: 0 })

  const pages = await writeSite({
    folder,
    site,
    domain: order.domain,
    version: order.version,
    target: order.site,
    onPage: async (written, total) => {
      if (order.failWith && written * 2 >= total) throw new Error(order.failWith)
      await report({
        kind: 'progress',
        progress: Math.round((5 + (90 * written) / total) * 10) / 10,
        pageCount: written,
      })
      if (order.pauseMs > 0) await sleep(order.pauseMs / total)
    },
  })
  await writeArchive(order.site, order.archive)
  return pages
}

process.once('message', (order: ExportOrder) => {
  run(order)
    .then((pageCount) => report({ kind: 'completed', pageCount }))
    .catch((error: unknown) =>
      report({ kind: 'failed', reason: error instanceof Error ? error.message : 'Unknown reason' }),
    )
    .finally(() => process.exit())
})
