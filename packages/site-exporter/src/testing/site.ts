import { readFile, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { openSourceFolder } from '@docket/sources/source-folder'
import { folderOf, temporaryFolder } from '@docket/sources/testing/files'
import { readSite } from '#readers/read-site.ts'
import { writeSite } from '#writer/write-site.ts'

/** Files of a written site by path, as text. */
export type WrittenFiles = ReadonlyMap<string, string>

type Report = {
  counts: Record<string, number>
  lines: { page: string | null; file: string; kind: string; what: string }[]
}

/** Exports a folder without a process around it. */
export const exportFolder = async (source: string, domain = 'docs.localhost') => {
  const target = join(await temporaryFolder(), 'site')
  const folder = await openSourceFolder(source)
  const site = await readSite(folder, 'Test')
  await writeSite({ folder, site, domain, version: null, target, onPage: () => Promise.resolve() })
  const files = await readFiles(target)
  return { files, report: JSON.parse(files.get('export-report.json')!) as Report }
}

/** The same for files that are given here. */
export const exportFiles = async (files: Readonly<Record<string, string | Uint8Array>>) =>
  exportFolder(await folderOf(files))

/** Every file under `folder`. */
export const readFiles = async (folder: string): Promise<WrittenFiles> => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  )
}

/** What is wrong with the links of a site that should open anywhere: broken, absolute, or loading something from elsewhere. */
export const linkProblems = (files: WrittenFiles): string[] =>
  [...files].filter(([name]) => name.endsWith('.html')).flatMap(([name, html]) => pageProblems(files, name, html))

const pageProblems = (files: WrittenFiles, name: string, html: string) =>
  [...html.matchAll(/<([a-z]+)\b[^>]*?\s(href|src)="([^"]*)"/g)].flatMap(([, tag, , address = '']) => {
    if (/^(https?|mailto|tel):/.test(address))
      return /^(a|link)$/.test(tag!) && !/rel="stylesheet"/.test(address) ? [] : [`${name} loads ${address}`]
    // No icon at all; else the browser would ask the host for one.
    if (address === 'data:,') return []
    if (/^[a-z]+:/i.test(address) || address.startsWith('/')) return [`${name} has ${address}`]
    const [path = '', fragment = ''] = address.replaceAll('&#x26;', '&').split('#').map(decodeURIComponent)
    const target = path === '' ? name : posix.join(posix.dirname(name), path)
    const content = files.get(target)
    if (content === undefined) return [`${name} → ${address}`]
    // A broken anchor of the source stays as it is and is reported; one that the writer made must exist.
    return fragment && tag === 'a' && path === '' && !content.includes(`id="${fragment}"`)
      ? [`${name} → ${address}`]
      : []
  })
