import type { SourceFolder } from '@docket/sources/source-folder'
import { onlyPaths, readSite } from '#readers/read-site.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { findPath } from '#site/page-paths.ts'
import { writeSite, type DeploymentKind } from '#writer/write-site.ts'
import type { OpenedSource } from './open-source.ts'

/** An export of one opened source. */
export type SiteExport = {
  /** Public links, the site map and the report name it. */
  domain: string
  version: string | null
  /** Pages to export. Null for all. */
  paths: readonly string[] | null
  deploymentKind: DeploymentKind
  /** Folder to write to; emptied first. */
  target: string
}

/** Receives the progress of an export. `onPage` may reject, which ends the export. */
export type ExportProgress = {
  /** Some files are read more than once, so `read` may exceed `files`. */
  onRead?: (read: number, files: number) => void
  /** Runs once the pages are known. */
  onSite?: (pages: number) => Promise<void>
  /** Runs before each page is rendered. */
  onBegin?: () => void
  onPage?: (count: number, total: number) => Promise<void>
}

/**
 * Reads an opened source and writes it as a folder of HTML with `export-report.json`. Resolves with the number of pages. Throws with a
 * sentence for the reader when the source has no pages, or none of `paths`.
 */
export const exportSite = async (
  { folder, name, leftOut }: OpenedSource,
  order: SiteExport,
  progress: ExportProgress = {},
): Promise<number> => {
  const { domain, version, paths, deploymentKind, target } = order
  const { onRead, onSite, onBegin, onPage } = progress
  const whole = await readSite(onRead ? countReads(folder, onRead) : folder, name)
  whole.leftOut.push(...leftOut)
  const unknown = paths?.filter((path) => !findPath(path, (candidate) => whole.pages.has(candidate))) ?? []
  if (unknown.length > 0) throw new Error(formatUnknownPages(unknown))
  const site = paths ? onlyPaths(whole, paths) : whole
  if (site.pages.size === 0) throw new Error('The source holds no pages to export')
  await onSite?.(site.pages.size)
  return writeSite({
    folder: hidePages(folder, whole, site),
    site,
    domain,
    version,
    deploymentKind,
    target,
    ...(onBegin && { onBegin }),
    onPage: async (count, total) => onPage?.(count, total),
  })
}

const page = /\.mdx?$/i

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

/**
 * The folder without the files of pages that are not exported, so that a link to one of them does not copy its text as a file. Pages that
 * include them can still read them.
 */
const hidePages = (folder: SourceFolder, whole: SourceSite, site: SourceSite): SourceFolder => {
  const wanted = new Set([...site.pages.values()].map(({ file }) => file))
  const hidden = new Set([...whole.pages.values()].map(({ file }) => file).filter((file) => !wanted.has(file)))
  // An OpenAPI document stands for many pages, and is a file as well.
  const isHidden = (file: string) => hidden.has(file) && page.test(file)
  return { ...folder, files: new Set([...folder.files].filter((file) => !isHidden(file))) }
}

const maxNamed = 5

/** Names pages that a site does not have, as a sentence. */
export const formatUnknownPages = (paths: readonly string[]): string => {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : ''
  return `The site has no page ${paths.slice(0, maxNamed).join(', ')}${more}`
}
