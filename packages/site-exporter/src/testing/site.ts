import { readFile, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { openSourceFolder, type SourceFolder } from '@docket/sources/source-folder'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { exportSite, type SiteExport } from '#export-site.ts'

/** Text of written files, by path. */
export type WrittenFiles = ReadonlyMap<string, string>

type MoreOrder = Pick<SiteExport, 'hiddenPages' | 'readRemote'>

type Report = {
  otherHosts: Record<string, number>
  counts: Record<string, number>
  hiddenPages?: Record<string, number>
  lines: { page: string | null; file: string; kind: string; what: string }[]
}

/** Exports a folder in this process. */
export const exportFolder = async (source: string, domain = 'docs.localhost', more: MoreOrder = {}) =>
  exportOpened(await openSourceFolder(source), domain, more)

export const exportOpened = async (folder: SourceFolder, domain = 'docs.localhost', more: MoreOrder = {}) => {
  const target = join(await temporaryFolder(), 'site')
  const order = { domain, version: null, paths: null, target, ...more }
  await exportSite({ folder, name: 'Test' }, order)
  const files = await readFiles(target)
  return { files, report: JSON.parse(files.get('export-report.json')!) as Report }
}

/** Exports the given files. */
export const exportFiles = async (files: Readonly<Record<string, string | Uint8Array>>, more: MoreOrder = {}) =>
  exportFolder(await writeFolder(files), 'docs.localhost', more)

/** Reads every file under `folder`. */
export const readFiles = async (folder: string): Promise<WrittenFiles> => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  )
}

/** Lists broken, absolute and remote references of an exported site. */
export const linkProblems = (files: WrittenFiles): string[] =>
  [...files].filter(([name]) => name.endsWith('.html')).flatMap(([name, html]) => pageProblems(files, name, html))

const pageProblems = (files: WrittenFiles, name: string, html: string) =>
  [...html.matchAll(/<([a-z]+)\b[^>]*?\s(href|src)="([^"]*)"/g)].flatMap(([, tag, , address = '']) => {
    if (/^(https?|mailto|tel):/.test(address))
      return /^(a|link)$/.test(tag!) && !/rel="stylesheet"/.test(address) ? [] : [`${name} loads ${address}`]
    // An empty icon keeps browsers from requesting one.
    if (address === 'data:,') return []
    if (/^[a-z]+:/i.test(address) || address.startsWith('/')) return [`${name} has ${address}`]
    const [path = '', fragment = ''] = address.replaceAll('&#x26;', '&').split('#').map(decodeURIComponent)
    const target = path === '' ? name : posix.join(posix.dirname(name), path)
    const content = files.get(target)
    if (content === undefined) return [`${name} → ${address}`]
    // Broken anchors of the source are kept and reported; those that the exporter adds must exist.
    return fragment && tag === 'a' && path === '' && !content.includes(`id="${fragment}"`)
      ? [`${name} → ${address}`]
      : []
  })
