import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readBundle } from '#packages/site-bundle/src/analysis/read-bundle.ts'
import { createZip } from '#packages/site-bundle/src/archive/zip-writer.ts'
import { listArtifactKeys } from '#packages/site-bundle/src/artifact-keys.ts'
import { usualBounds } from '#packages/site-bundle/src/bounds.ts'
import { hashFile } from '#packages/artifact-store/src/object-storage.ts'
import { exportSite } from '#packages/site-exporter/src/export-site.ts'
import { openSource } from '#packages/site-exporter/src/open-source.ts'

const root = join(import.meta.dirname, '..')

const exportGuide = async (work: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const site = join(work, 'site')
  const source = { kind: 'folder', folder: join(root, 'docs', 'guide') } as const
  await exportSite(await openSource(source, work, () => Promise.resolve()), {
    domain: 'docket-help.localhost',
    version,
    paths: null,
    target: site,
    cache: null,
  })
  return site
}

const packSite = async (site: string, file: string): Promise<void> => {
  const entries = await readdir(site, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name).slice(site.length + 1) : [],
  )
  const zip = await createZip(file)
  for (const path of paths.toSorted()) await zip.add(path.replaceAll('\\', '/'), await readFile(join(site, path)))
  await zip.end()
}

/**
 * Exports the user guide with Docket's own exporter into `folder`, laid out as Docket stores a bundle, so that the server reads it as any
 * other. The same sources give the same bytes. What was in `folder` before is replaced at the end.
 */
const buildGuide = async (folder: string): Promise<void> => {
  await mkdir(join(folder, '..'), { recursive: true })
  const work = await mkdtemp(`${folder}-`)
  try {
    const file = join(work, 'guide.zip')
    await packSite(await exportGuide(work), file)
    const made = join(work, 'made')
    const stored = join(made, listArtifactKeys(await hashFile(file)).prefix)
    await mkdir(stored, { recursive: true })
    await readBundle({ file, folder: stored, bounds: usualBounds }, { onProgress: () => {}, onRead: () => {} })
    await rm(folder, { recursive: true, force: true })
    await rename(made, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

await buildGuide(join(root, 'apps', 'bff', 'dist', 'guide'))
