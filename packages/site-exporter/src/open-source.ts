import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BuiltSite } from '@docket/portable-site/built-site'
import { checkOut } from '@docket/sources/git/git-checkout'
import type { OrderedSource } from '@docket/sources/site-source'
import { enterFolder, openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'

/** Opened source: its files, and a fallback for the site name. `built`: a site as its generator wrote it. */
export type OpenedSource = {
  folder: SourceFolder
  name: string
  render?: true | undefined
  built?: Pick<BuiltSite, 'mount' | 'origins' | 'addresses'>
}

/** Opens a source in a worker process, with copies in `scratch`. `onPage` is called for each mirrored page. Rejects with a readable error. */
export const openSource = async (
  source: OrderedSource,
  scratch: string,
  onPage: (read: number, found: number) => Promise<void>,
): Promise<OpenedSource> => {
  switch (source.kind) {
    case 'built': {
      const opened =
        source.of.kind === 'archive'
          ? await openArchive(source.of, scratch)
          : await openSource(source.of, scratch, onPage)
      return { built: { mount: null, origins: [] }, ...opened }
    }
    case 'folder':
      return { folder: await openLocalFolder(source.folder), name: basename(source.folder), render: source.render }
    case 'git': {
      const target = join(scratch, 'checkout')
      const leftOut = await checkOut({ ...source, target, isWhole: true })
      const name = basename(source.folder || source.repository).replace(/\.git$/, '')
      // Pages may import files from the rest of the repository.
      const whole = await openSourceFolder(target, { leftOut })
      return { folder: enterFolder(whole, source.folder.replace(/.$/, '$&/')), name, render: source.render }
    }
    case 'mirror': {
      // Imported lazily, which saves 250 ms and 30 MB for other sources.
      const { mirrorSite } = await import('#mirror/mirror-site.ts')
      const { folder, leftOut, ...built } = await mirrorSite(source, onPage)
      return { folder: await openSourceFolder(folder, { leftOut }), name: new URL(source.url).hostname, built }
    }
  }
}

const openArchive = async (
  { place, sha256, privateNetworks }: Extract<Extract<OrderedSource, { kind: 'built' }>['of'], { kind: 'archive' }>,
  scratch: string,
): Promise<OpenedSource> => {
  const { downloadArchive, unpackArchive } = await import('@docket/portable-site/open-archive')
  const [target, file] = [join(scratch, 'unpacked'), sha256 === null ? place : join(scratch, 'archive')]
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  if (sha256 !== null) await downloadArchive(place, { sha256, file, privateNetworks })
  const { folder, leftOut } = await unpackArchive(file, target).catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? new Error(`The archive ${place} of the site is missing`) : error
  })
  return { folder: await openSourceFolder(folder, { leftOut }), name: basename(file) }
}

const openLocalFolder = (folder: string) =>
  openSourceFolder(folder).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`The folder ${folder} of the site is missing`)
    if (code === 'EACCES') throw new Error(`The service may not read the folder ${folder} of the site`)
    throw error
  })
