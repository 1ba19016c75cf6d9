import { basename, join } from 'node:path'
import { checkOut } from '@docket/sources/git/git-checkout'
import type { OrderedSource } from '@docket/sources/site-source'
import { enterFolder, openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'

/** Opened source: its files, and a fallback for the site name. */
export type OpenedSource = { folder: SourceFolder; name: string; render?: true | undefined }

/** Opens a source in a worker process, with copies in `scratch`. `onPage` is called for each mirrored page. Rejects with a readable error. */
export const openSource = async (
  source: OrderedSource,
  scratch: string,
  onPage: (read: number, found: number) => Promise<void>,
): Promise<OpenedSource> => {
  switch (source.kind) {
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
      const { folder, leftOut } = await mirrorSite(source, onPage)
      return { folder: await openSourceFolder(folder, { leftOut }), name: new URL(source.url).hostname }
    }
  }
}

const openLocalFolder = (folder: string) =>
  openSourceFolder(folder).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`The folder ${folder} of the site is missing`)
    if (code === 'EACCES') throw new Error(`The service may not read the folder ${folder} of the site`)
    throw error
  })
