import { setImmediate } from 'node:timers/promises'
import { enterFolder, type SourceFolder } from '@docket/sources/source-folder'
import { LRUCache } from 'lru-cache'
import { selectPaths, readSite } from '#readers/read-site.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { createPageFinder } from '#site/page-paths.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import { openDataCache } from '#writer/cache/cached-pages.ts'
import { writeSite, type SiteOrder } from '#writer/write-site.ts'
import type { OpenedSource } from './open-source.ts'

export type SiteExport = Pick<SiteOrder, 'domain' | 'version' | 'target' | 'cache' | 'onCached'> & {
  /** Pages to export; null for all. */
  paths: readonly string[] | null
  hiddenPages?: boolean
  /** Hosts whose pictures and documents are copied, and private networks in which these hosts may be; none when absent. */
  fetch?: FetchRules
  readRemote?: ReadRemoteFile
}

export type FetchRules = { hosts: readonly string[]; privateNetworks: readonly string[] }

/** A rejected `onPage` ends the export. */
export type ExportProgress = {
  /** `read` may exceed `files`, because some files are read twice. */
  onRead?: (read: number, files: number) => void
  onSite?: (pages: number) => Promise<void>
  onBegin?: () => void
  onPage?: (count: number, total: number) => Promise<void>
  onRequest?: () => void
}

/** Exports a source as HTML with `export-report.json`. Returns the page count. Throws a readable error when there are no pages. */
export const exportSite = async (
  source: OpenedSource,
  { paths, hiddenPages = false, fetch, readRemote, ...order }: SiteExport,
  progress: ExportProgress = {},
): Promise<number> => {
  const remote = fetch && fetch.hosts.length > 0 ? await openRemoteReader(fetch, progress.onRequest) : null
  const read = readRemote ?? remote?.read
  const opened = { ...source, folder: keepRecent(source.folder) }
  try {
    if (opened.built !== undefined) {
      const [{ makePortable }, { portableSearch }] = await Promise.all([
        import('@docket/portable-site/make-portable'),
        import('#writer/search/portable-search.ts'),
      ])
      const { cache: folder, onCached, ...rest } = order
      const cache = folder ? openDataCache(folder) : null
      const pages = await makePortable(
        { folder: opened.folder, ...opened.built },
        {
          ...rest,
          ...progress,
          ...(read && { readRemote: read }),
          ...(cache && { cache: cache.read }),
          paths,
          search: portableSearch,
        },
      )
      cache?.close()
      if (cache) await onCached?.(cache.used)
      return pages
    }
    const { whole, site } = await readWantedPages(opened, { paths, hiddenPages, readRemote: read }, progress)
    await progress.onSite?.(site.pages.size)
    return await writeSite({
      ...order,
      ...progress,
      ...(read && { readRemote: read }),
      folder: hidePages(enterFolder(opened.folder, whole.base), whole, site),
      site,
      onPage: async (count, total) => progress.onPage?.(count, total),
    })
  } finally {
    await remote?.close()
  }
}

type Wanted = { paths: readonly string[] | null; hiddenPages: boolean; readRemote: ReadRemoteFile | undefined }

/** Reads a source, and keeps only the wanted pages. Throws a readable error if there are none. */
const readWantedPages = async (
  { folder, name, render }: OpenedSource,
  { paths, hiddenPages, readRemote }: Wanted,
  { onRead }: ExportProgress,
) => {
  const whole = await readSite(onRead ? countReads(folder, onRead) : folder, name, {
    withHidden: hiddenPages,
    render: render ?? false,
    ...(readRemote && { readRemote }),
  })
  const find = createPageFinder((path) => whole.pages.has(path), whole.names)
  const unknown = paths?.filter((path) => !find(path)) ?? []
  if (unknown.length > 0) throw new Error(formatUnknownPages(unknown))
  if (whole.pages.size === 0 && whole.hidden.size > 0)
    throw new Error(
      `All pages of the source are hidden (${whole.hidden.size}). An export includes them only if it is set to.`,
    )
  const site = paths ? selectPaths(whole, paths) : whole
  const lost = site.leftOut.slice(0, maxNamed).map(({ file, reason }) => `${file}: ${reason}`)
  if (site.pages.size === 0) throw new Error(['The source holds no pages to export', ...lost].join('; '))
  return { whole, site }
}

const openRemoteReader = async (fetch: FetchRules, onRequest: ExportProgress['onRequest']) => {
  // Most exports read nothing from other hosts, and the client is slow to load.
  const { openRemoteFiles } = await import('#mirror/remote/remote-files.ts')
  return openRemoteFiles({ ...fetch, ...(onRequest && { onRequest }) })
}

const page = /\.mdx?$/i

/** Keeps the pages that were read for the navigation until they are read again for their text. */
const keepRecent = (folder: SourceFolder): SourceFolder => {
  const recent = new LRUCache<string, Buffer>({ maxSize: 16 * 1024 ** 2, sizeCalculation: ({ length }) => length + 1 })
  return {
    ...folder,
    read: async (file, maxBytes) => {
      const known = recent.get(file)
      if (known && known.length <= maxBytes) {
        await setImmediate()
        return known
      }
      const content = await folder.read(file, maxBytes)
      if (content && page.test(file)) recent.set(file, content)
      return content
    },
  }
}

const countReads = (folder: SourceFolder, onRead: (read: number, files: number) => void): SourceFolder => {
  const files = [...folder.files].filter((file) => page.test(file)).length
  let read = 0
  return {
    ...folder,
    read: (file, maxBytes) => {
      if (page.test(file)) onRead(++read, files)
      return folder.read(file, maxBytes)
    },
  }
}

/** Hides the files of pages that are not exported, so that links do not copy them. Pages can still include them. */
const hidePages = (folder: SourceFolder, whole: SourceSite, site: SourceSite): SourceFolder => {
  const wanted = new Set([...site.pages.values()].map(({ file }) => file))
  const all = [...whole.pages.values(), ...whole.hidden.values()].map(({ file }) => file)
  const hidden = new Set(all.filter((file) => !wanted.has(file)))
  // An OpenAPI document is the source of many pages, and also a file of its own.
  const isHidden = (file: string) => hidden.has(file) && page.test(file)
  return {
    ...folder,
    files: new Set([...folder.files].filter((file) => !isHidden(file))),
    has: (file) => folder.has(file) && !isHidden(file),
  }
}

const maxNamed = 5

export const formatUnknownPages = (paths: readonly string[]): string => {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : ''
  return `The site has no page ${paths.slice(0, maxNamed).join(', ')}${more}`
}
