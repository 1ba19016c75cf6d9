import { emptyDescription } from '#pages/empty-description.ts'
import { stat } from 'node:fs/promises'
import { hashFile } from '@docket/artifact-store/object-storage'
import { checkSite } from '#check/check-site.ts'
import type { BundlePage, Manifest } from '#manifest.ts'
import { describePage, hashStyle } from '#pages/describe-page.ts'
import { isPage, toAddress } from '#pages/page-address.ts'
import { listReaderPages } from '#pages/reader-pages.ts'
import { findRoot } from '#pages/site-root.ts'
import type { Report } from '#report.ts'
import { writeManifest, writeReport } from './json-files.ts'
import type { AnalysisOrder, AnalysisPhase, ReadBundle } from './messages.ts'
import { openFiles, writeFiles } from './read-files.ts'

type Watch = {
  onProgress: (phase: AnalysisPhase, done: number, total: number) => void
  /** The files are written. If nothing follows, the check did not finish. */
  onRead: (bundle: ReadBundle) => void
}

const stopped = 'The check was stopped before it finished.'

/** Pages as far as their names tell. */
const listPages = (files: Manifest['files'], root: string): BundlePage[] =>
  files
    .filter(({ path }) => path.startsWith(root) && isPage(path))
    .map(({ path, sizeBytes }) => {
      const address = toAddress(path.slice(root.length))
      return { ...emptyDescription, address, path, sizeBytes, redirectsTo: null }
    })
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))

const summarize = ({ ending, sizeBytes, contentBytes, files, pages }: Manifest, report: Report): ReadBundle => ({
  ending,
  sizeBytes,
  contentBytes,
  files: files.length,
  pages: listReaderPages(pages).length,
  checkUnfinished: report.unfinished,
  findings: report.findings.map((finding) => ({ ...finding, places: [] })),
})

/**
 * Reads a bundle and checks its site. Writes `site.zip`, `manifest.json.gz` and `report.json.gz`, the last two twice: first with a check
 * that did not finish. Rejects with `ArchiveRefused`.
 */
export const readBundle = async (order: AnalysisOrder, { onProgress, onRead }: Watch): Promise<ReadBundle> => {
  const { file, folder } = order
  const { size: sizeBytes } = await stat(file)
  const { ending, contentBytes, files } = await writeFiles(order, (done) =>
    onProgress('reading', Math.min(done, sizeBytes), sizeBytes),
  )
  const sha256 = await hashFile(file)
  const root = findRoot(files.map(({ path }) => path))
  const known = { version: 1 as const, sha256, ending, sizeBytes, contentBytes, files }
  const before: Manifest = { ...known, root, pages: listPages(files, root), redirects: [] }
  const unfinished: Report = { version: 1, unfinished: stopped, findings: [] }
  await writeManifest(folder, before)
  await writeReport(folder, unfinished)
  onRead(summarize(before, unfinished))

  const site = await openFiles(folder)
  try {
    const { report, ...checked } = await checkSite(
      { files, read: site.read },
      { describePage, hashStyle, onPage: (done, total) => onProgress('checking', done, total) },
    )
    const manifest: Manifest = { ...known, ...checked }
    await writeManifest(folder, manifest)
    await writeReport(folder, report)
    return summarize(manifest, report)
  } finally {
    await site.close()
  }
}
