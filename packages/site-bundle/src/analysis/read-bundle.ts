import { stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { hashFile } from '@docket/artifact-store/object-storage'
import { emptyDescription } from '#pages/describe-page.ts'
import { checkSite, type OpenedSite } from '#check/check-site.ts'
import type { BundlePage, Manifest, BundleFile } from '#manifest.ts'
import { isPage, listReaderPages, toAddress } from '#locator/page-address.ts'
import { findRoot } from '#pages/site-root.ts'
import type { Finding, Report } from '#report.ts'
import type { Bounds } from '#bounds.ts'
import type { FileRemark } from '#archive/archive-file.ts'
import { nameFiles } from '#archive/decode-names.ts'
import { readArchive } from '#archive/read-archive.ts'
import { createZip, type ZipWriter } from '#archive/zip-writer.ts'
import { createFileKind } from '#file-kind.ts'
import { writeManifest, writeReport } from './json-files.ts'
import type { OrderFailure } from './serve-order.ts'

export type AnalysisOrder = { file: string; folder: string; bounds: Bounds }

export type ReadBundle = Pick<Manifest, 'ending' | 'sizeBytes' | 'contentBytes'> & {
  files: number
  pages: number
  /** Null when the check finished; else the reason why not. */
  checkUnfinished: string | null
  findings: Finding[]
}

/** Progress of `reading` is in bytes of the archive, and of `checking` in pages. */
export type AnalysisPhase = 'reading' | 'checking'

/** Messages of that process. `read`: the files are written, and the check begins. */
export type AnalysisMessage =
  | { kind: 'progress'; phase: AnalysisPhase; done: number; total: number }
  | { kind: 'read'; bundle: ReadBundle }
  | { kind: 'checked'; bundle: ReadBundle }
  | OrderFailure

type Watch = {
  onProgress: (phase: AnalysisPhase, done: number, total: number) => void
  /** Called once the files are written. If no further message follows, the check did not finish. */
  onRead: (bundle: ReadBundle) => void
}

const stopped = 'The check was stopped before it finished.'

const listPages = (files: Manifest['files'], root: string): BundlePage[] =>
  files
    .filter((file) => file.path.startsWith(root) && isPage(file))
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

/** Writes the report twice, first with a check that did not finish, and the manifest once more, when the rules are read. Rejects with `ArchiveRefused`. */
export const readBundle = async (order: AnalysisOrder, { onProgress, onRead }: Watch): Promise<ReadBundle> => {
  const { file, folder } = order
  const { size: sizeBytes } = await stat(file)
  const zip = await createZip(join(folder, 'site.zip'))
  try {
    const { remarks, ...written } = await writeFiles(zip, order, (done) =>
      onProgress('reading', Math.min(done, sizeBytes), sizeBytes),
    )
    const { files } = written
    const root = findRoot(files)
    const known = { version: 1 as const, sha256: await hashFile(file), sizeBytes, ...written }
    const before: Manifest = { ...known, root, pages: listPages(files, root), redirects: [] }
    const unfinished: Report = { version: 1, unfinished: stopped, findings: [] }
    await writeManifest(folder, before)
    await writeReport(folder, unfinished)
    onRead(summarize(before, unfinished))

    const onPage = (done: number, total: number) => onProgress('checking', done, total)
    const onOpened = (opened: OpenedSite) => writeManifest(folder, { ...before, ...opened })
    const { report, ...checked } = await checkSite({ files, read: zip.read }, { remarks, onOpened, onPage })
    const manifest: Manifest = { ...known, ...checked }
    await writeManifest(folder, manifest)
    await writeReport(folder, report)
    return summarize(manifest, report)
  } finally {
    await zip.close()
  }
}

/** Files up to this size are compressed whole, which is faster. */
const wholeBytes = 1024 ** 2

type WrittenFiles = Pick<Manifest, 'ending' | 'contentBytes' | 'files'> & { remarks: FileRemark[] }

const writeFiles = async (
  zip: ZipWriter,
  { file, bounds }: AnalysisOrder,
  onBytes: (archiveBytes: number) => void,
): Promise<WrittenFiles> => {
  const added = new Map<string, Omit<BundleFile, 'path'>>()
  const archive = await readArchive(file, bounds, async ({ path, sizeBytes, content, archiveBytes }) => {
    const hash = createHash('sha256')
    const kind = createFileKind(path)
    const hashed = async function* () {
      for await (const piece of content) {
        hash.update(piece)
        kind.add(piece)
        yield piece
      }
    }
    if (sizeBytes <= wholeBytes) {
      const pieces: Uint8Array[] = []
      for await (const piece of hashed()) pieces.push(piece)
      await zip.add(path, Buffer.concat(pieces))
    } else await zip.add(path, hashed())
    added.set(path, { sizeBytes, sha256: hash.digest('hex'), ...kind.end() })
    onBytes(archiveBytes)
  })
  const { ending, contentBytes, remarks } = archive
  const sources = await nameFiles(archive, zip.read, (path) => added.get(path)!.sizeBytes)
  await zip.end(sources)
  const files = [...sources].map(([path, source]) => ({ path, ...added.get(source)! }))
  return { ending, contentBytes, files, remarks }
}
