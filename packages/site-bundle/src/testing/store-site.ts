import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { createZip } from '#archive/zip-writer.ts'
import { listArtifactKeys } from '#artifact-keys.ts'
import type { BundlePage, Manifest } from '#manifest.ts'
import type { Report } from '#report.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A stored site of a test. `folder` is that of its storage. */
export type TestSite = { storage: ObjectStorage; folder: string; sha256: string }

const toSha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Stores a site with these files as Docket does, without a bundle. */
export const storeSite = async (
  files: Readonly<Record<string, string | Uint8Array>>,
  details: { pages?: BundlePage[]; report?: Report } = {},
): Promise<TestSite> => {
  const folder = await temporaryFolder()
  const work = await temporaryFolder()
  const storage = createDiskStorage(folder)
  const contents = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }))
  const sha256 = toSha256(JSON.stringify(Object.keys(files)))
  const contentBytes = contents.reduce((sum, { content }) => sum + content.length, 0)
  const manifest: Manifest = {
    version: 1,
    sha256,
    ending: '.tar.gz',
    sizeBytes: contentBytes,
    contentBytes,
    root: '',
    files: contents.map(({ path, content }) => ({
      path,
      sizeBytes: content.length,
      sha256: toSha256(content),
      type: path.endsWith('.html') ? 'text/html' : 'application/octet-stream',
    })),
    pages: details.pages ?? [],
    redirects: [],
  }
  const zip = await createZip(join(work, 'site.zip'))
  for (const { path, content } of contents) await zip.add(path, content)
  await zip.end()
  await zip.close()
  await writeFile(join(work, 'manifest'), gzipSync(JSON.stringify(manifest)))
  await writeFile(
    join(work, 'report'),
    gzipSync(JSON.stringify(details.report ?? { version: 1, unfinished: null, findings: [] })),
  )
  const keys = listArtifactKeys(sha256)
  await storage.put(keys.zip, join(work, 'site.zip'))
  await storage.put(keys.manifest, join(work, 'manifest'))
  await storage.put(keys.report, join(work, 'report'))
  return { storage, folder, sha256 }
}
